"""The command line of the fuzzer."""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from importlib import import_module

INTERRUPTED = 130
"""The exit code after Ctrl-C, as in shells."""

TARGETS = {
    "texts": ("fuzz.inputs", "texts", "every parser of text"),
    "arrays": ("fuzz.inputs", "arrays", "Position.from_array, and every function of tabula.batch and tabula.features"),
    "pickles": ("fuzz.inputs", "pickles", "pickles with changes"),
    "rules": ("fuzz.inputs", "rules", "fields of Rules"),
    "structs": ("fuzz.structs", "structs", "arbitrary bytes for the C interface"),
    "fast": (
        "fuzz.differential",
        "fast_and_general",
        "listing, counting and picking against the search through every line",
    ),
    "reference": ("fuzz.differential", "native_and_reference", "the native generator against the reference in Python"),
}


def main() -> int:
    """Runs one target, and returns 1 if it found something."""
    targets = "\n".join(f"  {name:<10} {what}" for name, (*_, what) in TARGETS.items())
    parser = argparse.ArgumentParser(
        prog="python -m fuzz", description=f"targets:\n{targets}", formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--seconds", type=float, default=60, help="how long (default 60)")
    parser.add_argument("--rounds", type=int, help="how many rounds, instead of a time")
    parser.add_argument("--seed", type=int, default=1, help="the seed and a round's number decide what the round tries (default 1)")
    parser.add_argument("--first", type=int, default=0, help="the round to begin with (default 0)")
    args = parser.parse_args()
    if args.rounds is not None and args.rounds < 1:
        parser.error(f"--rounds must be 1 or more, not {args.rounds}")
    if not args.seconds > 0:
        parser.error(f"--seconds must be more than 0, not {args.seconds}")
    module, function, _ = TARGETS[args.target]
    attempt = getattr(import_module(module), function)
    interrupted = False
    cases, began, number, next_report = 0, time.monotonic(), args.first, 60.0
    while number - args.first < args.rounds if args.rounds is not None else time.monotonic() - began < args.seconds:
        try:
            cases += attempt(random.Random(f"{args.seed} {number}"))
        except KeyboardInterrupt:
            interrupted = True
            break
        except BaseException:
            traceback.print_exc()
            print(f"found: python -m fuzz {args.target} --seed {args.seed} --first {number} --rounds 1", file=sys.stderr)
            return 1
        number += 1
        if time.monotonic() - began > next_report:
            print(f"{args.target}: {cases:,} cases, rounds {args.first}..{number - 1}", flush=True)
            next_report += 60
    took = time.monotonic() - began
    print(f"{args.target}: {cases:,} cases in {took:.0f} s, seed {args.seed}, rounds {args.first}..{number - 1}: nothing found")
    return INTERRUPTED if interrupted else 0


if __name__ == "__main__":
    sys.exit(main())
