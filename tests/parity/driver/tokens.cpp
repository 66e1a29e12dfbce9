// heed's half of tests/parity/random_texts.py: encodes the texts of a file.
//
//     heed_tokens TOKENIZER GIVEN MADE [--specials]
//
// GIVEN holds for each text its length, 4 bytes, and its bytes; MADE gets for each text the number of
// its ids, 4 bytes, and the ids, 4 bytes each. A text that decode() does not give back is counted. Prints the seconds of encoding alone, and that count.
#include <fmt/format.h>

#include <chrono>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "autograd/base/input_file.h"
#include "autograd/base/whole_file.h"
#include "nn/text/tokenizer.h"

int main(int argc, char** argv) {
    using namespace heed;
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() < 3) {
        fmt::print(stderr, "heed_tokens TOKENIZER GIVEN MADE [--specials]\n");
        return 2;
    }
    const Tokenizer tokenizer = load_tokenizer(words[0]);
    const EncodeOptions options{.specials_in_text = words.size() > 3 && words[3] == "--specials"};
    const std::string given = read_file(words[1]);
    std::string made;
    int not_given_back = 0;
    double seconds = 0;
    for (std::string_view rest = given; !rest.empty();) {
        std::uint32_t length;
        std::memcpy(&length, rest.data(), 4);
        const std::string_view text = rest.substr(4, length);
        rest.remove_prefix(4 + length);
        const auto begin = std::chrono::steady_clock::now();
        const std::vector<int> ids = tokenizer.encode(text, options);
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (tokenizer.decode(ids, options.specials_in_text) != text) ++not_given_back;
        const auto count = static_cast<std::uint32_t>(ids.size());
        made.append(reinterpret_cast<const char*>(&count), 4);
        made.append(reinterpret_cast<const char*>(ids.data()), 4 * ids.size());
    }
    write_whole_file(words[2], made);
    fmt::print("{} {}\n", seconds, not_given_back);
    return 0;
}
