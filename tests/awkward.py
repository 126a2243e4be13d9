"""Names of tensors that other programs stumble over."""

from hypothesis import strategies as st

AWKWARD_NAMES = [
    "a->b",
    "x|y",
    "{z}",
    "<b>",
    "</script>",
    "<img src=x onerror=alert(1)>",
    'say "hi"',
    "a\\",
    "\\N",
    "\\" * 6,
    "\\" * 15,
    "x:0",
    "constructor",
    "a\nb",
    "a\tb",
    " padded  twice ",
    "&amp;",
    "é π ∂",
    "🙂",
]

ANY_TEXT = st.text(
    st.one_of(
        st.characters(exclude_categories=()),
        st.sampled_from('\\"<>&{}|$_^\r\n\t\0\x1b\x85\u2028\u202e\u2067\u2069\ud800\udfffאس1aα'),
    ),
    max_size=30,
)
"""Text with much of what breaks other programs in it, halves of characters too."""
