"""How far two texts are the same."""


def common_start(a: str, b: str) -> int:
    """Return the length of the longest text with which both begin."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[:middle] == b[:middle]:
            low = middle
        else:
            high = middle - 1
    return low
