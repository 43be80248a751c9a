"""Writing a file whole or not at all."""

import os
import secrets
import stat
from pathlib import Path

from trainplate.errors import TrainplateError


class WritingError(TrainplateError):
    """Raised where a file cannot be written; what was there before is untouched."""


def write_text(path: Path, text: str, *, make_folder: bool = False) -> None:
    """Put the text into the file, byte for byte, in one step: a reader sees the old file or the new one.

    The text is written beside the file and then renamed over it. A file that was there keeps its permissions, and
    a link stays a link: what it leads to is replaced. A pipe or a device has nothing to rename and is written to.
    """
    target = Path(os.path.realpath(path))
    try:
        data = text.encode("utf-8")
        if make_folder:
            target.parent.mkdir(exist_ok=True)
        if target.exists() and not target.is_file():
            target.write_bytes(data)
        else:
            replace_file(target, data)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        way_out = "name a file in a folder that exists and that you may write to"
        raise WritingError(f"{path}: cannot be written: {reason}\n    way out   {way_out}") from None


def replace_file(target: Path, data: bytes) -> None:
    """Write beside the target, on its file system and safely on the disk, then rename; nothing else is left behind."""
    beside = target.parent / f".{target.name[:100]}.{secrets.token_hex(8)}"
    try:
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            os.chmod(beside, stat.S_IMODE(target.stat().st_mode))
        os.replace(beside, target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
