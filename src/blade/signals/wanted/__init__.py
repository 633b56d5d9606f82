"""What a task wants: expected calls, answers, checks, and how a request says it; where they stand in a row, and what was made of them."""
