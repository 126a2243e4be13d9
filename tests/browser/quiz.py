"""What a person sees of a stepper in predict mode, and can do with it."""

from browser.stepper_page import StepperPage
from playwright.sync_api import expect


class Quiz(StepperPage):
    """A stepper in predict mode."""

    def __init__(self, root):
        super().__init__(root)
        self.question = root.locator(".mg-quiz legend")
        self.field = root.get_by_label("Your answer")
        self.feedback = root.locator(".mg-quiz [role=status]")
        self.lead = root.locator(".mg-lead")
        self.score = root.locator(".mg-score")

    def answer(self, text):
        """Type an answer and press Enter."""
        expect(self.field).to_be_focused()
        self.keyboard.press("ControlOrMeta+a")
        self.keyboard.type(text)
        self.keyboard.press("Enter")

    def go_on(self):
        """Press Next, and again if it came too close to the answer before."""
        step = self.root.locator(".mg-step").inner_text()
        while not self.question.count() and self.root.locator(".mg-step").inner_text() == step:
            self.press("Next")
