"""A product in numpy, that is, in its OpenBLAS.

    python3 numpy_worker.py FILE THREADS [--results FILE]
"""
import argparse
import os
import pathlib
import sys

parser = argparse.ArgumentParser()
parser.add_argument("file")
parser.add_argument("threads")
parser.add_argument("--results")
options = parser.parse_args()
os.environ["OPENBLAS_NUM_THREADS"] = options.threads  # read when numpy is imported

sys.path.append(str(pathlib.Path(__file__).parents[1]))
import protocol  # noqa: E402

before = protocol.peak_bytes()
import files  # noqa: E402

tensors, _ = files.load(options.file)
x, w = tensors["x"], tensors["w"].T
if options.results:
    files.save(options.results, {"output": x @ w})
protocol.serve(lambda: x @ w, before)
