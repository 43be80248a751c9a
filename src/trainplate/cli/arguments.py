"""The argument that the commands share."""

from typing import Annotated

import typer

Source = Annotated[str, typer.Argument(metavar="SOURCE", help="File, model folder, trl:NAME or Hub id.")]
