"""`no_grad`: a stretch of code in which nothing is recorded, or a function that never records.

A generator or a coroutine runs in pieces, and between them runs the code of others, which goes on
recording: so each piece is a stretch of its own.
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import AsyncContextDecorator, ContextDecorator
from functools import partial, wraps
from types import AsyncGeneratorType, CoroutineType, GeneratorType
from typing import Any, TypeVar, overload

from minigrad.engine.errors import MinigradError, told
from minigrad.engine.forward import Untracked
from minigrad.engine.recorders import leave, recorders

Function = TypeVar("Function", bound=Callable[..., Any])


@overload
def no_grad() -> NoGrad: ...
@overload
def no_grad(function: Function, /) -> Function: ...
def no_grad(function: Any = None, /) -> Any:
    """Run what is inside without recording it, whichever graph is active.

    Parameters
    ----------
    function : callable, optional
        As a decorator, with parentheses or without: a function, a generator or a coroutine function
        that never records, whoever calls it.

    Raises
    ------
    MinigradError
        If it is a class, or anything else that is no function.

    Examples
    --------
    >>> import minigrad as mg
    >>> x = mg.Tensor(3.0, requires_grad=True)
    >>> with mg.no_grad():
    ...     (x * 2).requires_grad
    False
    >>> @mg.no_grad
    ... def double(x):
    ...     return x * 2
    >>> double(x).requires_grad
    False
    """
    return NoGrad() if function is None else NoGrad()(function)


class NoGrad:
    """What `no_grad` returns: for ``with``, as often as one likes, and to decorate a function."""

    def __enter__(self) -> None:
        stack = recorders.get()
        recorders.set((*stack, _Within(self, stack[-1].ops)))

    def __exit__(self, *exception: object) -> None:
        for recorder in reversed(recorders.get()):
            if isinstance(recorder, _Within) and recorder.block is self:
                leave(recorder)
                return

    def __call__(self, function: Function) -> Function:
        """Return a function that does the same and records nothing."""
        if isinstance(function, staticmethod):
            return staticmethod(self(function.__func__))  # type: ignore[return-value]
        if isinstance(function, type) or not callable(function):
            is_class = isinstance(function, type)
            what = f"the class {function.__name__}" if is_class else told(function)
            raise MinigradError(
                f"no_grad decorates a function, and {what} is none; decorate the methods that are "
                f"not to record (under @classmethod or @property, if they have that), or write "
                f"`with mg.no_grad():` around a call"
            )
        call: Any = function
        while isinstance(call, partial):
            call = call.func
        if not inspect.isroutine(call):
            call = type(call).__call__  # an object that is called like a function

        return wraps(function)(_within(function, call, self))  # type: ignore[return-value]


def _within(function: Callable[..., Any], call: Any, block: NoGrad) -> Callable[..., Any]:
    """Return a function of the same kind as `call` that runs `function` inside the block."""

    def generator(*args: Any, **kwargs: Any) -> Any:
        return (yield from _pieces(function(*args, **kwargs), block))

    async def coroutine(*args: Any, **kwargs: Any) -> Any:
        return await _Awaited(function(*args, **kwargs), block)

    def async_generator(*args: Any, **kwargs: Any) -> Any:
        return _async_pieces(function(*args, **kwargs), block)

    def plain(*args: Any, **kwargs: Any) -> Any:
        with block:
            result = function(*args, **kwargs)
        # a function may hand on what another one started
        if isinstance(result, ContextDecorator | AsyncContextDecorator) and hasattr(result, "gen"):
            # what contextlib makes of a generator
            pieces = _pieces if isinstance(result.gen, GeneratorType) else _async_pieces
            result.gen = pieces(result.gen, block)
            return result
        if isinstance(result, GeneratorType):
            return _pieces(result, block)
        if isinstance(result, CoroutineType):
            return _coroutine(result, block)
        if isinstance(result, AsyncGeneratorType):
            return _async_pieces(result, block)
        return result

    if inspect.isgeneratorfunction(call):
        return generator
    if inspect.iscoroutinefunction(call):
        return coroutine
    if inspect.isasyncgenfunction(call):
        return async_generator
    return plain


class _Within(Untracked):
    """The recorder inside one entry of a block."""

    def __init__(self, block: NoGrad, ops: Any) -> None:
        super().__init__(ops)
        self.block = block


def _pieces(inner: Any, block: NoGrad) -> Generator[Any, Any, Any]:
    """Run a generator, each piece of it inside the block and the time between them outside."""
    resume = partial(inner.send, None)
    while True:
        try:
            with block:
                yielded = resume()
        except StopIteration as end:
            return end.value
        try:
            sent = yield yielded
        except GeneratorExit:
            with block:
                inner.close()
            raise
        except BaseException as error:
            resume = partial(inner.throw, error)
        else:
            resume = partial(inner.send, sent)


class _Awaited:
    """Something to await, each piece of it inside the block."""

    def __init__(self, inner: Awaitable[Any], block: NoGrad) -> None:
        self._inner, self._block = inner, block

    def __await__(self) -> Generator[Any, Any, Any]:
        return _pieces(self._inner.__await__(), self._block)


async def _coroutine(inner: Awaitable[Any], block: NoGrad) -> Any:
    return await _Awaited(inner, block)


async def _async_pieces(inner: Any, block: NoGrad) -> AsyncGenerator[Any, Any]:
    """Run an asynchronous generator, each piece of it inside the block."""
    resume = inner.asend(None)
    while True:
        try:
            yielded = await _Awaited(resume, block)
        except StopAsyncIteration:
            return
        try:
            sent = yield yielded
        except GeneratorExit:
            await _Awaited(inner.aclose(), block)
            raise
        except BaseException as error:
            resume = inner.athrow(error)
        else:
            resume = inner.asend(sent)
