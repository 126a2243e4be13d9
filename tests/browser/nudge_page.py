"""What a person sees of a nudge widget, and can do with it."""

from playwright.sync_api import expect


class NudgePage:
    """A nudge widget in the output of a cell, or in the page of a host."""

    def __init__(self, root):
        self.root = root
        self.page = root.page
        self.keyboard = root.page.keyboard

    def line(self, title):
        """Return the numbers beside a title, such as 'What happened'."""
        term = self.root.page.get_by_text(title, exact=True)
        return self.root.locator(".mg-verdict div").filter(has=term).locator("dd")

    def slider(self, name):
        return self.root.get_by_role("slider", name=name, exact=True)

    def field(self, name):
        return self.root.get_by_label(f"{name} as a number")

    def box(self, key):
        rows = self.root.locator(f'.mg-diagram [data-key="{key}"] text').all_text_contents()
        return [" ".join(row.split()) for row in rows]

    def expect(self, promised, exact):
        expect(self.line("The gradient promised")).to_have_text(promised)
        expect(self.line("What happened")).to_have_text(exact)
