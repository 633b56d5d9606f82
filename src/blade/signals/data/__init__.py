"""DA: the prompt, what it comes with, or the gold is at fault."""
