"""Layouts and plans as objects that show themselves in a notebook."""

from ._options import DEFAULTS


def _compiler():
    from . import _compiler as module
    return module


class Layout:
    """A layout of a tensor. A notebook shows who holds which element; `str()` lists it."""

    def __init__(self, attribute, tensor):
        self.attribute = attribute
        self.tensor = tensor
        self._show("bases", "text")  # Says now what is wrong with it.

    def _show(self, view, format):
        return _compiler().layout(self.attribute, self.tensor, view, format)

    def text(self, view="tensor"):
        """`view` is tensor, hw, bases or access, as of `tilewright layout --view`."""
        return self._show(view, "text")

    def svg(self, view="tensor"):
        """A picture; `view` is tensor or hw."""
        return self._show(view, "svg")

    def json(self):
        """The map's bases, as text."""
        return self._show("tensor", "json")

    def cute(self):
        """In CuTe's notation."""
        return self._show("tensor", "cute")

    def _repr_svg_(self):
        return self.svg()

    def __str__(self):
        return self.text()

    def __repr__(self):
        return f"layout({self.attribute!r}, {self.tensor!r})"


class Plan:
    """How data is moved: what `str()` says, as an object."""

    def __init__(self, text, json, title, layouts=()):
        self._text = text
        self._json = json
        self._title = title
        self._layouts = layouts

    def json(self):
        return self._json

    def _repr_html_(self):
        import html
        pictures = "".join(f'<div style="margin-right:2em">{one.svg()}</div>'
                           for one in self._layouts)
        return (f"<b>{html.escape(self._title)}</b>"
                f'<div style="display:flex;flex-wrap:wrap">{pictures}</div>'
                f"<pre>{html.escape(self._text)}</pre>")

    def __str__(self):
        return self._text

    def __repr__(self):
        return f"<{self._title}>"


def layout(attribute, tensor):
    """The layout `#ttg.blocked<{..}>` of `tensor<128x64xf16>`. ValueError says what is wrong."""
    return Layout(attribute, tensor)


def convert(source, to, tensor, target=DEFAULTS["target"]):
    """The plan of a conversion from one layout (text) of the tensor to another, on a target."""
    def show(format):
        return _compiler().convert(source, to, tensor, target, format)
    return Plan(show("text"), show("json"), f"conversion of {tensor} on {target}",
                (Layout(source, tensor), Layout(to, tensor)))


def blockload(attribute, tensor, memory="row_major", access="load", target="xpu:pvc"):
    """The 2D block messages of Intel's GPUs that load, store or prefetch a tensor in a layout."""
    def show(format):
        return _compiler().blockload(attribute, tensor, memory, access, target, format)
    return Plan(show("text"), show("json"), f"{access} of {tensor} on {target}",
                (Layout(attribute, tensor),))
