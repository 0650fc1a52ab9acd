"""One scheduling round: what is decided, phase by phase and pass by pass. The rooms carry the names of the clause families."""
