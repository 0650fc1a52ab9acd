"""A subject in plain Python that knows one of the six passes: reuse, of containers that hold one invocation.

Whatever needs more, it declines. Run it with: gaugeblock conform -- python3 -m gaugeblock.examples.partial_subject
"""

import json
import sys
from typing import Any

DECLARATION = {
    "version": 1,
    "implementation": {"name": "partial", "version": "1.0", "language": "Python"},
    "policies": {"eviction": ["fewest", "lru"]},  # it never evicts, so either will do; of the other kinds the default
    "features": ["positions"],
}


def decide(nodes: list[dict[str, Any]], pending: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the decisions of a round, or that it takes more than this subject knows."""
    dispatches = []
    for invocation in sorted(pending, key=lambda each: (each["submitted"], each["id"])):
        for node in nodes:
            room = node["max_invocations"] - sum(each["in_flight"] for each in node["containers"])
            idle = [each for each in node["containers"] if each["status"] == "ready" and each["in_flight"] == 0]
            fitting = [each["id"] for each in idle if each["function"] == invocation["function"]]
            if room > 0 and fitting:
                break  # the first node in traversal order
        else:
            return {"skipped": {"reason": "it takes more than reuse"}}
        dispatches.append({"invocation": invocation["id"], "node": node["name"], "container": min(fitting)})
        next(each for each in node["containers"] if each["id"] == min(fitting))["in_flight"] = 1
    return {"decisions": {"dispatches": dispatches}}


for line in sys.stdin:
    message = json.loads(line)
    if message["cmd"] == "start":
        print(json.dumps(DECLARATION), flush=True)
    elif message["cmd"] == "round":
        answer = decide(message["round"]["nodes"], message["round"]["pending"])
        print(json.dumps({"seq": message["seq"], **answer}), flush=True)
