"""Prints the calls that a server sees which reads lines in text mode. Of two members of one name, it takes the last."""

import json
import math
import sys

FIRST_WINS = False


def members(pairs):
    return dict(reversed(pairs)) if FIRST_WINS else dict(pairs)


def number(text):
    """A double, or the text of a number beyond all doubles."""
    double = float(text)
    return double if math.isfinite(double) else text


def main():
    with open(sys.argv[1], encoding="utf-8") as lines:
        for line in lines:
            try:
                message = json.loads(line, object_pairs_hook=members, parse_float=number)
            except (ValueError, RecursionError):
                continue
            if isinstance(message, dict) and message.get("method") == "tools/call":
                params = message.get("params")
                params = params if isinstance(params, dict) else {}
                print(json.dumps([params.get("name"), params.get("arguments", {})]))


if __name__ == "__main__":
    main()
