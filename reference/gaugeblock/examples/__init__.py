"""Examples to start from: a first round, and a first subject in plain Python."""
