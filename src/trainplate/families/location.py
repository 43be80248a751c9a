"""Where the facts about families lie: inside an installed wheel, or at the root of a checkout."""

from pathlib import Path

from trainplate.errors import LoadingError

PACKAGE = Path(__file__).resolve().parent.parent
FINGERPRINTS = "fingerprints.json"
"""The file in which the digest of every known original stands."""
PATCHES = ".patches.toml"
"""What the name of a file of recorded patches ends with."""


def chat_templates_folder(package: Path = PACKAGE) -> Path:
    """Return the folder `chat_templates`, whether the package was installed from a wheel or in editable form."""
    packed, checkout = package / "chat_templates", package.parent.parent / "chat_templates"
    for folder in (packed, checkout):
        if folder.is_dir():
            return folder
    raise LoadingError(
        f"the facts about chat templates are missing: neither {packed} nor {checkout} is a folder\n"
        "    way out   install trainplate again: the installation is not whole"
    )
