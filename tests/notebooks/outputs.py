"""What a notebook has shown when it was run."""

import re


def data_of(notebook):
    """See that a notebook complains of nothing, and return the data of its outputs."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert [output for output in outputs if output["output_type"] == "error"] == []
    printed = [
        output["text"]
        for output in outputs
        if output["output_type"] == "stream" and output["name"] == "stderr"
    ]
    assert printed == []
    return [output["data"] for output in outputs if "data" in output]


def see_that_each_check_tells(notebook, sign):
    """See that a notebook that was run complains of nothing, and what its checks say."""
    # where something took more than a second, a bar came and has left an empty place
    shown = [data["text/plain"] for data in data_of(notebook) if data]
    told = [text for text in shown if text.startswith(("○", "✗", "✓"))]
    assert all(text.startswith(sign) for text in told)
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    assert len(told) == len(re.findall(r"\blessons?\.\w+\.(?:check|compare)\(", code))
