// The options of every lesson, and those a lesson adds for itself. Whatever is mistaken about one
// is said by its name, with what was expected.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace heed::course {

// What a lesson says about itself before it runs.
struct About {
    int number = 0;
    std::string name{};      // as in its folder: "translation" of lessons/09_translation
    std::string title{};     // "Korean to English, from first principles"
    std::string question{};  // the question it asks, one or two sentences
    std::string data{};      // what --data takes, for --help; empty: it takes none
    std::string own_data = "generated";  // what it works on without --data
    bool saves_model = false;            // whether it takes --save and --load
};

struct Options {
    bool quick = false;
    std::uint64_t seed = 1;
    int threads = 0;  // 0: one per processor
    std::string data, out, save, load;
    bool predict = true;
};

// One option. A switch expects nothing; otherwise `take` gets the text and throws heed::Error if it
// will not do.
struct Option {
    std::string name;  // "--swap"
    std::string help;
    std::string expects;  // "N", "FILE"; empty for a switch
    std::function<void(const std::string&)> take;
};

// Reads the command line into `options`. Returns the text of --help when that was asked for, else
// an empty one. Throws heed::Error for whatever is wrong.
std::string read_options(int argc, const char* const* argv, const About& about,
                         const std::vector<Option>& extra, Options& options);

// The text as a number. Throw heed::Error, naming the option and what was expected.
std::int64_t parse_whole(const std::string& option, const std::string& text, std::int64_t low,
                         std::int64_t high);
double parse_number(const std::string& option, const std::string& text);

// The text, which must name something that exists (a file or a folder), or one of the choices.
std::string parse_existing(const std::string& option, const std::string& text);
std::string parse_choice(const std::string& option, const std::string& text,
                         const std::vector<std::string>& choices);

}  // namespace heed::course
