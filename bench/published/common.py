"""What the workers of a published model share: the text, and serve()."""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from protocol import serve  # noqa: E402, F401

READ, BEFORE, WRITTEN = 512, 16, 32  # as in bench/published.cpp


def text(count):  # of a model with more than 1,100 tokens
    return [100 + 37 * i % 1000 for i in range(count)]
