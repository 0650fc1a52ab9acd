"""The entry point: a group of verbs that are imported when they are called, and the one place where errors become messages."""

import importlib
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import click

from gaugeblock.version import __version__


class Verb(NamedTuple):
    """Where the command of a verb is found, and the line that the list of verbs shows for it."""

    module: str
    summary: str


VERBS: Final[Mapping[str, Verb]] = {
    "check": Verb("gaugeblock.cli.check", "Evaluate the clauses on decisions that somebody made."),
    "clauses": Verb("gaugeblock.cli.clauses", "Print the clauses, each with its code, tests, cases and theorems."),
    "conform": Verb("gaugeblock.cli.conform", "Judge a scheduler on cases; without a command, gaugeblock itself."),
    "decide": Verb("gaugeblock.cli.decide", "Read a round, print what the reference decides."),
    "explain": Verb("gaugeblock.cli.explain", "Read a round, tell how the reference comes to its decisions."),
    "replay": Verb("gaugeblock.cli.replay", "Run a history through the reference service, every clause evaluated."),
    "prove": Verb("gaugeblock.cli.prove", "Prove the theorems about the shipped code, or refute its mutants."),
    "schema": Verb("gaugeblock.cli.schema", "Print the JSON Schemas of the documents."),
    "serve": Verb("gaugeblock.cli.serve", "Be a subject: answer rounds on standard input, one a line."),
    "simulate": Verb("gaugeblock.cli.simulate", "Run a workload through the service; say and draw what became of it."),
}
"""Every verb. Each module has a click command named ``command``."""

BAD_INPUT: Final = 2
NOT_RUNNABLE: Final = 3
INTERRUPTED: Final = 130
PIPE_CLOSED: Final = 141


class LazyGroup(click.Group):
    """A group that imports the module of a verb only to run it or to show its own help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order of the table."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return the command of a verb; None if there is no such verb."""
        if cmd_name not in VERBS:
            return None
        command: click.Command = importlib.import_module(VERBS[cmd_name].module).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs without importing any."""
        with formatter.section("Verbs"):
            formatter.write_dl([(name, verb.summary) for name, verb in VERBS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="gaugeblock", message="%(prog)s %(version)s")
def cli() -> None:
    """Hold a serverless scheduler against the checked reference of WRENCH's GreedyServerlessScheduler.

    Exit status: 0 all is well; 1 it is not (not conformant, not proved); 2 bad usage or bad input; 3 the subject could not be
    run; 130 interrupted.
    """


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its status; whatever goes wrong becomes one message on standard error."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # it was closed before we began
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")  # names may hold what the terminal's encoding does not
    sys.exit(_status(arguments))


def _status(arguments: Sequence[str] | None) -> int:
    try:
        status = cli.main(arguments, prog_name="gaugeblock", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("gaugeblock: interrupted", err=True)
        return INTERRUPTED
    except SystemExit:  # so click and rich leave when the reader of a pipe has gone, and nobody else does
        return _unwritten(BrokenPipeError())
    except OSError as error:
        return _unwritten(error)
    except Exception as error:
        return _refused(error)
    return status if isinstance(status, int) else 0


def _unwritten(error: OSError) -> int:
    """Say why standard output takes nothing more, unless its reader has seen enough; what is left in the buffer is dropped."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):
        return PIPE_CLOSED
    click.echo(f"gaugeblock: {error.strerror or error}; expected to write the whole output", err=True)
    return BAD_INPUT


def _refused(error: Exception) -> int:
    """Print the message of an error that gaugeblock raises on purpose; raise any other one again, for it is a defect."""
    from gaugeblock.conformance.errors import SubjectNotRunnable  # not needed to start
    from gaugeblock.conformance.texts import printable
    from gaugeblock.model import GaugeblockError

    if not isinstance(error, GaugeblockError):
        raise error
    click.echo(f"gaugeblock: {printable(str(error))}", err=True)
    return NOT_RUNNABLE if isinstance(error, SubjectNotRunnable) else BAD_INPUT
