"""What we say to a template, and what a template can be told."""

from trainplate.conversations.conversation import (
    Conversation,
    Message,
    Tool,
    arguments_as_json_text,
    as_parts,
    given_arguments,
    silence_as_empty,
    spoken,
    text_of,
    with_options,
    with_reasoning_key,
    words,
)
from trainplate.conversations.features import FEATURES, Answer, Feature, features_of
from trainplate.conversations.form import Form
from trainplate.conversations.knobs import names_read, read_knobs
from trainplate.conversations.randomness import random_conversations
from trainplate.conversations.selection import Selection, applicable, option_sets
from trainplate.conversations.sharing import Sharing
from trainplate.conversations.suite_files import named, read_conversation, suite
from trainplate.conversations.support import Say, Support, learn_support
from trainplate.conversations.untold_fields import fields_held, untold_fields

__all__ = [
    "FEATURES",
    "Answer",
    "Conversation",
    "Feature",
    "Form",
    "Message",
    "Say",
    "Selection",
    "Sharing",
    "Support",
    "Tool",
    "applicable",
    "arguments_as_json_text",
    "as_parts",
    "features_of",
    "fields_held",
    "given_arguments",
    "learn_support",
    "named",
    "names_read",
    "option_sets",
    "random_conversations",
    "read_conversation",
    "read_knobs",
    "silence_as_empty",
    "spoken",
    "suite",
    "text_of",
    "untold_fields",
    "with_options",
    "with_reasoning_key",
    "words",
]
