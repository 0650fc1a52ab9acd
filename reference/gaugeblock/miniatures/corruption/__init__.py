"""Corruptions: a right round changed in one step, with everything after it derived anew, so that story and decisions agree.

With built-in policies, random ones included, and a trace the clauses admit one answer; so each corruption must violate one of
them, and one that does not (a survivor) is a hole in the clauses. ``python -m gaugeblock.miniatures.corruption`` looks for
survivors.
"""
