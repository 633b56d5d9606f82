"""Claims: every number of a report, with the query that gives it and the estimator that takes the result."""
