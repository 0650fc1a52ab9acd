"""What ties the parts of a round together (formats, "A round is valid only if"), told in the places of the document."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from gaugeblock.model import InvalidState, LayerName
from gaugeblock.wire.cases import decode_case
from gaugeblock.wire.errors import InvalidDocument
from gaugeblock.wire.rounds import decode_round

Json = dict[str, Any]
Spoil = Callable[[Json], object]


def node(document: Json, index: int = 0) -> Json:
    """Return a node of the document."""
    found: Json = document["nodes"][index]
    return found


RULES: dict[str, tuple[Spoil, str]] = {
    "layer names are unique": (
        lambda d: d["catalog"]["layers"].append({"name": "python", "disk_bytes": 400, "ram_bytes": 120}),
        "$.catalog.layers[3].name: found 'python'; expected a name or id not used before",
    ),
    "image names are unique": (
        lambda d: d["catalog"]["images"].append({"name": "small", "layers": ["python"]}),
        "$.catalog.images[2].name: found 'small'; expected a name or id not used before",
    ),
    "function names are unique": (
        lambda d: d["catalog"]["functions"].append(dict(d["catalog"]["functions"][0])),
        "$.catalog.functions[2].name: found 'resize'; expected a name or id not used before",
    ),
    "node names are unique": (
        lambda d: node(d, 1).update(name="node-0"),
        "$.nodes[1].name: found 'node-0'; expected a name or id not used before",
    ),
    "invocation ids are unique": (
        lambda d: d["pending"].append(dict(d["pending"][0])),
        "$.pending[1].id: found 9; expected a name or id not used before",
    ),
    "container ids are unique on a node": (
        lambda d: node(d)["containers"][1].update(id=4),
        "$.nodes[0].containers[1].id: found 4; expected an id not used before",
    ),
    "container ids are unique across nodes": (
        lambda d: node(d, 1).update(
            status="activated",
            ram_bytes=4096,
            disk_layers={"python": 1.0},
            ram_layers={"python": 1.0},
            containers=[{"id": 4, "function": "resize", "status": "ready", "in_flight": 0, "last_used": 1.0}],
        ),
        "$.nodes[1].containers[0].id: found 4; expected an id that $.nodes[0] does not use",
    ),
    "an image lists no layer twice": (
        lambda d: d["catalog"]["images"][0]["layers"].append("python"),
        "$.catalog.images[0].layers[1]: found 'python'; expected each layer at most once",
    ),
    "copying lists no layer twice": (
        lambda d: node(d)["copying"].append("model"),
        "$.nodes[0].copying[1]: found 'model'; expected each layer at most once",
    ),
    "loading lists no layer twice": (
        lambda d: node(d)["loading"].append("app"),
        "$.nodes[0].loading[1]: found 'app'; expected each layer at most once",
    ),
    "an image names layers of the catalogue": (
        lambda d: d["catalog"]["images"][0]["layers"].append("ruby"),
        "$.catalog.images[0].layers[1]: found 'ruby'; expected a name that the catalogue holds",
    ),
    "a function names an image of the catalogue": (
        lambda d: d["catalog"]["functions"][1].update(image="huge"),
        "$.catalog.functions[1].image: found 'huge'; expected a name that the catalogue holds",
    ),
    "disk_layers names layers of the catalogue": (
        lambda d: node(d)["disk_layers"].update({"a ruby": 1.0}),
        "$.nodes[0].disk_layers['a ruby']: found 'a ruby'; expected a name that the catalogue holds",
    ),
    "copying names layers of the catalogue": (
        lambda d: node(d)["copying"].insert(0, "ruby"),
        "$.nodes[0].copying[0]: found 'ruby'; expected a name that the catalogue holds",
    ),
    "a container names a function of the catalogue": (
        lambda d: node(d)["containers"][1].update(function="paint"),
        "$.nodes[0].containers[1].function: found 'paint'; expected a name that the catalogue holds",
    ),
    "an invocation names a function of the catalogue": (
        lambda d: d["pending"][0].update(function="paint"),
        "$.pending[0].function: found 'paint'; expected a name that the catalogue holds",
    ),
    "names are compared exactly, without normalisation": (
        lambda d: (d["catalog"]["layers"][1].update(name="caf\u00e9"), node(d)["disk_layers"].update({"cafe\u0301": 0.0})),
        "$.nodes[0].disk_layers['cafe\u0301']: found 'cafe\u0301'; expected a name that the catalogue holds",
    ),
    "RAM is not overused": (
        lambda d: node(d).update(ram_bytes=100),
        "$.nodes[0].ram_bytes: found -1064; expected RAM in use within the capacity",
    ),
    "disk is not overused": (
        lambda d: node(d).update(disk_bytes=607),
        "$.nodes[0].disk_bytes: found -1; expected disk in use within the capacity",
    ),
    "invocations fit": (
        lambda d: node(d).update(max_invocations=1),
        "$.nodes[0].max_invocations: found -1; expected invocations within capacity",
    ),
    "containers fit": (
        lambda d: node(d).update(max_containers=1),
        "$.nodes[0].max_containers: found -1; expected containers within the positions",
    ),
    "ram_layers and loading are disjoint": (
        lambda d: node(d)["ram_layers"].update(app=3.0),
        "$.nodes[0].loading: found 'app'; expected a layer that is not in ram_layers",
    ),
    "ram_layers lies within disk_layers": (
        lambda d: node(d)["ram_layers"].update(model=3.0),
        "$.nodes[0].ram_layers: found 'model'; expected a layer of disk_layers",
    ),
    "loading lies within disk_layers": (
        lambda d: node(d)["loading"].append("model"),
        "$.nodes[0].loading: found 'model'; expected a layer of disk_layers",
    ),
    "copying and disk_layers are disjoint": (
        lambda d: node(d)["copying"].append("app"),
        "$.nodes[0].copying: found 'app'; expected a layer that is not in disk_layers",
    ),
    "a container's layers are resident": (
        lambda d: node(d)["containers"][1].update(function="classify"),
        "$.nodes[0].containers[1]: found 'app'; expected every layer of it resident on disk and in RAM",
    ),
    "in_flight fits the container": (
        lambda d: node(d)["containers"][0].update(in_flight=3),
        "$.nodes[0].containers[0].in_flight: found 3; expected at most max_invocations_per_container",
    ),
    "a starting container holds at most one": (
        lambda d: node(d)["containers"][1].update(in_flight=2),
        "$.nodes[0].containers[1].in_flight: found 2; expected at most 1 in a starting container",
    ),
    "a residency date is not after now": (
        lambda d: node(d)["ram_layers"].update(python=12.5),
        "$.nodes[0].ram_layers['python']: found 12.5; expected a date that is not after now",
    ),
    "a container's date is not after now": (
        lambda d: node(d)["containers"][0].update(last_used=13),
        "$.nodes[0].containers[0].last_used: found 13.0; expected a date that is not after now",
    ),
    "a submit date is not after now": (
        lambda d: d["pending"][0].update(submitted=12.1),
        "$.pending[0].submitted: found 12.1; expected a date that is not after now",
    ),
    "only an activated node holds containers": (
        lambda d: node(d).update(status="deactivating"),
        "$.nodes[0].containers: found 2 on a node that is deactivating; expected none unless activated",
    ),
    "only an activated node holds RAM layers": (
        lambda d: node(d).update(status="activating"),
        "$.nodes[0].ram_layers: found 1 on a node that is activating; expected none unless activated",
    ),
    "only an activated node loads": (
        lambda d: node(d).update(status="deactivated"),
        "$.nodes[0].loading: found 1 on a node that is deactivated; expected none unless activated",
    ),
    "only an activated node copies": (
        lambda d: node(d, 1).update(copying=["python"]),
        "$.nodes[1].copying: found 1 on a node that is deactivated; expected none unless activated",
    ),
}


def refused(document: Json) -> InvalidDocument:
    """Return the error with which a round document is refused."""
    with pytest.raises(InvalidDocument) as error:
        decode_round(json.dumps(document).encode())
    return error.value


@pytest.mark.parametrize(("spoil", "message"), RULES.values(), ids=RULES)
def test_a_rule_that_is_broken_is_told_with_its_place(document: Json, spoil: Spoil, message: str) -> None:
    """Formats, ROUND: every rule of validity has its message; the lone change that breaks it is the difference."""
    decode_round(json.dumps(document).encode())
    spoil(document)
    error = refused(document)
    assert message in [str(problem) for problem in error.problems]


@pytest.mark.parametrize(("spoil", "message"), RULES.values(), ids=RULES)
def test_a_path_begins_where_the_round_stands(case_document: Json, spoil: Spoil, message: str) -> None:
    """Formats: within a case every path, also one that a message mentions, goes through $.round."""
    spoil(case_document["round"])
    with pytest.raises(InvalidDocument) as error:
        decode_case(json.dumps(case_document).encode())
    assert message.replace("$.", "$.round.") in [str(problem) for problem in error.value.problems]


def test_all_breaches_are_told_at_once(document: Json) -> None:
    """Formats: dangling names hide no other problem, and none is told twice."""
    document["catalog"]["functions"][0]["image"] = "huge"
    document["nodes"][0]["containers"][0]["function"] = "paint"
    document["nodes"][0]["max_containers"] = 0
    document["pending"][0]["submitted"] = 99
    assert [problem.path for problem in refused(document).problems] == [
        "$.catalog.functions[0].image",
        "$.nodes[0].containers[0].function",
        "$.nodes[0].max_containers",
        "$.pending[0].submitted",
    ]


def test_the_breach_in_the_model_is_kept_as_the_cause(document: Json) -> None:
    """Formats: whoever wants the error class of each rule finds it behind the document's error."""
    document["pending"][0]["submitted"] = 99
    assert isinstance(refused(document).__cause__, InvalidState)


def test_paths_count_in_the_order_of_the_document(document: Json) -> None:
    """Formats: canonical order is ours; a message counts as the document does."""
    containers = document["nodes"][0]["containers"]
    containers.reverse()
    containers[0]["last_used"] = 99
    document["nodes"][0]["copying"] = ["ruby", "model"]
    assert [problem.path for problem in refused(document).problems] == [
        "$.nodes[0].copying[0]",
        "$.nodes[0].containers[0].last_used",
    ]


def test_lists_without_an_order_of_their_own_are_put_in_canonical_order(document: Json) -> None:
    """Model: layers stand in catalogue order, containers by ascending id, whatever order the document has."""
    first = document["nodes"][0]
    first["containers"].reverse()
    first["disk_layers"] = dict(reversed(first["disk_layers"].items()))
    first["copying"], first["loading"] = [], []
    document["nodes"][1].update(status="activated", copying=["model", "python"])
    state = decode_round(json.dumps(document).encode())
    assert [each.layer.name for each in state.nodes[0].disk_layers] == ["python", "app"]
    assert [each.id for each in state.nodes[0].containers] == [4, 7]
    assert [each.name for each in state.nodes[1].copying] == ["python", "model"]


def test_lists_whose_order_means_something_keep_it(document: Json) -> None:
    """Formats: layers of the catalogue (creation order), layers of an image, nodes and pending invocations stand as given."""
    document["catalog"]["layers"].reverse()
    document["catalog"]["images"][1]["layers"] = ["model", "python", "app"]
    document["nodes"].reverse()
    state = decode_round(json.dumps(document).encode())
    assert [each.name for each in state.catalog.layers] == ["model", "app", "python"]
    assert [each.name for each in state.catalog.images[1].layers] == ["model", "python", "app"]
    assert [each.name for each in state.nodes] == ["node-1", "node-0"]


def test_names_are_resolved_to_the_very_values_of_the_catalogue(document: Json) -> None:
    """Model: one layer is one value, wherever it is named."""
    state = decode_round(json.dumps(document).encode())
    [python] = [each for each in state.catalog.layers if each.name == LayerName("python")]
    assert state.catalog.images[0].layers[0] is python
    assert state.nodes[0].disk_layers[0].layer is python
    assert state.nodes[0].containers[0].function.image.layers[0] is python


def test_a_round_names_its_source_and_line_when_told() -> None:
    """Formats: an error says where; for a file, that begins with its name."""
    with pytest.raises(InvalidDocument) as error:
        decode_round(b"[", source="round.json")
    assert str(error.value).startswith("round.json: $[0]: found the end of the document")
    with pytest.raises(InvalidDocument) as error:
        decode_round(b"{}", source="rounds.jsonl", line=3)
    assert str(error.value).startswith("rounds.jsonl:3: 4 problems\n  $.now: found no such key")
    assert (error.value.source, error.value.line) == ("rounds.jsonl", 3)


def test_a_long_list_of_problems_is_told_in_the_order_of_the_document(document: Json) -> None:
    """Each list is put into canonical order once, not once for each of its problems: that would take hours."""
    names = [f"layer-{number}" for number in range(20_000)]
    document["nodes"][0]["disk_layers"] = dict.fromkeys(reversed(names), 0.0)
    with pytest.raises(InvalidDocument) as refused:
        decode_round(json.dumps(document).encode())
    paths = [problem.path for problem in refused.value.problems]
    assert set(paths) >= {f"$.nodes[0].disk_layers[{name!r}]" for name in names}
