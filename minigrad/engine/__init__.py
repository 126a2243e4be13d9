"""The engine: tensors and ops, the graph that records them, and the backward pass; numpy alone.

Read it from the top; each module is built on those above it::

    errors      what is refused, in one tree
    checks      what every door asks of what it is given
    values      the numbers of a tensor: real, floating, never changed
    call_site   where in the learner's code something was called
    recorders   who records what an operator does
    ops/        base, registry and spelling first; then each op, its forward beside its backward
    numpy_calls what numpy and math may do with a tensor
    operators   a + b, a.tanh() and the like: other ways to call an op
    tensor      numbers that may ask for a gradient
    op_state    whether an op keeps something of a call on itself
    forward     an op is run, and nothing recorded
    no_grad     a stretch of code in which nothing is recorded
    node        the note that a call leaves behind
    scopes      names for stretches of nodes
    graph       the history: a flat list of nodes
    arguments   what is accepted as a graph, an output, a seed, an order
    order       in which order the nodes are visited
    gradients   of one pass: made to fit, and written at its end
    backward    the loop of the backward pass
    replay      the forward pass once more, on other leaves
    nonfinite   where a nan or an infinity came from
    slopes      how steep a function is, as far as that can be measured
    gradcheck   whether a gradient is the one that can be measured

An underscore means that others don't look, but for three fields of `Tensor` and two of `GraphNode`:
they are read or set where that happens for every op, and it says so where they are declared.
"""
