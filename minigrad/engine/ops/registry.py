"""`OpRegistry`: from the name of an op to the object that runs it both ways."""

from __future__ import annotations

from minigrad.engine.errors import OpError, UnregisteredOpError, told
from minigrad.engine.ops.base import Differentiable


class OpRegistry:
    """Maps the name of an op to its `Differentiable`.

    The check for an unknown name is an ordinary error, never an ``assert``: it is
    there under ``python -O`` too.

    Examples
    --------
    >>> import minigrad as mg
    >>> mg.registry.get("mul").symbol
    '×'
    >>> mg.OpRegistry().names()
    []
    """

    def __init__(self) -> None:
        self._ops: dict[str, Differentiable] = {}

    def register(self, name: str, op: Differentiable) -> None:
        """Make `op` known as `name`; an op already known by that name is replaced.

        Nodes that were recorded before keep the op they were recorded with.

        Raises
        ------
        OpError
            If `name` is not a non-empty string or `op` is not an instance of `Differentiable`.
        """
        if not isinstance(name, str) or not name:
            raise OpError(f"an op's name must be a non-empty string, not {told(name)}")
        if isinstance(op, type) and issubclass(op, Differentiable):
            raise OpError(
                f"register an instance of the op, not its class: "
                f"registry.register({told(name)}, {op.__name__}())"
            )
        if not isinstance(op, Differentiable):
            raise OpError(
                f"an op must be an instance of a subclass of Differentiable, with a forward "
                f"and a backward; {told(name)} was given {told(op)}"
            )
        _check_description(name, op)
        self._ops[name] = op

    def get(self, name: str) -> Differentiable:
        """Return the op registered under `name`.

        Raises
        ------
        UnregisteredOpError
            If there is none; the message names the op and lists the known ones.
        """
        try:
            return self._ops[name]
        except Exception:  # no name of an op, or one that cannot be looked up at all
            known = ", ".join(self.names()) or "none yet"
            raise UnregisteredOpError(
                f"unregistered op: {told(name)} (registered: {known}); "
                f"register it first: registry.register({told(name)}, YourOp())"
            ) from None

    def names(self) -> list[str]:
        """Return the names of all registered ops, sorted."""
        return sorted(self._ops)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._ops

    def __repr__(self) -> str:
        return f"OpRegistry({', '.join(self.names())})"


def _check_description(name: str, op: Differentiable) -> None:
    """Refuse what would only fail when the op is drawn."""
    if not isinstance(op.symbol, str):
        raise OpError(f"the symbol of op {told(name)} must be a string, not {told(op.symbol)}")
    rules = op.derivatives
    if not isinstance(rules, tuple) or not all(isinstance(rule, str) for rule in rules):
        raise OpError(
            f"the derivatives of op {told(name)} must be a tuple of strings, one for each operand, "
            f"not {told(rules)}; a single one needs its comma: ('2*{{0}}',)"
        )
    names = [f"x{k}" for k in range(len(rules))]
    for rule in rules:
        try:
            rule.format(*names, out="z")
        except (LookupError, ValueError, AttributeError, TypeError) as error:
            raise OpError(
                f"the derivative {told(rule)} of op {told(name)} cannot be written out: {error}; "
                f"use {{0}}, {{1}}, … for the operands and {{out}} for the output"
            ) from None


registry = OpRegistry()
"""The default registry, with every op that minigrad brings."""
