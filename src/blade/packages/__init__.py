"""BLADE-ready packages: an analysis skill, comparable rollouts and golden reports, and what is done with them."""
