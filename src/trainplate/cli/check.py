"""`trainplate check`: the files of a commit, judged without a search."""

from typing import Annotated

import typer

from trainplate.cli.checking import check_files

FIX = "Write the training template where one is missing or wrong."


def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Any files; those of a commit.")],
    fix: Annotated[bool, typer.Option("--fix", help=FIX)] = False,
) -> None:
    """Check the chat templates among files; others are passed over.

    A chat template is a .jinja file that reads messages, or a tokenizer_config.json, chat_template.json or
    processor_config.json with a chat_template. NAME_training.jinja is held to the contract against the original NAME
    beside it, a template with markers against its own text. An original without markers must render plain
    conversations, and have its training template beside it; --fix writes that, and exits with 1 for it to be added.
    """
    raise typer.Exit(check_files(files, fix=fix))
