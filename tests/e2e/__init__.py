"""The real commands, driven as a user drives them."""
