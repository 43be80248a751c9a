from trainplate.conversations import Conversation, Sharing

ASKED = {"role": "user", "content": "Umber1"}
SILENT = {"role": "assistant", "content": ""}
TOOL = {"type": "function", "function": {"name": "get_weather"}}


def told(*messages: dict[str, object], tools: bool = False) -> Conversation:
    copies = tuple(dict(message) for message in messages)
    return Conversation("told", copies, (dict(TOOL),) if tools else None)


def test_what_is_written_alike_is_one_object_and_says_the_same() -> None:
    share = Sharing()
    one, other = told(ASKED, SILENT, tools=True), told(ASKED, tools=True)
    first, second = share.of(one), share.of(other)
    assert (first, second) == (one, other)
    assert first.messages[0] is second.messages[0]
    assert first.tools is second.tools


def test_the_order_of_keys_and_the_kind_of_a_value_are_not_alike() -> None:
    share = Sharing()
    shared = [share.one(value) for value in ({"a": 1, "b": 2}, {"b": 2, "a": 1}, {"a": True, "b": 2})]
    assert len({id(value) for value in shared}) == 3


def test_what_a_conversation_says_twice_stays_two_messages() -> None:
    shared = Sharing().of(told(SILENT, SILENT))
    assert shared.messages[0] is not shared.messages[1]
