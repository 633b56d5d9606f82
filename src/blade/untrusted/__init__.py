"""Rollouts are hostile text and may carry secrets.

`limits` makes them safe to read, `escapes` safe to show, `redaction` safe to pass on.
"""
