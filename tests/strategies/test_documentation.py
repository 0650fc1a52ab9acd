"""The example in docs/strategies.md runs as it stands."""

import re
from pathlib import Path

DOCUMENT = Path(__file__).parents[2] / "docs" / "strategies.md"


def test_the_example_of_the_documentation_runs() -> None:
    """Each test function of the example passes when called the way pytest calls it."""
    code = re.search(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    assert code is not None
    namespace: dict[str, object] = {"__name__": "example"}
    exec(compile(code.group(1), str(DOCUMENT), "exec"), namespace)
    tests = [value for name, value in namespace.items() if name.startswith("test_")]
    assert len(tests) == 3
    for test in tests:
        assert callable(test)
        test()
