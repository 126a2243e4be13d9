"""`no_grad`: what is inside is not recorded, and what runs between its pieces is."""

import asyncio
import inspect
from contextlib import contextmanager
from functools import partial

import pytest

import minigrad as mg

DECORATORS = pytest.mark.parametrize("decorate", [mg.no_grad, mg.no_grad()], ids=["bare", "called"])


@pytest.fixture
def x():
    return mg.Tensor(3.0, requires_grad=True)


@pytest.fixture
def graph():
    return mg.ComputationGraph()


def names(graph):
    return [node.op_name for node in graph.nodes]


@DECORATORS
def test_a_function_records_nothing_and_is_still_the_same_function(graph, x, decorate):
    @decorate
    def double(x, *, by=2.0):
        """Double it."""
        return x * by

    with graph:
        y = double(x, by=4.0)
        x + 1
    assert (y.item(), y.requires_grad, names(graph)) == (12.0, False, ["add"])
    assert (double.__name__, double.__doc__) == ("double", "Double it.")
    with pytest.raises(mg.MinigradError, match="no graph is active"):
        x * 2


@DECORATORS
def test_a_generator_records_nothing_and_its_caller_goes_on_recording(graph, x, decorate):
    @decorate
    def values():
        sent = yield x * 2
        try:
            yield x * sent
        except KeyError:
            yield x - 5
        return x / 2

    def caller():
        generator = values()
        first = next(generator)
        x + 1
        second = generator.send(4.0)
        x + 2
        third = generator.throw(KeyError)
        try:
            next(generator)
        except StopIteration as end:
            return [first, second, third, end.value]

    with graph:
        found = caller()
        x + 3
    assert [one.item() for one in found] == [6.0, 12.0, -2.0, 1.5]
    assert not any(one.requires_grad for one in found)
    assert names(graph) == ["add"] * 3
    assert inspect.isgeneratorfunction(values)


def test_a_generator_that_is_left_early_cleans_up_without_recording(graph, x):
    done = []

    @mg.no_grad
    def values():
        try:
            yield x * 2
        finally:
            done.append((x * 3).requires_grad)

    with graph:
        for _ in values():
            break
        generator = values()
        next(generator)
        generator.close()
        x + 1
    assert (done, names(graph)) == ([False, False], ["add"])


def test_generators_take_turns_and_each_keeps_to_itself(graph, x):
    @mg.no_grad()
    def silent():
        for _ in range(3):
            yield x * 2

    def recording():
        for _ in range(3):
            yield x + 1

    with graph:
        pairs = list(zip(silent(), recording(), silent(), strict=True))
    assert [[one.requires_grad for one in pair] for pair in pairs] == [[False, True, False]] * 3
    assert names(graph) == ["add"] * 3


@DECORATORS
def test_a_coroutine_records_nothing_while_others_do(graph, x, decorate):
    @decorate
    async def silent():
        first = x * 2
        await asyncio.sleep(0)
        return [first, x * 3]

    async def recording():
        for _ in range(3):
            x + 1
            await asyncio.sleep(0)

    async def both():
        found, _ = await asyncio.gather(silent(), recording())
        x - 1
        return found + await silent()

    with graph:
        found = asyncio.run(both())
    assert [one.item() for one in found] == [6.0, 9.0, 6.0, 9.0]
    assert not any(one.requires_grad for one in found)
    assert names(graph) == ["add", "add", "add", "sub"]
    assert inspect.iscoroutinefunction(silent)


def test_a_coroutine_that_is_resumed_by_hand_leaks_nothing(graph, x):
    class Pause:
        def __await__(self):
            return (yield)

    @mg.no_grad
    async def silent():
        await Pause()
        return x * 2

    with graph:
        coroutine = silent()
        coroutine.send(None)
        x + 1
        with pytest.raises(StopIteration) as end:
            coroutine.send(None)
    assert (end.value.value.requires_grad, names(graph)) == (False, ["add"])


@DECORATORS
def test_an_asynchronous_generator_records_nothing(graph, x, decorate):
    done = []

    @decorate
    async def values():
        try:
            for factor in (2.0, 3.0, 4.0):
                await asyncio.sleep(0)
                yield x * factor
        finally:
            await asyncio.sleep(0)
            done.append((x * 5).requires_grad)

    async def caller():
        found = []
        async for one in values():
            x + 1
            found.append(one)
        generator = values()
        found.append(await anext(generator))
        x - 1
        with pytest.raises(KeyError):
            await generator.athrow(KeyError())
        other = values()
        found.append(await anext(other))
        await other.aclose()
        return found

    with graph:
        found = asyncio.run(caller())
    assert [one.item() for one in found] == [6.0, 9.0, 12.0, 6.0, 6.0]
    assert not any(one.requires_grad for one in found)
    assert (done, names(graph)) == ([False] * 3, ["add"] * 3 + ["sub"])


def test_methods_and_whatever_else_is_called_like_a_function(graph, x):
    class Model:
        @mg.no_grad
        def method(self):
            return x * 2

        @classmethod
        @mg.no_grad
        def of_class(cls):
            return x * 3

        @staticmethod
        @mg.no_grad()
        def static():
            return x * 4

        def __call__(self):
            yield x * 5

    model = Model()

    def powers(exponent):
        yield x**exponent

    with graph:
        found = [model.method(), Model.of_class(), model.static()]
        found += [*mg.no_grad(model)(), *mg.no_grad(partial(powers, 2))()]
        found += [*mg.no_grad(lambda: powers(3))(), mg.no_grad(lambda: x * 6)()]
    assert [one.item() for one in found] == [6.0, 9.0, 12.0, 15.0, 9.0, 27.0, 18.0]
    assert not any(one.requires_grad for one in found)
    assert graph.nodes == []


def test_one_block_may_be_entered_again_inside_of_itself_and_later(graph, x):
    block = mg.no_grad()

    @block
    def countdown(n):
        return x * n if n == 0 else countdown(n - 1)

    with graph:
        with block:
            with block, mg.no_grad():
                x * 2
            assert not (x * 2).requires_grad
        x + 1
        countdown(3)
        x + 2
        with block, mg.ComputationGraph() as inner:
            x - 1
    assert (names(graph), names(inner)) == (["add", "add"], ["sub"])


def test_it_is_left_after_an_error(graph, x):
    @mg.no_grad
    def failing():
        yield x * 2
        raise ZeroDivisionError

    with graph:
        with pytest.raises(ZeroDivisionError):
            list(failing())
        with pytest.raises(ZeroDivisionError), mg.no_grad():
            raise ZeroDivisionError
        x + 1
    assert names(graph) == ["add"]


@pytest.mark.parametrize("wrong", [3.0, "f", False, mg.Tensor(1.0), classmethod(len)])
def test_only_functions_are_decorated(wrong):
    with pytest.raises(mg.MinigradError, match=r"no_grad decorates a function, and .* is none"):
        mg.no_grad(wrong)


def test_a_class_is_not_decorated_but_its_methods_are():
    with pytest.raises(mg.MinigradError, match="the class Model is none; decorate the methods"):

        @mg.no_grad()
        class Model:
            pass


def test_what_contextlib_makes_of_a_generator_records_nothing_in_it(graph, x):
    @mg.no_grad
    @contextmanager
    def doubled():
        yield x * 2
        x * 3

    with graph:
        with doubled() as inside:
            x + 1
        with doubled():
            pass
    assert not inside.requires_grad
    assert names(graph) == ["add"]


def test_a_static_method_stays_one(graph, x):
    class Model:
        @mg.no_grad
        @staticmethod
        def double(value):
            return value * 2

    with graph:
        assert Model().double(x).item() == Model.double(x).item() == 6.0
    assert graph.nodes == []
