"""The mutants that no theorem refutes, by name, each with the reason why it does no harm or cannot be told apart."""

EQUIVALENT: dict[str, str] = {
    "round.accounting.apply_to_node: missing guard 2": (
        "Only plans of the reuse pass name a container, so that asking for the container alone comes to the same."
    ),
    "round.accounting.reclaim: wrong resource 2": (
        "What is in RAM is on disk as well, by the validity check, and both lists hold the very same layer."
    ),
}
