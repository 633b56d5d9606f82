"""The evaluation loop: what makes the artifacts that the rest of BLADE reads."""
