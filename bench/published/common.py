"""What the workers of the other programs share: the text, and the protocol of bench/worker.h."""
import statistics
import sys
import time

READ, BEFORE, WRITTEN = 512, 16, 32  # as in bench/published.cpp


def text(count):  # of a model with more than 1,100 tokens
    return [100 + 37 * i % 1000 for i in range(count)]


def serve(step):
    """Warms up, then times steps until the other side says that it ends."""
    for _ in range(3):
        step()
    print("ready", flush=True)
    for line in sys.stdin:
        if line.strip() == "end":
            print("memory 0 0", flush=True)
            return
        budget, times = float(line.split()[1]), []
        while sum(times) < budget:
            start = time.perf_counter()
            step()
            times.append(time.perf_counter() - start)
        print("took", statistics.median(times), sum(times) / len(times), flush=True)
