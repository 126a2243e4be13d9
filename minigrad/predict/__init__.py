"""Predict: questions that are asked before a step is shown, and what is said to wrong answers."""
