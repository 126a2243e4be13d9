"""`spelled`: the function of each op is written once, and called in all ways it is known by."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import update_wrapper
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeAlias, overload

from minigrad.engine.errors import GraphError
from minigrad.engine.recorders import NamedRecorder, recorders
from minigrad.engine.values import Operand

if TYPE_CHECKING:
    from minigrad.engine.graph import ComputationGraph
    from minigrad.engine.tensor import Tensor

Call: TypeAlias = tuple[tuple[Operand, ...], dict[str, Any]]
"""The operands of one call of an op, and its attributes."""

P = ParamSpec("P")


class Spelled(Protocol[P]):
    """The function of an op: with the graph first, or in that of the ``with`` around it."""

    __name__: str
    __doc__: str
    spellings: tuple[str, ...]

    @overload
    def __call__(self, graph: ComputationGraph, *operands: P.args, **attrs: P.kwargs) -> Tensor: ...
    @overload
    def __call__(self, *operands: P.args, **attrs: P.kwargs) -> Tensor: ...


class Method(Protocol[P]):
    """What an op's function is in the body of a class: its first operand is the tensor."""

    @overload
    def __get__(self, tensor: None, owner: type) -> Callable[..., Tensor]: ...
    @overload
    def __get__(self, tensor: object, owner: type) -> Callable[P, Tensor]: ...


def spelled(*operators: str, method: bool = True) -> Callable[[Callable[P, Call]], Spelled[P]]:
    """Give an op all its spellings; the decorated function says what a call consists of.

    Its name is the op's. Its parameters are the operands and the attributes, without a graph, and
    it returns them sorted: a tuple of operands, a dict of attributes. What may stand before them in
    a call, who records it, and how it is written, which ``help`` shows, is the same for all ops.

    Parameters
    ----------
    *operators : str
        How it is written with an operator, as in ``a + b``.
    method : bool
        Whether a tensor has a method of this name.

    Examples
    --------
    >>> import minigrad as mg
    >>> mg.add.spellings
    ('a + b', 'a.add(b)', 'mg.add(a, b)', 'mg.add(graph, a, b)')
    """

    def decorate(function: Callable[P, Call]) -> Spelled[P]:
        name = function.__name__

        def spelling(*given: Any, **named: Any) -> Tensor:
            graph = given[0] if given else None
            if isinstance(graph, NamedRecorder):
                given = given[1:]
            elif "graph" in named:
                graph = _checked(name, named.pop("graph"))
            else:
                operands, attrs = function(*given, **named)
                return recorders.get()[-1].run(name, operands, attrs)
            operands, attrs = function(*given, **named)
            return graph.run_named(name, operands, attrs)

        update_wrapper(spelling, function)
        signature = inspect.signature(function)
        made: Any = spelling
        made.__signature__ = signature.replace(return_annotation="Tensor")
        made.__annotations__ = {**function.__annotations__, "return": "Tensor"}
        made.spellings = (*operators, *_calls(name, signature, method))
        made.__doc__ = _with_spellings(function.__doc__ or "", made.spellings)
        return made  # type: ignore[no-any-return]

    return decorate


def as_method(function: Spelled[Concatenate[Operand, P]]) -> Method[P]:
    """Return an op's function as the method of a tensor that it is already: types cannot see it."""
    return function  # type: ignore[return-value]


def _checked(name: str, graph: object) -> Any:
    """Refuse anything but a graph where a graph was named."""
    if not isinstance(graph, NamedRecorder):
        raise GraphError(
            f"graph must be a ComputationGraph, not {type(graph).__name__}; leave it out inside "
            f"`with graph:`, or write mg.{name}(graph, …)"
        )
    return graph


def _calls(name: str, signature: inspect.Signature, method: bool) -> list[str]:
    """Return how an op is called, with and without the graph."""
    bare = [one.replace(annotation=one.empty) for one in signature.parameters.values()]
    written = [str(one) for one in bare]
    calls = [f"mg.{name}({', '.join(written)})", f"mg.{name}({', '.join(['graph', *written])})"]
    if method:
        tensor = "a" if "a" in signature.parameters else written[0]
        others = ", ".join(one for one in written if one != tensor)
        calls.insert(0, f"{tensor}.{name}({others})")
    return calls


def _with_spellings(doc: str, spellings: tuple[str, ...]) -> str:
    """Tell after the first sentence of a docstring how the op is written."""
    summary, gap, rest = inspect.cleandoc(doc).partition("\n\n")
    width = max(len(one) for one in spellings)
    lines = [f"    {one.ljust(width)}  # inside `with graph:`" for one in spellings[:-1]]
    lines.append(f"    {spellings[-1].ljust(width)}  # with the graph named")
    return "\n".join([summary, "", "Written as::", "", *lines]) + gap + rest


def in_letters(spelling: str) -> str:
    """Return a spelling with the operands called x and y, as learners call them."""
    return re.sub(r"\b[ab]\b", lambda found: {"a": "x", "b": "y"}[found[0]], spelling)
