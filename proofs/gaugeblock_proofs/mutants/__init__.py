"""Deliberately wrong versions of shipped functions, made from their syntax trees: what the theorems must refute."""
