"""The commands: parsing, exit codes and terminal output. No logic lives here."""
