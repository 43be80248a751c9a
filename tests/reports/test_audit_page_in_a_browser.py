"""The page works in a browser: without a network or script, by keyboard, in dark and light, wide and narrow."""

import shutil

import pytest
from handmade_audits import good_audit, hostile_audit, patched_audit, refused_audit

from trainplate.reports.audit_page import audit_page
from trainplate.reports.collection import Collection, Unread

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
CONTRAST = """
selector => {
  const channels = colour => colour.match(/[\\d.]+/g).map(Number);
  const light = colour => {
    const linear = value => value <= .04045 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4;
    const [r, g, b] = channels(colour).slice(0, 3).map(value => linear(value / 255));
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const behind = element => {
    const colour = getComputedStyle(element).backgroundColor;
    return channels(colour)[3] === 0 && element.parentElement ? behind(element.parentElement) : colour;
  };
  return [...document.querySelectorAll(selector)].map(element => {
    const [a, b] = [light(getComputedStyle(element).color), light(behind(element))];
    return (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
  });
}
"""
"""The contrast of each element's text with what lies behind it, by the formula of the WCAG."""


@pytest.fixture(scope="module")
def chromium():
    """A headless Chromium."""
    playwright = pytest.importorskip("playwright.sync_api", reason="the package playwright is not installed")
    path = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if path is None:
        pytest.skip("no Chromium is found")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium, tmp_path):
    """Open the page of some audits; what it asks for and complains of is kept in `page.asked` and `page.said`."""
    contexts = []

    def open_page(*audits, unread=(), width=1280, address="", **options):
        file = tmp_path / "audit.html"
        file.write_text(audit_page(Collection(audits, unread)), encoding="utf-8")
        context = chromium.new_context(viewport={"width": width, "height": 800}, **options)
        contexts.append(context)
        page = context.new_page()
        page.asked, page.said = [], []
        page.on("request", lambda request: page.asked.append(request.url))
        page.on("console", lambda message: page.said.append(message.text))
        page.on("pageerror", lambda error: page.said.append(str(error)))
        page.goto(file.as_uri() + address)
        return page

    yield open_page
    for context in contexts:
        context.close()


def selected(page):
    """The conversations that can be seen."""
    return page.locator(".conversation:visible h4").all_inner_texts()


def test_nothing_is_asked_of_a_network_and_nothing_is_complained_of(opened):
    page = opened(patched_audit())
    page.wait_for_load_state("networkidle")
    assert [url for url in page.asked if not url.startswith("file:")] == []
    assert len(page.asked) == 1
    assert page.said == []


@pytest.mark.parametrize(
    "audits", [(hostile_audit(),), (hostile_audit(), patched_audit())], ids=["alone", "among others"]
)
def test_text_from_a_template_runs_nothing(opened, audits):
    page = opened(*audits, unread=(Unread("<img src=x onerror=\"document.title='taken'\">", "<script>"),))
    assert page.title() != "taken"
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 1
    assert page.said == []


@pytest.mark.parametrize("width", [1280, 420])
@pytest.mark.parametrize(
    "audits", [(patched_audit(),), (patched_audit(), good_audit(), refused_audit(), hostile_audit())]
)
def test_nothing_is_wider_than_the_window(opened, audits, width):
    page = opened(*audits, width=width)
    page.evaluate("document.querySelectorAll('details').forEach(folded => folded.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everything_can_be_read_in_dark_and_in_light(opened, scheme):
    page = opened(patched_audit(), color_scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach(folded => folded.open = true)")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
    assert dark == (scheme == "dark")
    for selector in (
        ".token",
        ".part",
        ".pill",
        "mark",
        ".diff span",
        "dt",
        "dd",
        "h3",
        "a",
        "li",
        ".check",
        ".reason",
    ):
        found = page.evaluate(CONTRAST, selector)
        assert found, selector
        assert min(found) >= 4.5, selector


def test_conversations_are_browsed_with_the_arrow_keys(opened):
    page = opened(patched_audit())
    assert selected(page) == ["sailing"]
    page.locator(".names a").first.focus()
    page.keyboard.press("ArrowDown")
    assert selected(page) == ["system-only"]
    assert page.evaluate("document.activeElement.textContent").startswith("system-only")
    page.keyboard.press("Home")
    assert selected(page) == ["sailing"]
    page.keyboard.press("End")
    assert selected(page) == ["system-only"]


def test_everything_is_reached_with_the_tab_key_and_opened_with_enter(opened):
    page = opened(patched_audit())
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    for _ in range(30):
        if page.evaluate("document.activeElement.matches('.finding > summary')"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.locator(".finding[open] .message").all_inner_texts() == [
        "earlier text changes when a message is appended"
    ]
    assert page.locator(".finding[open] .removed mark").inner_text().startswith("<think>That depends on the tide.")


def test_a_finding_leads_to_its_conversation_and_to_its_line(opened):
    page = opened(patched_audit())
    page.locator(".names a").last.click()
    page.locator(".finding summary").first.click()
    page.get_by_role("link", name="sailing[:5]").click()
    assert selected(page) == ["sailing"]
    page.get_by_role("link", name="templates/harbour.jinja:14:9").click()
    page.wait_for_function("document.querySelector('.source').open")
    assert "reasoning_content" in page.locator("#a1-l14").inner_text()
    assert page.locator("#a1-l14").evaluate(
        "line => { const at = line.getBoundingClientRect(); return at.top >= 0 && at.bottom <= innerHeight; }"
    )


def test_an_address_opens_what_it_leads_to(opened):
    page = opened(patched_audit(), refused_audit(), address="#a2-findings")
    assert page.locator("#a2").get_attribute("open") is not None
    assert page.locator("#a1").get_attribute("open") is None


def test_parts_and_tokens_are_told_apart_and_outlines_can_be_left_out(opened):
    page = opened(patched_audit())
    colours = {
        kind: page.locator(f".conversation:visible .part.{kind}").first.evaluate(
            "part => getComputedStyle(part).backgroundColor"
        )
        for kind in ("trained", "prefilled", "supplied")
    }
    assert len(set(colours.values())) == 3
    outline = "token => getComputedStyle(token).outlineStyle"
    token = page.locator(".conversation:visible .token:not(.crossing)").first
    assert token.evaluate(outline) == "solid"
    page.get_by_label("outline tokens").uncheck()
    assert token.evaluate(outline) == "none"
    assert page.locator(".token.crossing").evaluate(outline) == "solid"


def test_copied_text_is_the_text_itself(opened):
    page = opened(patched_audit())
    copied = page.locator(".conversation:visible pre").evaluate("text => text.textContent")
    assert copied == "".join(part.text for part in patched_audit().conversations[0].parts)


def test_without_script_all_conversations_can_be_read(opened):
    page = opened(patched_audit(), java_script_enabled=False)
    assert selected(page) == ["sailing", "system-only"]
    assert not page.locator(".switches").is_visible()
