"""Conformance: subjects in this process or behind a command, exact judging, runs over cases, and their reports."""
