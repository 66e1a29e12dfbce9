//! # What the decoder reads, and what it is asked
//!
//! In training, the decoder of lesson {transformer} reads "(start) I am a student". Row 1 predicts
//! "I", row 2 "am", and row 5 the end of the sentence. Make both lists for a batch of sentences.
//!
//! `my_decoder_batch(sentences, start, end, padding)` returns `inputs` and `labels`. All their rows have
//! the same length, one more than the longest sentence.
//!
//! * A row of `inputs` is the start token, the words, and then padding.
//! * A row of `labels` is the words, the end token, and then -100, where nothing is asked.
//!
//! With the start token 1, the end token 2 and padding 0, the sentences 7 8 9 and 5 give the inputs 1 7 8
//! 9 and 1 5 0 0, and the labels 7 8 9 2 and 5 2 -100 -100.
//!
//! The words may contain any id, even that of the padding or of the end.
//!
//! Level 1 of 3, about 10 minutes.
#include <algorithm>
#include <vector>

#include "lessons/course/exercise/write.h"

using Rows = std::vector<std::vector<int>>;

struct DecoderBatch {
    Rows inputs, labels;
};

DecoderBatch my_decoder_batch(const Rows& sentences, int start, int end, int padding) {
    not_written();
}
