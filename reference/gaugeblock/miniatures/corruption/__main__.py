"""``python -m gaugeblock.miniatures.corruption [--rounds N] [--first SEED] [--most N]``; exit status 1 if any survives."""

import argparse
import sys

from gaugeblock.miniatures.corruption.campaign import campaign, lines


def main(arguments: list[str]) -> int:
    """Run a campaign and print what was caught, what survived, and by which clause."""
    parser = argparse.ArgumentParser(
        prog="python -m gaugeblock.miniatures.corruption", description="Look for holes in the clauses."
    )
    parser.add_argument("--rounds", type=int, default=200, help="how many seeded rounds to corrupt")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--most", type=int, default=25, help="how many corruptions to try in a round")
    options = parser.parse_args(arguments)
    tally = campaign(range(options.first, options.first + options.rounds), options.most)
    print("\n".join(lines(tally)))
    for survivor in tally.survivors[:20]:
        print(f"seed {survivor.seed}: {survivor.corruption}")
    return 1 if tally.survivors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
