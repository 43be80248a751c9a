import pytest


@pytest.fixture(scope="session")
def parse():
    """Return transformers' own parser of responses."""
    parsing = pytest.importorskip("transformers.utils.chat_parsing", reason="parsing needs transformers 5.13 or newer")

    def parsed(template, prompt, completion, tools=None):
        return parsing.parse_response(completion, template, prefix=prompt, tools=tools)

    return parsed
