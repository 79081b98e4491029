#!/usr/bin/env python
"""Django's command line; `./crowdwright` calls it inside its own environment."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")
    from django.core.management import execute_from_command_line

    try:
        # The name stands in usage lines; `sys.argv` stays, for what starts the same command again.
        execute_from_command_line(["crowdwright", *sys.argv[1:]])
        sys.stdout.flush()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # Whoever read along has enough, as `head` does; nothing more can be written there, at the end neither.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


if __name__ == "__main__":
    main()
