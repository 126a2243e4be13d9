"""PDF: binds pages, one for each frame; nothing in it differs from one run to the next."""

from __future__ import annotations

import io
from collections.abc import Sequence

from minigrad.progress import counted


def pdf_of_pages(pages: Sequence[bytes], titles: Sequence[str]) -> bytes:
    """Bind PDF files of one page each into one file.

    Parameters
    ----------
    pages : sequence of bytes
        The files.
    titles : sequence of str
        What each page is called: the document by that of the first, and, if there are several,
        each page in the outline.
    """
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter()
    for page in counted(pages, "Binding pages"):
        writer.add_page(PdfReader(io.BytesIO(page)).pages[0])
    if len(pages) > 1:
        for number, title in enumerate(titles):
            writer.add_outline_item(title=title, page_number=number)
    # the date that each page was drawn at stays behind: equal pictures make equal files
    writer.add_metadata({"/Title": titles[0], "/Producer": "minigrad", "/Creator": "minigrad"})
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()
