"""The mutants that no theorem refutes, by name, each with the reason why it does no harm or cannot be told apart."""

EQUIVALENT: dict[str, str] = {}
