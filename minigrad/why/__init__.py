"""Why: a gradient as the sum over the paths that lead to it."""
