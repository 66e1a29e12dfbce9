#include "lessons/course/exercise/write.h"

// 4 P bytes for the parameters, 4 P for the gradients, 8 P for Adam's two running means.
double my_fixed() { return 16 * 12. * 128 * 128 * 6 / 1e6; }

// 4 c B T D L: nearly six times as much.
double my_activations() { return 4. * 17 * 8 * 256 * 128 * 6 / 1e6; }

// One input for each piece, and all activations of one piece of 24 / 8 = 3 layers.
double my_vectors() { return 8 + 17 * 24 / 8.; }
