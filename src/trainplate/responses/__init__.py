"""What a model wrote, read back into a message: how a template delimits reasoning, content and tool calls."""

from trainplate.responses.derivation import ResponseTemplate, derive_response_template, response_template
from trainplate.responses.reasoning import split_reasoning

__all__ = ["ResponseTemplate", "derive_response_template", "response_template", "split_reasoning"]
