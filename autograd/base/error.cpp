#include "autograd/base/error.h"

namespace heed {

void throw_error(fmt::string_view format, fmt::format_args args) {
    throw Error(fmt::vformat(format, args));
}

}  // namespace heed
