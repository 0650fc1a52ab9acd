"""The optimized service model: indexed, mutable inside, and never different from the reference.

It states the semantics a second time, from the clauses alone, and shares no algorithm with ``round``, ``service`` or the
built-in policies. Each module says how it is indexed, what the indexes promise and why that is right:

- ``bitsets``, ``numbering``, ``changes``: sets as integers, the catalogue by numbers, the log of what changed;
- ``nodes``, ``cluster``: one node, and all with their indexes; ``planning``: what a round does to them and how it is undone;
- ``reclaiming``, ``ranking``, ``searching``: victims, alternatives by rank, the outcome for one invocation;
- ``builtin``, ``scaling``, ``prewarming``, ``rounds``: the built-in policies and one round with them;
- ``views``, ``contracts``, ``general``, ``general_reclaiming``: one round with policies of one's own;
- ``ledger``, ``effects``, ``admission``, ``application``, ``model``: the service;
- ``checks``, ``search_checks``: every index recomputed from first principles.
"""
