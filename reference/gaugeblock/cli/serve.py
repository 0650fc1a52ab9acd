"""``gaugeblock serve``: gaugeblock itself as a subject, for those who build a harness of their own."""

import sys

import click

from gaugeblock.conformance.serving import serve
from gaugeblock.conformance.subjects import named


@click.command("serve")
@click.option("--subject", "subject_name", default="reference", show_default=True, help="Which one; or module:attribute.")
def command(subject_name: str) -> None:
    """Speak the subject protocol on standard input and output, one JSON message a line, until told to stop."""
    serve(named(subject_name), sys.stdin.buffer, sys.stdout.buffer)
