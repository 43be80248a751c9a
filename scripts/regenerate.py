"""Writes everything that is generated; `--check` says what is stale, and writes nothing.

The recorded patches stay as they are, unless `--engine` lets the engine write them anew.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import family_files
from make_demo_tokenizer import DEMO, trained

from trainplate.cli.app import run

README = Path(__file__).resolve().parent.parent / "README.md"
TABLE = "<!-- families -->\n"
TOKENIZER = DEMO / "tokenizer.json"
TEMPLATE, CONVERSATION = str(DEMO / "chat_template.jinja"), str(DEMO / "conversation.json")


def generated(*, engine: bool = False) -> Iterator[tuple[Path, str]]:
    """Yield every generated file with the text it must have; `engine` patches every known original anew."""
    families = family_files.known(engine=engine)
    yield from family_files.generated(families)
    yield TOKENIZER, tokenizer()
    yield README, readme(family_files.table(family.measured for family in families))


def tokenizer() -> str:
    """Return the demo's tokenizer; releases of tokenizers spell out defaults differently, which makes none stale."""
    made, stored = trained().to_str(pretty=False), TOKENIZER.read_text(encoding="utf-8")
    return stored if json.loads(made)["model"]["merges"] == json.loads(stored)["model"]["merges"] else made


def readme(table: str) -> str:
    """Return the README with each block marked `<!-- name -->` as the commands print it now, and the table."""
    text = README.read_text(encoding="utf-8")
    if TABLE in text:
        start = text.index(TABLE) + len(TABLE)
        text = text[:start] + table + text[text.index("\n\n", start) + 1 :]
    for name, content in blocks():
        start = text.index(f"<!-- {name} -->\n```")
        inside = text.index("\n", start + len(f"<!-- {name} -->\n")) + 1
        text = text[:inside] + content + text[text.index("```\n", inside) :]
    return text


def blocks() -> Iterator[tuple[str, str]]:
    """Yield the README's examples: a conversation before and after, what was changed for it, and an audit."""
    yield "before", printed("show", TEMPLATE, "--conversation", CONVERSATION, "--original")
    yield "difference", printed("diff", TEMPLATE)
    yield "after", printed("show", TEMPLATE, "--conversation", CONVERSATION)
    with chdir(DEMO):  # what to do next is told with the path that was given
        yield "audit", shortened(printed("audit", Path(TEMPLATE).name))


def shortened(report: str) -> str:
    """Return the verdict of an audit, its first finding, and what to do."""
    verdict, finding, *_, steps = report.split("\n\n")
    return "\n\n".join((verdict, finding, "...", steps))


def printed(*arguments: str) -> str:
    """Return what a command answers, or says where it has no answer, with the template's path cut to its name."""
    out, said = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(said):
        run(list(arguments))
    answer = out.getvalue() or said.getvalue()
    name = Path(TEMPLATE).name
    for side in "ab":  # a diff writes `a/` before a relative path, and no second slash before an absolute one
        answer = answer.replace(f"{side}{TEMPLATE}", f"{side}/{name}")
    return answer.replace(TEMPLATE, name).rstrip("\n") + "\n"


def main() -> int:
    """Write what is stale, or say it; exit 1 where `--check` finds anything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="say what is stale, and write nothing")
    parser.add_argument("--engine", action="store_true", help="patch every known original anew, in some minutes")
    arguments = parser.parse_args()
    check = arguments.check
    os.environ["NO_COLOR"] = "1"
    files = list(generated(engine=arguments.engine))
    found = [path for path, _ in family_files.stale(files)] if check else family_files.write(files)
    for path in found:
        print(f"{path.name}: {'stale, run scripts/regenerate.py' if check else 'written'}")
    return 1 if check and found else 0


if __name__ == "__main__":
    sys.exit(main())
