"""The faults that are planted: what they are called, which cause they have, where they fit, and how each is brought about."""
