"""The engine: tensors and ops, the graph that records them, and the backward pass; numpy alone.

Read it in this order: `values`, `ops`, `tensor`, `recorders`, `forward`, `node`, `graph`, `order`,
`gradients`, `backward`.
"""
