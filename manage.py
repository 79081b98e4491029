#!/usr/bin/env python
"""Django's command line; `./crowdwright` calls it inside its own environment."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")
    from django.core.management import execute_from_command_line

    # The name stands in usage lines; `sys.argv` stays, for what starts the same command again.
    execute_from_command_line(["crowdwright", *sys.argv[1:]])


if __name__ == "__main__":
    main()
