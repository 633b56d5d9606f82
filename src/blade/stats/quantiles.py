"""Quantiles of the normal and Student distributions, with scipy imported on first use: a light command never pays for it."""


def student_quantile(probability: float, degrees: float) -> float:
    """t with P(X <= t) = probability for Student's X with these degrees of freedom."""
    from scipy.special import stdtrit

    return float(stdtrit(degrees, probability))


def normal_quantile(probability: float) -> float:
    """z with P(X <= z) = probability for a standard normal X."""
    from scipy.special import ndtri

    return float(ndtri(probability))
