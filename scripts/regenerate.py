"""Writes everything that is generated; `--check` says what is stale, and writes nothing."""

import argparse
import json
import os
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

from make_demo_tokenizer import DEMO, trained

from trainplate.cli.app import run
from trainplate.writing import write_text

README = Path(__file__).resolve().parent.parent / "README.md"
TOKENIZER = DEMO / "tokenizer.json"
TEMPLATE, CONVERSATION = str(DEMO / "chat_template.jinja"), str(DEMO / "conversation.json")


def generated() -> Iterator[tuple[Path, str]]:
    """Yield every generated file with the text it must have."""
    yield TOKENIZER, tokenizer()
    yield README, readme()


def tokenizer() -> str:
    """Return the demo's tokenizer; releases of tokenizers spell out defaults differently, which makes none stale."""
    made, stored = trained().to_str(pretty=False), TOKENIZER.read_text(encoding="utf-8")
    return stored if json.loads(made)["model"]["merges"] == json.loads(stored)["model"]["merges"] else made


def readme() -> str:
    """Return the README with each block marked `<!-- name -->` as the commands print it now."""
    text = README.read_text(encoding="utf-8")
    for name, content in blocks():
        start = text.index(f"<!-- {name} -->\n```")
        inside = text.index("\n", start + len(f"<!-- {name} -->\n")) + 1
        text = text[:inside] + content + text[text.index("```\n", inside) :]
    return text


def blocks() -> Iterator[tuple[str, str]]:
    """Yield the README's examples: a conversation before and after, and what was changed for it."""
    yield "before", printed("show", TEMPLATE, "--conversation", CONVERSATION, "--original")
    yield "difference", printed("diff", TEMPLATE)
    yield "after", printed("show", TEMPLATE, "--conversation", CONVERSATION)


def printed(*arguments: str) -> str:
    """Return what a command answers, or says where it has no answer, with the template's path cut to its name."""
    out, said = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(said):
        run(list(arguments))
    answer = out.getvalue() or said.getvalue()
    return answer.replace(TEMPLATE, Path(TEMPLATE).name).rstrip("\n") + "\n"


def main() -> int:
    """Write what is stale, or say it; exit 1 where `--check` finds anything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="say what is stale, and write nothing")
    check = parser.parse_args().check
    os.environ["NO_COLOR"] = "1"
    stale = [(path, text) for path, text in generated() if path.read_text(encoding="utf-8") != text]
    for path, text in stale:
        print(f"{path.name}: {'stale, run scripts/regenerate.py' if check else 'written'}")
        if not check:
            write_text(path, text)
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
