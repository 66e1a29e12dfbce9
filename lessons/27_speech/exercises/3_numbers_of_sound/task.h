//! # Frames, loudness and reach, with a pencil
//!
//! Three numbers about the sounds of lesson {speech}.
//!
//! 1. `my_frames()`: a sentence takes exactly one second. It has 8,000 samples. A frame is
//!    200 samples long, and a new frame starts every 160 samples. Only full frames count. How many
//!    frames does the sentence have?
//! 2. `my_step()`: a second recording of the sentence differs in one thing: every **sample** is ten
//!    times as large. By how much does each of the 40 numbers of a frame grow? (A channel is the
//!    natural logarithm of a sum of powers $P_k = C_k^2 + S_k^2$.)
//! 3. `my_reach()`: leave out the attention of the Conformer and keep its convolutions, with a
//!    kernel of 7 frames in each of **two** blocks. Each convolution reaches 3 frames to each side.
//!    How many input frames can influence one output frame, itself included, far from the ends of
//!    the word?
//!
//! Level 1 of 3, about 10 minutes.
#include <cmath>

#include "lessons/course/exercise/write.h"

double my_frames() { not_written(); }

double my_step() { not_written(); }

double my_reach() { not_written(); }
