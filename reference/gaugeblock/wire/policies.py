"""Policies on the wire: the name of a policy for each kind, its parameters beside it.

A parameter is a scalar, or a map from names of functions to counts. Whether a policy of that name exists and takes those
parameters is for whoever installs it to say.
"""

import msgspec
from msgspec import UNSET

from gaugeblock.model import ParameterValue, PolicyKind, PolicyName, PolicyNames
from gaugeblock.wire.diagnosis import describe
from gaugeblock.wire.documents import Parameter, PoliciesDocument
from gaugeblock.wire.errors import DocumentProblem, InvalidDocument
from gaugeblock.wire.reading import read_as

DEFAULTS = PolicyNames()


def decode_policies(data: bytes, *, source: str | None = None, line: int | None = None) -> PolicyNames:
    """Return the policies that a document names, the default where it names none.

    Raises:
        InvalidDocument: with all that is wrong with it.
    """
    return read_as(PoliciesDocument, data, policy_names, source, line)


def encode_policies(policies: PolicyNames) -> bytes:
    """Return the document that names ``policies``: compact JSON, the defaults left out."""
    return msgspec.json.encode(policies_document(policies))


def policy_names(document: PoliciesDocument, path: str = "$") -> PolicyNames:
    """Return the policies that ``document``, which stands at ``path``, names.

    Raises:
        InvalidDocument: when an entry has no name, or one that is no string.
    """
    entries = {kind.value: getattr(document, kind.value) for kind in PolicyKind}
    named = {kind: entry for kind, entry in entries.items() if entry is not UNSET}
    problems = tuple(
        [
            DocumentProblem(f"{path}.{kind}.name", describe(entry["name"]) if "name" in entry else "no such key", "a string")
            for kind, entry in named.items()
            if not isinstance(entry.get("name"), str)
        ]
    )
    if problems:
        raise InvalidDocument(problems)
    return PolicyNames(**{kind: _policy_name(entry) for kind, entry in named.items()})


def policies_document(policies: PolicyNames) -> PoliciesDocument:
    """Return the document that names ``policies``, the defaults left out."""
    named = {kind.value: getattr(policies, kind.value) for kind in PolicyKind}
    return PoliciesDocument(**{kind: _entry(policy) for kind, policy in named.items() if policy != getattr(DEFAULTS, kind)})


def _policy_name(entry: dict[str, Parameter]) -> PolicyName:
    parameters = tuple([(key, _value(parameter)) for key, parameter in entry.items() if key != "name"])
    return PolicyName(str(entry["name"]), parameters)


def _value(parameter: Parameter) -> ParameterValue:
    return tuple(parameter.items()) if isinstance(parameter, dict) else parameter


def _entry(policy: PolicyName) -> dict[str, Parameter]:
    entry: dict[str, Parameter] = {"name": policy.name}
    for key, value in policy.parameters:
        entry[key] = dict(value) if isinstance(value, tuple) else value
    return entry
