// The line of a program that calls a function, as a default argument:
//
//     void show(int x, Where where = Where::current());
#pragma once

#include <version>
#ifdef __cpp_lib_source_location
#include <source_location>
#endif

namespace heed::course {

#ifdef __cpp_lib_source_location
using Where = std::source_location;
#else  // Clang before 16 with the standard library of GCC
class Where {
  public:
    // Not consteval: Clang 14 refuses that as a default argument of a consteval function.
    static constexpr Where current(const char* file = __builtin_FILE(),
                                   unsigned line = __builtin_LINE()) {
        Where where;
        where.file_ = file;
        where.line_ = line;
        return where;
    }
    constexpr const char* file_name() const { return file_; }
    constexpr unsigned line() const { return line_; }

  private:
    const char* file_ = "";
    unsigned line_ = 0;
};
#endif

}  // namespace heed::course
