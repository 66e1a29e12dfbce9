#include "autograd/base/environment.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "autograd/base/printable.h"
#include "autograd/base/processors.h"

namespace heed {
namespace {

bool any(const std::string&) { return true; }

bool is_switch(const std::string& value) { return value == "0" || value == "1"; }

bool is_check(const std::string& value) { return value == "finite"; }

bool is_folder(const std::string& path) {
    std::error_code none;
    return std::filesystem::is_directory(path, none);
}

}  // namespace

const std::vector<EnvironmentVariable>& environment_variables() {
    static const std::vector<EnvironmentVariable> all{
        {"OMP_NUM_THREADS", "a number of threads from 1 to 1024",
         [](const std::string& value) { return threads_asked_for(value).has_value(); }},
        {"HEED_MEMORY", "1, which reports the memory that was used", &is_switch},
        {"HEED_CHECK", "finite, which stops at the first number that is not", &is_check},
        {"HEED_HOME", "the folder of heed", &is_folder},
        {"HEED_TOLD", "1", &is_switch},  // ./heed learn sets it
        {"HEED_PRESET", "", &any},       // the script heed looks it up in CMakePresets.json
        {"HEED_PYTHON", "", &any},       // ./heed bench asks it for PyTorch
        {"OMPI_COMM_WORLD_SIZE", "", &any},
        {"PMI_SIZE", "", &any},
        {"MPI_LOCALNRANKS", "", &any},
        {"TERM", "", &any},
        {"NO_COLOR", "", &any},
        {"COLORFGBG", "", &any},
    };
    return all;
}

std::vector<std::string> refuse_in_environment() {
    std::vector<std::string> said;
    for (const EnvironmentVariable& variable : environment_variables()) {
        const char* value = std::getenv(variable.name);
        if (!value || *value == '\0' || variable.accepts(value)) continue;
        said.push_back(fmt::format("{}={}: expected {}; it is not used", variable.name,
                                   escaped(value), variable.expected));
        unsetenv(variable.name);
    }
    return said;
}

}  // namespace heed
