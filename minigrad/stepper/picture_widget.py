"""`PictureWidget`: a widget, its picture for viewers without widgets, and its end."""

from __future__ import annotations

from typing import Any, ClassVar, Generic, TypeVar, overload

import anywidget
import traitlets
from IPython.display import publish_display_data

from minigrad.engine.errors import DrawingError
from minigrad.stepper.fallback import still_behind

T = TypeVar("T")


class Held(Generic[T]):
    """An attribute of a widget that is there until it is closed, and then says that it is closed.

    A notebook remembers all that it has ever shown, so a closed widget lives on, and what it holds
    would too.
    """

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, widget: None, owner: type) -> Held[T]: ...
    @overload
    def __get__(self, widget: PictureWidget, owner: type) -> T: ...
    def __get__(self, widget: PictureWidget | None, owner: type) -> Held[T] | T:
        if widget is None:
            return self
        held: dict[str, T] = vars(widget).get("_held", {})
        if self._name not in held:
            raise _closed(widget)
        return held[self._name]

    def __set__(self, widget: PictureWidget, value: T) -> None:
        widget.__dict__.setdefault("_held", {})[self._name] = value


class PictureWidget(anywidget.AnyWidget):
    """A widget of a page, with what is shown of it by a viewer that runs no widgets.

    What takes memory is in `Held` attributes and in dicts that are sent to the page; all of that
    goes when it is closed.
    """

    made_by: ClassVar[str]
    """How one is made, for whoever asks a closed one."""

    def close(self) -> None:
        """End the widget in the page, and let go of all that it shows."""
        if self.comm is not None:
            layout = self.layout  # has a line of its own to the page
            super().close()
            layout.close()
            del self._repr_mimebundle_  # where ipywidgets puts None, which cannot be called
        self.unobserve_all()  # that it is empty now is news for nobody
        for name, trait in self.traits(sync=True).items():
            if isinstance(trait, traitlets.Dict):
                self.set_trait(name, {})
        vars(self).get("_held", {}).clear()

    def open(self) -> None:
        """Tell the page of the widget, once: one that is closed stays so."""
        if not vars(self).get("_held"):
            raise _closed(self)
        super().open()

    def _still(self) -> dict[str, str]:
        """Return what a saved notebook, nbconvert or a code host shows, by MIME type."""
        raise NotImplementedError

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        if self.comm is None:
            return {"text/plain": repr(self)}
        bundle: Any = super()._repr_mimebundle_(**kwargs)
        data, metadata = bundle
        return {**data, **self._still()}, metadata

    def _ipython_display_(self) -> None:
        shown = self._repr_mimebundle_()
        data, metadata = shown if isinstance(shown, tuple) else (shown, {})
        publish_display_data(data, metadata)  # type: ignore[no-untyped-call]
        behind = still_behind(data)
        if behind is not None:
            publish_display_data(behind)  # type: ignore[no-untyped-call]

    def _repr(self) -> str:
        """Return what it is and what it shows, in one line."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return self._repr() if self.comm is not None else f"{type(self).__name__}(closed)"


def _closed(widget: PictureWidget) -> DrawingError:
    return DrawingError(
        f"this {type(widget).__name__} is closed, because its cell was run again or close() was "
        f"called, and holds nothing any more; make it again: {widget.made_by}"
    )
