r"""How a name is written: from what code knows it by to what people see, in every picture and word.

- The name of a Greek letter is that letter: ``alpha`` → α, ``d_alpha`` → d_α, ``Sigma`` → Σ. It
  may have a backslash, and digits behind it are its index: ``\beta1`` → β₁. ``lambda_`` → λ,
  since Python has a ``lambda`` of its own. In capitals, those that look Latin are left out.
- A single letter with ``_`` and a number, a letter, or braces gets an index: ``x_1`` → x₁,
  ``alpha_t`` → αₜ, ``W_{out}`` → Wₒᵤₜ. Words stay words: ``x_train``, ``loss_1``, ``hidden_layer``.
- ``^`` and a number, a letter, or braces is a power: ``w^2`` → w², ``W^T`` → Wᵀ, ``x_i^2`` → xᵢ².
- Where Unicode or the pictures' font has no such small letter, as in ``W_q``, it stays as it is.
- ``$…$`` loses its dollars if all between them is of these kinds: ``$\alpha_1$`` → α₁.
- What nobody could see, or what would turn the text around it, is shown as Python writes it: a
  NUL is ``\x00``, a control of direction ``\u202e``, half of a character ``\ud800``.

Names in scripts that run from right to left are isolated, so that what stands around them keeps
its order, from left to right: ``a - b`` stays a difference of a and b.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma "
    "tau upsilon phi chi psi omega varepsilon vartheta varpi varrho varsigma varphi "
    "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
)
_LETTERS = "αβγδεζηθικλμνξοπρστυφχψωεϑϖϱςφΓΔΘΛΞΠΣΥΦΨΩ"
GREEK = dict(zip(_NAMES.split(), _LETTERS, strict=True)) | {"lambda_": "λ"}
SIGNS = {
    "partial": "∂",
    "nabla": "∇",
    "cdot": "·",
    "times": "×",
    "pm": "±",
    "infty": "∞",
    "top": "⊤",
}
"""What else may stand behind a backslash."""
SMALL = {
    "_": dict(
        zip("0123456789+-=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True)
    ),
    "^": dict(
        zip(
            "0123456789+-=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW⊤",
            "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵀ",
            strict=True,
        )
    ),
}
"""Letters written lower or higher, all of them in both faces of the pictures' font."""
for _small in SMALL.values():
    _small[","] = ","

_WORD = r"\\?[^\W_]+"
_BRACED = r"\{[^{}]+\}"
_INDEX, _POWER = rf"_(?:{_BRACED}|{_WORD})", rf"\^(?:{_BRACED}|[+-]?{_WORD})"
_BASE = rf"(?<![\w\\^}}])(?:lambda_(?!\w)|{_WORD})|[)\]]"
_TERM = re.compile(rf"({_BASE})((?:{_INDEX}|{_POWER})*)(?!\w)")
_SCRIPT = re.compile(r"([_^])(?:\{([^{}]+)\}|([^_^]+))")
_WITH_INDEX = re.compile(r"([A-Za-z]+)(\d+)", re.ASCII)
_DOLLARS = re.compile(r"\$(?! )([^$]+)(?<! )\$(?!\d)")
_FORGOTTEN_R = str.maketrans(
    {sign: f"\\{name}" for sign, name in zip("\a\b\t\n\v\f\r", "abtnvfr", strict=True)}
)
"""Without an r before its quotes, Python reads the first two signs of ``$\\alpha$`` as one."""

HIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Controls of the text, of its direction and of its lines, and what no file may hold; but for the
line end, the carriage return and the tab, which each place writes in a way of its own."""
ISOLATE, END = "\u2068", "\u2069"
"""Around a text whose direction is its own: what stands outside goes on as if it were one sign."""


@lru_cache(maxsize=4096)
def written(name: str) -> str:
    r"""Return a name as people write it; it may have line ends and tabs.

    Examples
    --------
    >>> [written(name) for name in ("alpha", "x_12", "w^2", r"$\beta_{ij}$", "mu_hat")]
    ['α', 'x₁₂', 'w²', 'βᵢⱼ', 'μ_hat']
    >>> [written(name) for name in ("my_layer", "x_train", "loss_1", "W_q", "a\x00b")]
    ['my_layer', 'x_train', 'loss_1', 'W_q', 'a\\x00b']
    """
    parts = _DOLLARS.split(name)
    parts[::2] = [_TERM.sub(_term, part) for part in parts[::2]]
    parts[1::2] = [_formula(part) for part in parts[1::2]]
    return visible("".join(parts))


def _formula(text: str) -> str:
    """Write what stood between dollars; with them, as it was, if there is more to it."""
    made = _TERM.sub(_term, text.translate(_FORGOTTEN_R))
    return f"${text}$" if re.search(r"[\\{}]", made) else made


def _term(match: re.Match[str]) -> str:
    """Write a word with all of its indices and powers."""
    base = _word(match[1])
    scripts = _SCRIPT.findall(match[2])
    if base is None:
        return match[0]
    marks = [mark for mark, *_ in scripts]
    made = base
    for mark, braced, word in scripts:
        text = _TERM.sub(_term, braced) if braced else _word(word)
        if text is None:
            return match[0]
        small = [SMALL[mark].get(letter) for letter in text]
        is_short = bool(braced) or text.lstrip("+-").isdigit() or len(text.lstrip("+-")) == 1
        has_index = mark == "^" or (len(base) == 1 and base.isalpha())
        if None not in small and is_short and has_index and marks.count(mark) == 1:
            made += "".join(filter(None, small))
        else:
            made += mark + (text if word or text.isalnum() else f"{{{text}}}")
    return made


def _word(word: str) -> str | None:
    """Write a word, without a backslash that it has; None if that makes it a word not known."""
    name = word.lstrip("\\")
    found = _WITH_INDEX.fullmatch(name)
    if name in GREEK:
        return GREEK[name]
    if found and found[1] in GREEK:
        return GREEK[found[1]] + "".join(SMALL["_"][digit] for digit in found[2])
    return SIGNS.get(name) if name != word else name


def visible(text: str) -> str:
    r"""Write what nobody could see, and what would turn the text around it, as Python writes it.

    Examples
    --------
    >>> print(visible("a\x1b \u202e \ud800"))
    a\x1b \u202e \ud800
    """
    return HIDDEN.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def isolated(text: str) -> str:
    """Isolate a text in which something runs from right to left; any other stays as it is."""
    if text.isascii() or not any(map(_runs_left, text)):
        return text
    return f"{ISOLATE}{text}{END}"


def _runs_left(letter: str) -> bool:
    return unicodedata.bidirectional(letter) in ("R", "AL", "AN")
