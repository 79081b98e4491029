"""Runs the benchmarks: `.venv/bin/python -m tests.benchmarks [--quick] [--only pages loop] [--json FILE]`."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from tests.benchmarks.parts import FULL, PARTS, QUICK
from tests.benchmarks.report import machine, markdown


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small and short: shows that it works, proves nothing")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), help="only these parts")
    parser.add_argument("--json", type=Path, help="write the figures there")
    parser.add_argument("--from-json", type=Path, help="measure nothing: make the tables of figures written before")
    options = parser.parse_args()
    if options.from_json:
        print(markdown(json.loads(options.from_json.read_text())))
        return
    found: dict = {"machine": machine(), "quick": options.quick}
    for name in options.only:
        began = time.monotonic()
        found[name] = PARTS[name](QUICK if options.quick else FULL, say)
        say(f"{name}: done in {time.monotonic() - began:.0f} s")
        if options.json:
            options.json.write_text(json.dumps(found, indent=2) + "\n")
    print(markdown(found))


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
