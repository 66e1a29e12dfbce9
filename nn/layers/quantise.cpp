#include "nn/layers/quantise.h"

namespace heed {

BlockFormat block_format(const QuantiseOptions& options) {
    check(options.bits == 8 || options.bits == 4, "quantise: {} bits; expected 8 or 4",
          options.bits);
    check(options.bits == 4 || !options.minimum,
          "quantise: a minimum for each group goes with 4 bits; with 8 there is none");
    return options.bits == 8 ? BlockFormat::q8_0
           : options.minimum ? BlockFormat::q4_1
                             : BlockFormat::q4_0;
}

}  // namespace heed
