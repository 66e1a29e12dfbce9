// The text of a vocabulary, as it stands in files and in the metadata of saved models: written again
// it is the same text.
#include "nn/data/vocabulary.h"

#include "tests/fuzz/harness.h"

void heed::fuzz::vocabulary(std::string_view bytes) {
    Vocabulary read;
    if (!accepts([&] { read = Vocabulary::parse(bytes, file); })) return;
    if (read.to_text() != bytes) wrong("the tokens are not those of the text");
}
