"""An audit as one page of HTML that needs nothing else: no network, no other file, and no script to be read."""

import base64
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup, escape

from trainplate import __version__
from trainplate.auditing import Audit, Outcome, Problem, Severity, Trainable
from trainplate.reports.audit_words import VERDICTS, family_line, grouped, patch_line
from trainplate.reports.check_documentation import documentation_of
from trainplate.reports.collection import Collection, counts, title_of
from trainplate.reports.differing import Stretch, Stretches, differing
from trainplate.reports.next_steps import next_steps
from trainplate.reports.shown_parts import CutPart, cut
from trainplate.reports.visible_text import harmless, in_one_line
from trainplate.syntax import with_newlines
from trainplate.verdict import SAID, Verdict

FOLDER = Path(__file__).parent
LINE_END = Markup('<i class="end">\n</i>')
"""A line end that the style sheet makes visible and that is still one where text is copied."""


def audit_page(collection: Collection) -> str:
    """Return the page. What a template prints stands in it as text: escaped, and no script of it would run."""
    style, script = own("audit_page.css"), own("audit_page.js")
    return page().render(
        collection=collection,
        single=is_single(collection),
        title=page_title(collection),
        policy=policy(style, script),
        style=Markup(style),
        script=Markup(script),
        version=__version__,
    )


def is_single(collection: Collection) -> bool:
    """Say whether the page is about one template alone, and needs no summary."""
    return len(collection.audits) == 1 and not collection.unread


def own(name: str) -> str:
    """Return one of our own files beside this one."""
    return (FOLDER / name).read_text(encoding="utf-8")


def policy(style: str, script: str) -> str:
    """Return all that a browser lets the page do: use our own style and script, known by their hashes."""
    own = f"style-src '{hashed(style)}'; script-src '{hashed(script)}'"
    return f"default-src 'none'; {own}; base-uri 'none'; form-action 'none'"


def hashed(text: str) -> str:
    """Return how a policy names an inline style or script."""
    return f"sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}"


def page_title(collection: Collection) -> str:
    """Return the page's title: the template's, or how many there are."""
    if is_single(collection):
        return title_of(collection.audits[0])
    unread = f", {len(collection.unread)} could not be read" if collection.unread else ""
    return f"{len(collection.audits)} templates{unread}"


@cache
def page() -> Template:
    """Return the page's own template, which escapes everything that is put into it."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"shown": shown, "in_one_line": in_one_line, "prose": prose, "in_lines": harmless}
    environment.globals |= {
        "counts": counts,
        "title_of": title_of,
        "VERDICTS": VERDICTS,
        "patch_line": patch_line,
        "family_line": family_line,
        "next_steps": next_steps,
        "problems_of": problems_of,
        "ignored_in": ignored_in,
        "outcomes_of": outcomes_of,
        "grouped": grouped,
        "sides_of": sides_of,
        "conversations_of": conversations_of,
        "diff_lines": diff_lines,
        "documentation_of": documentation_of,
        "sections": sections,
        "source_lines": source_lines,
        "Verdict": Verdict,
        "Trainable": Trainable,
        "Severity": Severity,
    }
    return environment.from_string(own("audit_page.html"))


def shown(text: str) -> Markup:
    """Return a text with its line ends made visible, and control characters spelled out."""
    return LINE_END.join(escape(line) for line in harmless(text).split("\n"))


def prose(text: str) -> Markup:
    """Return a sentence with what stands between backquotes set as code."""
    pieces = text.split("`")
    if len(pieces) % 2 == 0:
        return shown(text)
    return Markup("").join(
        Markup("<code>{}</code>").format(shown(piece)) if odd % 2 else shown(piece) for odd, piece in enumerate(pieces)
    )


def problems_of(audit: Audit) -> list[Problem]:
    """Return what was found and is not ignored, the worst first."""
    order = list(Severity)
    return sorted((one for one in audit.problems if not one.ignored), key=lambda one: order.index(one.severity))


def ignored_in(audit: Audit) -> list[Problem]:
    """Return what was found and is ignored."""
    return [problem for problem in audit.problems if problem.ignored]


def outcomes_of(audit: Audit, verdict: Verdict) -> list[Outcome]:
    """Return the checks that say so."""
    return [outcome for outcome in audit.outcomes if outcome.verdict is verdict]


def sides_of(problem: Problem) -> tuple[Stretches, Stretches]:
    """Return both texts of a finding with what differs; what is printed in place of a lost text is not marked."""
    before, after = differing(problem.before, problem.after)
    if problem.labels == SAID and all(one.own for one in (*before, *after)):
        return before, tuple(Stretch(one.text) for one in after)
    return before, after


@dataclass(frozen=True)
class Browsed:
    """A conversation as the page shows it."""

    name: str
    declined: str
    parts: tuple[CutPart, ...]

    @property
    def tokens(self) -> int:
        """How many tokens it has; 0 where no tokenizer is at hand."""
        return sum(part.tokens for part in self.parts)

    @property
    def trained(self) -> int:
        """How many of its tokens start in trained text."""
        return sum(part.tokens for part in self.parts if part.kind == "trained")


def conversations_of(audit: Audit) -> list[Browsed]:
    """Return the conversations with their parts cut at tokens."""
    return [Browsed(one.name, one.declined, tuple(cut(one.parts))) for one in audit.conversations]


@dataclass(frozen=True)
class DiffLine:
    """One line of a difference: `added`, `removed`, `same` or `place`."""

    kind: str
    text: str


def diff_lines(audit: Audit) -> Iterator[DiffLine]:
    """Yield the lines of what the training template changes, without the names of files."""
    if audit.patch is None:
        return
    kinds = {"+": "added", "-": "removed", "@": "place"}
    for line in audit.patch.diff().split("\n")[2:]:
        if line:
            yield DiffLine(kinds.get(line[0], "same"), line)


def source_lines(audit: Audit) -> list[str]:
    """Return the lines of the template as places count them."""
    return with_newlines(audit.template.source).split("\n")


def sections(audit: Audit) -> dict[str, bool]:
    """Return the names of the page's sections, and whether an audit has something for each."""
    always = dict.fromkeys(("verdict", "findings", "checks", "facts", "template"), True)
    return always | {"conversations": bool(audit.conversations), "changes": audit.patch is not None}
