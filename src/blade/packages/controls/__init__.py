"""Reports that must not score well, made from a golden one: the shallow baseline, and copies that were tampered with.

The scorer knows nothing of this room, and this room nothing of the scorer: a control that it takes for good is a finding about it.
"""
