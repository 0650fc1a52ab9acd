"""Policies on the command line: ``--policy KIND=NAME,PARAMETER=VALUE...``."""

from typing import Any, Final

from gaugeblock.cli.errors import InvalidOption
from gaugeblock.model import PolicyKind, PolicyName, PolicyNames, replace
from gaugeblock.wire.documents import PoliciesDocument
from gaugeblock.wire.errors import InvalidDocument
from gaugeblock.wire.parsing import parse
from gaugeblock.wire.policies import policy_names
from gaugeblock.wire.reading import shaped

FORM: Final = "KIND=NAME, KIND=NAME,PARAMETER=VALUE or KIND={...} as in a document"


def with_options(policies: PolicyNames, options: tuple[str, ...]) -> PolicyNames:
    """Return ``policies`` with each option's policy in the place of its kind; a later option of a kind wins.

    Raises:
        InvalidOption: when an option does not have its form.
    """
    for option in options:
        kind, name = _parsed(option)
        policies = replace(policies, **{kind.value: name})
    return policies


def _parsed(option: str) -> tuple[PolicyKind, PolicyName]:
    key, equals, text = option.partition("=")
    kinds = {kind.value: kind for kind in PolicyKind}
    if key not in kinds:
        raise InvalidOption(f"--policy {option}: found the kind {key!r}; expected one of {', '.join(kinds)}")
    if not equals or not text:
        raise InvalidOption(f"--policy {option}: found no name; expected {FORM}")
    try:
        entry = parse(text.encode()) if text.startswith("{") else _entry(option, text)
        names = policy_names(shaped({key: entry}, PoliciesDocument))
    except InvalidDocument as error:
        raise InvalidOption(f"--policy {option}: {error}") from error
    named: PolicyName = getattr(names, key)
    return kinds[key], named


def _entry(option: str, text: str) -> dict[str, Any]:
    name, *parameters = text.split(",")
    entry: dict[str, Any] = {"name": name}
    for parameter in parameters:
        key, equals, value = parameter.partition("=")
        if not equals or not key or key in entry:
            raise InvalidOption(f"--policy {option}: found {parameter!r}; expected {FORM}, each parameter once")
        entry[key] = _scalar(value)
    return entry


def _scalar(text: str) -> object:
    """Return a number or truth value where the text is one in JSON, otherwise the text itself."""
    try:
        value = parse(text.encode())
    except InvalidDocument:
        return text
    return value if isinstance(value, (int, float)) else text
