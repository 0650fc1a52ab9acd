"""What the tests of documents share: one small valid round as plain JSON values, to spoil in one place at a time."""

from typing import Any

import pytest

Json = dict[str, Any]


@pytest.fixture
def document() -> Json:
    """Return a fresh round with everything in it: a busy node, one at rest, a transfer each way, a pending invocation."""
    return {
        "now": 12.0,
        "catalog": {
            "layers": [
                {"name": "python", "disk_bytes": 400, "ram_bytes": 120},
                {"name": "app", "disk_bytes": 30, "ram_bytes": 20},
                {"name": "model", "disk_bytes": 50, "ram_bytes": 60},
            ],
            "images": [{"name": "small", "layers": ["python"]}, {"name": "large", "layers": ["python", "app", "model"]}],
            "functions": [
                {"name": "resize", "image": "small", "ram_bytes": 512, "disk_bytes": 64, "max_invocations_per_container": 2},
                {"name": "classify", "image": "large", "ram_bytes": 8, "disk_bytes": 4, "max_invocations_per_container": 1},
            ],
        },
        "nodes": [
            {
                "name": "node-0",
                "status": "activated",
                "ram_bytes": 4096,
                "disk_bytes": 100000,
                "max_invocations": 8,
                "max_containers": 8,
                "disk_layers": {"python": 3.0, "app": 4.5},
                "ram_layers": {"python": 3.0},
                "copying": ["model"],
                "loading": ["app"],
                "containers": [
                    {"id": 4, "function": "resize", "status": "ready", "in_flight": 1, "last_used": 2.0},
                    {"id": 7, "function": "resize", "status": "starting", "in_flight": 1, "last_used": 2.5},
                ],
            },
            {
                "name": "node-1",
                "status": "deactivated",
                "ram_bytes": 1,
                "disk_bytes": 500,
                "max_invocations": 1,
                "max_containers": 1,
                "disk_layers": {"app": 0.0},
                "ram_layers": {},
                "copying": [],
                "loading": [],
                "containers": [],
            },
        ],
        "pending": [{"id": 9, "function": "classify", "submitted": 11.5}],
    }


@pytest.fixture
def case_document(document: Json) -> Json:
    """Return a fresh case about that round."""
    return {
        "id": "a-case",
        "round": document,
        "policies": {"eviction": {"name": "lru"}},
        "decisions": {"dispatches": [{"invocation": 9, "node": "node-0", "container": 4}], "wakeup": None},
    }
