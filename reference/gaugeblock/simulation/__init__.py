"""Running a workload through the service: a deterministic discrete-event simulation with a simple cost model.

``scenarios`` says what is simulated, ``driver`` runs it, ``costs`` says how long things take, ``services`` are what it drives,
``meters`` and ``timeline`` watch it, ``shadow`` re-decides a share of the rounds, ``summary`` and ``picture`` tell the outcome.
"""
