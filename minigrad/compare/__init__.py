"""Compare: two traces side by side, stepped together, with what differs marked."""
