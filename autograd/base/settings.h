// The numbers that a user sets for a layer or a function: sizes, counts, rates.
//
//     check_positive("MultiHead", {{"width", o.width}, {"heads", o.heads}});
//
//     MultiHead: heads is 0; expected a positive number
#pragma once

#include <initializer_list>

#include "autograd/base/error.h"

namespace heed {

struct Setting {
    const char* name = nullptr;
    double value = 0;

    template <class T>
    constexpr Setting(const char* its_name, T its_value)
        : name(its_name), value(static_cast<double>(its_value)) {}
};

// Each throws for the first of the settings that is not so, and for NaN.
inline void check_positive(const char* function, std::initializer_list<Setting> settings) {
    for (const Setting& s : settings)
        check(s.value > 0, "{}: {} is {}; expected a positive number", function, s.name, s.value);
}
inline void check_not_negative(const char* function, std::initializer_list<Setting> settings) {
    for (const Setting& s : settings)
        check(s.value >= 0, "{}: {} is {}; expected 0 or more", function, s.name, s.value);
}
// A probability with which something is dropped: 1 would drop all.
inline void check_rate(const char* function, std::initializer_list<Setting> settings) {
    for (const Setting& s : settings)
        check(s.value >= 0 && s.value < 1, "{}: {} is {}; expected at least 0 and less than 1",
              function, s.name, s.value);
}

}  // namespace heed
