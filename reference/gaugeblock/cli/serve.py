"""``gaugeblock serve``: gaugeblock itself as a subject, for those who build a harness of their own."""

import sys

import click

from gaugeblock.conformance.serving import serve
from gaugeblock.conformance.subjects import Transcribing, named


@click.command("serve")
@click.option("--subject", "subject_name", default="reference", show_default=True, help="Or miniature:NAME, module:attribute.")
@click.option("--transcript", is_flag=True, help="Add to each answer the policy calls that led to it.")
@click.option("--states", is_flag=True, help="Add to each call of the transcript the whole working state that was passed.")
def command(subject_name: str, transcript: bool, states: bool) -> None:
    """Speak the subject protocol on standard input and output, one JSON message a line, until told to stop."""
    if states and not transcript:
        raise click.UsageError("--states adds to the transcript; give --transcript with it.")
    transcribing = Transcribing.STATES if states else Transcribing.CALLS if transcript else Transcribing.NOTHING
    serve(named(subject_name, transcribing), sys.stdin.buffer, sys.stdout.buffer)
