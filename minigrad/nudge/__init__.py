"""Nudge: what comes out if inputs are nudged, beside what the gradient promised."""
