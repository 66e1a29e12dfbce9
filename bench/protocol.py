"""What the workers in Python share: the protocol of bench/worker.h."""
import resource
import statistics
import sys
import time


def peak_bytes():
    """On Linux a process inherits ru_maxrss from its parent process, so /proc is read there."""
    try:
        with open("/proc/self/status") as status:
            return next(1024 * int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def serve(step, before=0):
    """Warms up, then times steps until the other side says that it ends, or is no longer there."""
    for _ in range(3):
        step()
    print("ready", flush=True)
    for line in sys.stdin:
        if line.strip() == "end":
            print("memory", peak_bytes(), before, flush=True)
            return
        budget, times, spent = float(line.split()[1]), [], 0.0
        while spent < budget:
            start = time.perf_counter()
            step()
            times.append(time.perf_counter() - start)
            spent += times[-1]
        print("took", statistics.median(times), spent / len(times), flush=True)
