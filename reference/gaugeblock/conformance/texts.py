"""What a subject says, made fit to be shown."""


def printable(text: str) -> str:
    """Return ``text`` with every control character but line feeds and tabs escaped, so that none reaches a terminal."""
    return "".join(each if each.isprintable() or each in "\n\t" else repr(each)[1:-1] for each in text)
