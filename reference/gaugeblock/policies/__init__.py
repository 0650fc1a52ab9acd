"""Policies: one protocol for each of the eight kinds, the built-in ones, and a registry that finds them by name."""
