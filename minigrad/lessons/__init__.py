"""The checks, hints and solutions behind the notebooks."""

from minigrad.lessons import start_here
from minigrad.lessons.environment import check_environment

__all__ = ["check_environment", "start_here"]
