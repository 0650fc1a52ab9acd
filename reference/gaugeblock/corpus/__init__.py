"""The embedded corpus: real and derived cases with a manifest, compressed and hashed, and how to load them."""

from gaugeblock.corpus.errors import CorpusDamaged, UnknownCase, UnknownFamily
from gaugeblock.corpus.loading import find, iterate, load, manifest
from gaugeblock.corpus.manifest import CaseEntry, CorpusFile, Family, Manifest, Provenance

__all__ = [
    "CaseEntry",
    "CorpusDamaged",
    "CorpusFile",
    "Family",
    "Manifest",
    "Provenance",
    "UnknownCase",
    "UnknownFamily",
    "find",
    "iterate",
    "load",
    "manifest",
]
