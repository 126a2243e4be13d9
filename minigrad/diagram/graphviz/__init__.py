"""The room that talks to Graphviz, which works in processes of its own."""
