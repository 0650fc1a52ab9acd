"""The executable clauses: what is true of a right round, each rule under its number, and the judge that evaluates them.

The clauses import the model alone; they never call the scheduler that they judge, nor repeat its algorithm.
"""
