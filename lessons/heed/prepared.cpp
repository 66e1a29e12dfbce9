// What only the script ./heed can do: install packages and configure.
#include <cstdlib>

#include "autograd/base/error.h"
#include "lessons/heed/commands.h"

namespace heed::course {

Place prepared(const Place& place, const std::string& preset, bool benchmarks) {
    setenv("HEED_PRESET", preset.c_str(), 1);
    const int status =
        run_program({place.root + "/heed", "--prepare", benchmarks ? "benchmark" : "-"});
    setenv("HEED_PRESET", place.preset.c_str(), 1);
    check(status == 0, "build/{} could not be prepared", preset);
    return configured_place(place.root, preset);
}

}  // namespace heed::course
