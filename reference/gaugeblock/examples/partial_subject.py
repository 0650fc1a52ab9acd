"""A subject in plain Python that knows two of the six passes: reuse, and a cold start where there is room already.

Whatever needs more, it declines. Run it with: gaugeblock conform -- python3 -m gaugeblock.examples.partial_subject
"""

import json
import sys
from typing import Any

Json = dict[str, Any]

DECLARATION = {
    "version": 1,
    "implementation": {"name": "partial", "version": "1.0", "language": "Python"},
    "policies": {"eviction": ["fewest", "lru"]},  # it never evicts, so either will do; of the other kinds the default
    "features": ["positions"],
}


def free(node: Json, resource: str, layers: Json, functions: Json) -> int:
    """What is left of a node's RAM or disk, in bytes."""
    held = [*node[f"{resource}_layers"], *node["loading" if resource == "ram" else "copying"]]
    used = sum(layers[name][f"{resource}_bytes"] for name in held)
    used += sum(functions[each["function"]][f"{resource}_bytes"] for each in node["containers"])
    return int(node[f"{resource}_bytes"] - used)


def decide(round_: Json) -> list[Json] | None:
    """Return the dispatches of a round, or None if it takes more than this subject knows."""
    layers = {each["name"]: each for each in round_["catalog"]["layers"]}
    images = {each["name"]: each["layers"] for each in round_["catalog"]["images"]}
    functions = {each["name"]: each for each in round_["catalog"]["functions"]}
    dispatches = []
    for invocation in sorted(round_["pending"], key=lambda each: (each["submitted"], each["id"])):
        name, function = invocation["function"], functions[invocation["function"]]
        nodes = [n for n in round_["nodes"] if sum(c["in_flight"] for c in n["containers"]) < n["max_invocations"]]
        idle = [
            (n, c)
            for n in nodes
            for c in sorted(n["containers"], key=lambda each: each["id"])
            if c["function"] == name and c["status"] == "ready" and c["in_flight"] == 0
        ]
        fitting = [
            n
            for n in nodes
            if set(images[function["image"]]) <= set(n["ram_layers"])
            and len(n["containers"]) < n["max_containers"]
            and all(free(n, each, layers, functions) >= function[f"{each}_bytes"] for each in ("ram", "disk"))
        ]
        if idle:
            node, container = idle[0]  # the first in traversal order, and there the one with the smallest id
            container["in_flight"] = 1
        elif fitting:
            node, container = min(fitting, key=lambda each: each["name"]), {"id": None}
            node["containers"].append({"id": -1, "function": name, "status": "starting", "in_flight": 1})
        else:
            return None
        dispatches.append({"invocation": invocation["id"], "node": node["name"], "container": container["id"]})
    return dispatches


def main() -> None:
    """Answer one message a line until told to stop."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["cmd"] == "stop":
            return
        answer = DECLARATION
        if message["cmd"] == "round":
            dispatches = decide(message["round"])
            answer = {"seq": message["seq"], "decisions": {"dispatches": dispatches}}
            if dispatches is None:
                answer = {"seq": message["seq"], "skipped": {"reason": "it takes more than reuse and a cold start with room"}}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
