// How many processors this program may use, and what they and their caches are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace heed {

// As many as OMP_NUM_THREADS says, if it is set. Otherwise the number of processors that the
// operating system lets this process use (on Linux, its affinity mask), but no more than the quota
// of its container pays for: a container with the quota of two processors on a machine with 64 gets
// two threads. At least 1.
int usable_processors();

// The first number of OMP_NUM_THREADS, which may be a list such as "4,2". Nothing if it is not a
// whole number from 1 to 1024.
std::optional<int> threads_asked_for(std::string_view omp_num_threads);

// The number of processors that a quota pays for, rounded up, from the text of the file cpu.max of
// Linux's control groups: "200000 100000" (microseconds of processor time, in a period of so many)
// gives 2. Nothing if there is no quota ("max 100000") or the text is not of this form.
std::optional<int> processors_of_quota(std::string_view cpu_max);

// The size of the cache for data of level 1, 2 or 3 that a core uses. Nothing if the system does not tell.
std::optional<int64_t> cache_bytes(int level);

// The number of bytes that Linux means by "2048K" or "1M" (of a cache, in /sys). Nothing for other
// texts.
std::optional<int64_t> bytes_of_size(std::string_view size);

// The maker and model of the processor, "Intel(R) Xeon(R) Processor, family 6, model 143"; for tables
// of measurements. "unknown processor" if the system does not tell.
std::string processor_name();

}  // namespace heed
