"""TI: whoever judged is at fault, or said so; and whom a row itself blames."""
