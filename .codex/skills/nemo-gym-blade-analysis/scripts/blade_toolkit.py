"""The package commands of BLADE under the script's name: `blade_toolkit.py validate …` is `blade package validate …`.

Subcommands: validate, extract-anchor-facts, make-shallow, score, calibrate. `--help` after each lists its options.
"""

import sys

COMMANDS = ("validate", "extract-anchor-facts", "make-shallow", "score", "calibrate")
INSTALL = (
    "blade_toolkit.py: BLADE is not installed for this Python; call it with `uv run python`, or install it (pip install -e .)"
)


def main(arguments: list[str]) -> None:
    if not arguments or arguments[0] in ("-h", "--help"):
        print(f"{(__doc__ or '').strip()}")
        return
    if arguments[0] not in COMMANDS:
        sys.exit(_refuse(f"blade_toolkit.py: no such command {arguments[0]!r}; there are {', '.join(COMMANDS)}"))
    try:
        from blade.cli.main import main as blade
    except ModuleNotFoundError:
        sys.exit(_refuse(INSTALL))
    blade(["package", *arguments])


def _refuse(message: str) -> int:
    print(message, file=sys.stderr)
    return 2


if __name__ == "__main__":
    main(sys.argv[1:])
