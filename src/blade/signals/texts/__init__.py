"""What texts hold: numbers, days, spans, where a value was seen and what follows from others."""
