"""Fold: scopes, and what repeats, as one box and one step each."""
