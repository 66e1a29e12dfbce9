// GGUF files. The numbers of a tensor of type F32 are the bytes of the file from its begin on, of F16 and
// BF16 they are as many as the bytes say.
#include "nn/saved/gguf.h"

#include <cstring>

#include "nn/text/tokenizer.h"
#include "tests/fuzz/harness.h"

void heed::fuzz::gguf(std::string_view bytes) {
    std::vector<Gguf> read;
    if (!accepts([&] { read.push_back(Gguf::parse(bytes, file)); })) return;
    for (const GgufTensor& entry : read[0].tensors()) {
        const Tensor x = read[0].tensor(entry.name);
        if (entry.begin + entry.bytes > bytes.size()) wrong("a tensor beyond the end");
        if (entry.type == GgufType::f32 &&
            std::memcmp(x.data<float>(), bytes.data() + entry.begin, entry.bytes) != 0)
            wrong("the numbers");
        if (Gguf::is_matrix(entry) &&
            read[0].matrix(entry.name).bytes() != static_cast<int64_t>(entry.bytes))
            wrong("the blocks");
    }
    accepts([&] {
        const Tokenizer tokenizer = tokenizer_of(read[0]);
        tokenizer.decode(tokenizer.encode("he \xff人"));
    });
}
