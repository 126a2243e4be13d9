"""Names of tensors that other programs stumble over."""

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
    "x:0",
    "constructor",
    "a\nb",
    "a\tb",
    " padded  twice ",
    "&amp;",
    "é π ∂",
    "🙂",
]
