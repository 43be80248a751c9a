"""Rows of a table as conversations: what the columns of a data set say."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

from trainplate.errors import TrainplateError
from trainplate.masks.masker import Said

READ = ("messages", "prompt", "completion", "conversations", "tools", "chat_template_kwargs")
"""The columns that are read; all others are left alone."""
SPEAKERS = {"human": "user", "gpt": "assistant", "function_call": "assistant", "observation": "tool"}
WAY_OUT = "give rows `messages`, or `prompt` and `completion`, as lists of role and content"


class UnreadableRow(TrainplateError):
    """Raised where a row holds no conversation."""


def columns_read(names: list[str]) -> list[str]:
    """Return the columns of a data set that say something here; raises UnreadableRow where none holds messages."""
    if not {"messages", "conversations"} & set(names) and not {"prompt", "completion"} <= set(names):
        raise UnreadableRow(f"no conversations among the columns {', '.join(names)}\n    way out   {WAY_OUT}")
    return [name for name in READ if name in names]


def rows_of(table: pa.Table) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table as plain values; what Arrow only holds because another row has it is left out."""
    names = [name for name in READ if name in table.column_names]
    texts = {name: holds_json(table.schema.field(name).type) for name in names}
    columns = [table.column(name).to_pylist() for name in names]
    for values in zip(*columns, strict=True):
        row = {}
        for name, value in zip(names, values, strict=True):
            if texts[name]:
                value = parsed(value, table.schema.field(name).type)
            row[name] = without_nulls(value)
        yield row


def holds_json(kind: Any) -> bool:
    """Say whether values of a type are JSON text somewhere inside."""
    if getattr(kind, "extension_name", "") == "arrow.json":
        return True
    return any(holds_json(kind.field(index).type) for index in range(kind.num_fields))


def parsed(value: Any, kind: Any) -> Any:
    """Return a value with the JSON text in it read."""
    if value is None:
        return None
    if getattr(kind, "extension_name", "") == "arrow.json":
        return json.loads(value)
    if isinstance(value, dict):
        return {name: parsed(item, kind.field(name).type) for name, item in value.items()}
    if isinstance(value, list) and not isinstance(kind, pa.MapType):
        return [parsed(item, kind.value_type) for item in value]
    return value


def without_nulls(value: Any) -> Any:
    """Leave out the keys of dicts whose value is null: a table gives every row the keys of all rows."""
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [without_nulls(item) for item in value]
    return value


def said_in(row: Mapping[str, Any], options: Mapping[str, Any]) -> Said:
    """Return the conversation of a row; raises UnreadableRow where it has none.

    A prompt is told and not trained, unless its messages say otherwise.
    """
    prompt, completion = row.get("prompt"), row.get("completion")
    if row.get("messages") is not None:
        messages = as_messages(row["messages"], "messages")
    elif row.get("conversations") is not None:
        messages = [as_message(entry) for entry in as_messages(row["conversations"], "conversations")]
    elif prompt is not None and completion is not None:
        told = [{"train": False, **message} for message in as_messages(prompt, "prompt")]
        messages = [*told, *as_messages(completion, "completion")]
    else:
        raise UnreadableRow(f"the row has no messages\n    way out   {WAY_OUT}")
    if not messages:
        raise UnreadableRow("the row's conversation is empty")
    own = read(row.get("chat_template_kwargs")) or {}
    return Said(messages, read(row.get("tools")) or None, {**options, **own})


def as_messages(value: Any, column: str) -> list[Any]:
    """Return a column's messages, also where they are JSON text; raises UnreadableRow where they are none."""
    try:
        found = read(value)
    except ValueError:
        found = value
    if not isinstance(found, list) or not all(isinstance(message, dict) for message in found):
        raise UnreadableRow(f"`{column}` is no list of messages but {str(value)[:40]!r}\n    way out   {WAY_OUT}")
    return found


def as_message(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return an entry with `from` and `value` as a message with role and content."""
    if "role" in entry or "from" not in entry:
        return entry
    kept = {key: value for key, value in entry.items() if key not in ("from", "value")}
    return {"role": SPEAKERS.get(entry["from"], entry["from"]), "content": entry.get("value", ""), **kept}


def read(value: Any) -> Any:
    """Return a value, read where it is JSON text."""
    return json.loads(value) if isinstance(value, str) and value else value
