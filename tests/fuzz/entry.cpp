// The program that libFuzzer makes of one harness. HEED_HARNESS names it, such as sound.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/harness.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    heed::fuzz::HEED_HARNESS({reinterpret_cast<const char*>(data), size});
    return 0;
}
