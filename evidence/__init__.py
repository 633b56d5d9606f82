"""Simulations that hold the estimators to their bounds; published in `docs/evidence/` with the sources they speak of."""
