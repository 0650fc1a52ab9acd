"""``gaugeblock serve``: gaugeblock itself as a subject, for those who build a harness of their own."""

import sys

import click

from gaugeblock.conformance.serving import serve
from gaugeblock.conformance.subjects import OPTIMIZED, REFERENCE, Transcribing, named


@click.command("serve")
@click.option("--subject", "subject_name", metavar="NAME", help="Instead of the reference: miniature:NAME, module:attribute.")
@click.option("--optimized", is_flag=True, help="Instead of the reference: the optimized model.")
@click.option("--transcript", is_flag=True, help="Add to each answer the policy calls that led to it.")
@click.option("--states", is_flag=True, help="Add to each call of the transcript the whole working state that was passed.")
def command(subject_name: str | None, optimized: bool, transcript: bool, states: bool) -> None:
    """Speak the subject protocol on standard input and output, one JSON message a line, until told to stop."""
    if states and not transcript:
        raise click.UsageError("--states adds to the transcript; give --transcript with it.")
    if optimized and subject_name is not None:
        raise click.UsageError("--optimized names the subject already; give no --subject with it.")
    name = OPTIMIZED if optimized else REFERENCE if subject_name is None else subject_name
    transcribing = Transcribing.STATES if states else Transcribing.CALLS if transcript else Transcribing.NOTHING
    serve(named(name, transcribing), sys.stdin.buffer, sys.stdout.buffer)
