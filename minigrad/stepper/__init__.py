"""The stepper and the live graph: what is seen and pressed in a notebook."""
