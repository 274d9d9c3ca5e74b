"""Functions that are tools, plain and async, guarded by a decorator."""

from __future__ import annotations

import asyncio

from unstuck import Denied, Guard, Halted

guard = Guard()


@guard.tool
def run_tests(command: str = "pytest") -> str:
    return "FAILED tests/test_auth.py::test_login"


@guard.tool(name="web_search", read_only=True)
async def search(query: str) -> str:
    await asyncio.sleep(0)
    return "no results"


async def main() -> list[str]:
    results: list[str] = []
    for _ in range(30):
        try:
            results.append(await search("how to log in"))
            results.append(run_tests())
        except Halted as halted:
            results.append(f"The run ends: {halted}")
            break
        except Denied as denied:
            # The model gets this in place of a result.
            results.append(str(denied))
    return results


if __name__ == "__main__":
    texts = asyncio.run(main())
    print("\n".join(texts))
    assert texts[0] == "no results"
    assert texts[-1].startswith("The run ends: [unstuck]")
