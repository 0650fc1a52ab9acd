"""Types, ranges and keys: what each value of a document may be (formats, first lines and ROUND)."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from gaugeblock.model import LARGEST_INTEGER
from gaugeblock.wire.errors import InvalidDocument
from gaugeblock.wire.rounds import decode_round

Json = dict[str, Any]
INTEGER_FIELDS = {
    "$.catalog.layers[0].disk_bytes": lambda document: (document["catalog"]["layers"][0], "disk_bytes"),
    "$.catalog.layers[0].ram_bytes": lambda document: (document["catalog"]["layers"][0], "ram_bytes"),
    "$.catalog.functions[0].ram_bytes": lambda document: (document["catalog"]["functions"][0], "ram_bytes"),
    "$.catalog.functions[0].disk_bytes": lambda document: (document["catalog"]["functions"][0], "disk_bytes"),
    "$.nodes[0].ram_bytes": lambda document: (document["nodes"][0], "ram_bytes"),
    "$.nodes[0].disk_bytes": lambda document: (document["nodes"][0], "disk_bytes"),
    "$.nodes[0].max_invocations": lambda document: (document["nodes"][0], "max_invocations"),
    "$.nodes[0].max_containers": lambda document: (document["nodes"][0], "max_containers"),
    "$.nodes[0].containers[0].id": lambda document: (document["nodes"][0]["containers"][0], "id"),
    "$.nodes[0].containers[0].in_flight": lambda document: (document["nodes"][0]["containers"][0], "in_flight"),
    "$.pending[0].id": lambda document: (document["pending"][0], "id"),
}
DATE_FIELDS = {
    "$.now": lambda document: (document, "now"),
    "$.nodes[0].disk_layers['python']": lambda document: (document["nodes"][0]["disk_layers"], "python"),
    "$.nodes[0].ram_layers['python']": lambda document: (document["nodes"][0]["ram_layers"], "python"),
    "$.nodes[0].containers[1].last_used": lambda document: (document["nodes"][0]["containers"][1], "last_used"),
    "$.pending[0].submitted": lambda document: (document["pending"][0], "submitted"),
}
NOT_INTEGERS = {
    "true": "true",
    "1.0": "1.0",
    '"1"': "'1'",
    "null": "null",
    "[1]": "a list of 1",
    "-1": "-1",
    "9223372036854775808": "9223372036854775808",
    "1e400": "a number beyond the range of double precision",
    "9" * 4000: "an integer of about 4000 digits",
}
NOT_DATES = {
    "false": "false",
    '"1"': "'1'",
    "null": "null",
    "{}": "an object of 0 keys",
    "1e400": "a number beyond the range of double precision",
    "-1e400": "a number beyond the range of double precision",
    "9" * 400: "an integer of about 400 digits",
}
Locate = Callable[[Json], tuple[Json, str]]


def refusal(document: object) -> str:
    """Return the message with which a round document is refused."""
    with pytest.raises(InvalidDocument) as refused:
        decode_round(json.dumps(document).encode())
    return str(refused.value)


def with_text(document: Json, locate: Locate, text: str) -> bytes:
    """Return the document with the JSON ``text`` as the value at one place."""
    holder, key = locate(document)
    holder[key] = "THE VALUE"
    return json.dumps(document).replace('"THE VALUE"', text).encode()


@pytest.mark.parametrize("text", NOT_INTEGERS)
@pytest.mark.parametrize("path", INTEGER_FIELDS)
def test_an_integer_field_takes_nothing_but_integers_in_range(document: Json, path: str, text: str) -> None:
    """Formats: floats where integers are due, and integers outside 0 .. 2^63-1, are errors that say where and what was due."""
    with pytest.raises(InvalidDocument) as refused:
        decode_round(with_text(document, INTEGER_FIELDS[path], text))
    assert str(refused.value) == f"{path}: found {NOT_INTEGERS[text]}; expected an integer from 0 to 2^63-1"


@pytest.mark.parametrize("text", NOT_DATES)
@pytest.mark.parametrize("path", DATE_FIELDS)
def test_a_date_field_takes_nothing_but_finite_numbers(document: Json, path: str, text: str) -> None:
    """Formats: NaN and Infinity are errors, and so is a literal that would become one."""
    with pytest.raises(InvalidDocument) as refused:
        decode_round(with_text(document, DATE_FIELDS[path], text))
    assert str(refused.value) == f"{path}: found {NOT_DATES[text]}; expected a finite number"


@pytest.mark.parametrize("size", [0, 2**53 + 1, LARGEST_INTEGER])
def test_integers_are_exact_up_to_the_largest(document: Json, size: int) -> None:
    """Formats: 0, 2^53+1 and 2^63-1 are taken as they stand."""
    document["nodes"][1]["ram_bytes"] = size
    assert decode_round(json.dumps(document).encode()).nodes[1].ram_bytes == size


def test_an_integer_is_taken_for_a_date(document: Json) -> None:
    """Formats: a date is any number; 12 means 12.0, and it becomes a float."""
    document["now"] = 12
    now = decode_round(json.dumps(document).encode()).now
    assert (type(now), now) == (float, 12.0)


@pytest.mark.parametrize("text", ["0", "-1", "0.5"])
def test_a_container_holds_at_least_one_invocation(document: Json, text: str) -> None:
    """Formats: max_invocations_per_container is at least 1."""
    document["catalog"]["functions"][0]["max_invocations_per_container"] = json.loads(text)
    path = "$.catalog.functions[0].max_invocations_per_container"
    assert refusal(document) == f"{path}: found {text}; expected an integer from 1 to 2^63-1"


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda d: d.update(nodes={}), "$.nodes: found an object of 0 keys; expected a list"),
        (lambda d: d.update(catalog=[]), "$.catalog: found a list of 0; expected an object"),
        (lambda d: d["nodes"].append("x"), "$.nodes[2]: found 'x'; expected an object"),
        (lambda d: d["nodes"][0].update(name=7), "$.nodes[0].name: found 7; expected a string"),
        (lambda d: d["nodes"][0].update(copying=[None]), "$.nodes[0].copying[0]: found null; expected a string"),
        (lambda d: d["nodes"][0].update(disk_layers=["app"]), "$.nodes[0].disk_layers: found a list of 1; expected an object"),
        (
            lambda d: d["nodes"][0].update(status="active"),
            "$.nodes[0].status: found 'active'; expected one of 'activated', 'activating', 'deactivating', 'deactivated'",
        ),
        (
            lambda d: d["nodes"][0]["containers"][0].update(status="idle"),
            "$.nodes[0].containers[0].status: found 'idle'; expected one of 'starting', 'ready'",
        ),
        (lambda d: d["nodes"][0]["containers"][0].update(status=1), "found 1; expected one of 'starting', 'ready'"),
    ],
)
def test_a_value_of_another_type_is_refused(document: Json, spoil: Callable[[Json], None], message: str) -> None:
    """Formats: every value has its documented type, and the message names the place and that type."""
    spoil(document)
    assert message in refusal(document)


def test_an_unknown_key_is_refused(document: Json) -> None:
    """Formats: unknown keys are errors."""
    document["pending"][0]["priority"] = 1
    assert refusal(document) == "$.pending[0].priority: found an unknown key; expected one of the keys id, function, submitted"


def test_an_unknown_key_that_is_no_plain_word_is_quoted_in_the_path(document: Json) -> None:
    """Formats: the path stays readable whatever the key is."""
    document["x y"] = 1
    assert refusal(document).startswith("$['x y']: found an unknown key; expected one of the keys now, catalog, nodes, pending")


def _objects(value: object, path: str = "$") -> list[tuple[Json, str]]:
    """Return every object of a document that has fixed keys, with its path."""
    found: list[tuple[Json, str]] = []
    if isinstance(value, dict):
        found.append((value, path))
        children = [(child, f"{path}.{key}") for key, child in value.items() if key not in ("disk_layers", "ram_layers")]
    else:
        children = [(child, f"{path}[{index}]") for index, child in enumerate(value)] if isinstance(value, list) else []
    return found + [each for child, where in children for each in _objects(child, where)]


def test_every_key_of_a_round_is_required(document: Json) -> None:
    """Formats: a round leaves nothing out; the message names the missing key's place and what is due there."""
    checked = 0
    for holder, path in _objects(document):
        for key in tuple(holder):
            value = holder.pop(key)
            assert refusal(document).startswith(f"{path}.{key}: found no such key; expected ")
            holder[key] = value
            checked += 1
    assert checked > 60


@pytest.mark.parametrize("value", [None, True, 1, 1.5, "x", []])
def test_a_document_is_an_object(value: object) -> None:
    """Formats: anything else is refused at the root."""
    assert refusal(value).startswith("$: found ")
    assert refusal(value).endswith("; expected an object")


def test_all_problems_of_type_and_range_are_told_at_once(document: Json) -> None:
    """Formats: whoever mends a document sees everything that is wrong in one go, in the order of the document."""
    document["extra"] = 1
    document["catalog"]["layers"][1]["disk_bytes"] = -1
    document["nodes"][0]["containers"][0]["id"] = 1.0
    del document["nodes"][1]["status"]
    assert refusal(document).splitlines() == [
        "4 problems",
        "  $.extra: found an unknown key; expected one of the keys now, catalog, nodes, pending",
        "  $.catalog.layers[1].disk_bytes: found -1; expected an integer from 0 to 2^63-1",
        "  $.nodes[0].containers[0].id: found 1.0; expected an integer from 0 to 2^63-1",
        "  $.nodes[1].status: found no such key; expected one of 'activated', 'activating', 'deactivating', 'deactivated'",
    ]


def test_many_problems_are_counted_rather_than_listed(document: Json) -> None:
    """Formats: the message stays readable when everything is wrong; the error's field still holds all."""
    document["nodes"] = [None] * 1000
    message = refusal(document)
    assert message.splitlines()[0] == "1000 problems"
    assert message.splitlines()[-1] == "  and 990 more problems"
    assert len(message.splitlines()) == 12


def test_long_names_are_shortened_in_messages(document: Json) -> None:
    """Formats: a name of 10^5 characters, as a value or in the path, does not flood the message."""
    document["nodes"][0]["status"] = "s" * 100_000
    document["nodes"][0]["disk_layers"]["k" * 100_000] = None
    message = refusal(document)
    assert "more characters" in message
    assert len(message) < 1000
