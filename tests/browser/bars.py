"""The bar of a widget, with the menu of what is rare: what a person can do with both."""

from playwright.sync_api import expect


class Bars:
    """What has a bar; what stands in its menu is found there, as a person would."""

    def __init__(self, root):
        self.root = root
        self.menu = root.locator(".mg-menu")

    def press(self, name):
        self._open_menu_for(
            self.menu.get_by_role("button", name=name, exact=True, include_hidden=True)
        )
        self.root.get_by_role("button", name=name, exact=True).click()

    def option(self, label):
        """Return what one chooses from, or types into, where it can be seen."""
        self._open_menu_for(self.menu.get_by_label(label, exact=True))
        return self.root.get_by_label(label, exact=True)

    def open_menu(self):
        if not self._is_open():
            self.root.get_by_role("button", name="More", exact=True).click()
        expect(self.menu).to_be_visible()

    def _open_menu_for(self, control):
        if control.count() and not self._is_open():
            self.open_menu()

    def _is_open(self):
        return self.menu.evaluate("menu => menu.matches(':popover-open')")
