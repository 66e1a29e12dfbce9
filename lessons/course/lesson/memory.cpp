#include "lessons/course/lesson/memory.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "autograd/base/error.h"
#include "lessons/course/terminal/text.h"

namespace heed::course {
namespace {

std::string gigabytes(double bytes) { return number(bytes / 1e9, 3) + " GB"; }

}  // namespace

double bytes_of_machine() {
    double bytes = std::numeric_limits<double>::infinity();
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page > 0) bytes = static_cast<double>(pages) * static_cast<double>(page);
    for (const char* limit :
         {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
        double most = 0;  // "max" is no number and leaves it 0
        if (std::ifstream(limit) >> most && most > 0) bytes = std::min(bytes, most);
    }
    return bytes;
}

void check_memory(const std::string& options, double bytes, double available) {
    if (bytes > available)
        fail("{}: about {} of memory are needed, and this machine has {}", options,
             gigabytes(bytes), gigabytes(available));
}

}  // namespace heed::course
