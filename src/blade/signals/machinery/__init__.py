"""IR: what ran the model, the tools or the sandbox failed."""
