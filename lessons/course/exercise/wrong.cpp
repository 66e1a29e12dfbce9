#include "lessons/course/exercise/wrong.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "autograd/base/error.h"
#include "autograd/base/input_file.h"

namespace heed::course {
namespace {

struct Line {
    std::size_t number;
    std::string text;
};

std::string without_indentation(const std::string& line) {
    return line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
}

std::string text_of(const std::vector<std::string>& lines) {
    return fmt::format("{}", fmt::join(lines, "\n"));
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

void check_line(bool holds, const std::string& name, std::size_t line, const std::string& message) {
    if (!holds) throw InputError(fmt::format("{}: line {}: {}", name, line, message));
}

// Of letters, digits and underlines.
bool is_name(const std::string& text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
        return std::isalnum(c) || c == '_';
    });
}

int occurrences(const std::string& text, const std::string& part) {
    int count = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++count;
    return count;
}

// Reads the lines one after the other; a blank one ends an answer.
class Reader {
  public:
    Reader(const std::string& text, const std::string& name) : name_(name) {
        for (const std::string& line : lines_of(text)) {
            ++number_;
            if (!line.starts_with("#")) lines_.push_back({number_, line});
        }
        lines_.push_back({number_ + 1, ""});
    }

    // Whether there is one more answer.
    bool next() {
        while (at_ < lines_.size() && lines_[at_].text.empty()) ++at_;
        return at_ < lines_.size();
    }

    WrongAnswer answer(const std::string& solution) {
        const std::string line = lines_[at_].text;
        const std::size_t colon = line.find(": ");
        expect(
            colon != std::string::npos && is_name(line.substr(0, colon)) && colon + 2 < line.size(),
            "a line 'name: words that the judge must find'");
        WrongAnswer answer{line.substr(0, colon), line.substr(colon + 2), solution};
        ++at_;
        do edit(answer.source);
        while (!lines_[at_].text.empty());
        return answer;
    }

  private:
    void edit(std::string& source) {
        const std::size_t first = at_;
        const std::string old = text_of(run('-'));
        expect(!old.empty(), "a line '- ' of the solution");
        const std::vector<std::string> lines = run('+');
        expect(!lines.empty(), "a line '+ ', or '+' alone to delete");
        const int count = occurrences(source, old);
        check_line(
            count == 1, name_, lines_[first].number,
            fmt::format("expected text that occurs once in the solution; this occurs {} times",
                        count));
        source.replace(source.find(old), old.size(), text_of(lines));
    }

    // The next lines that begin with this sign, without it and without indentation.
    std::vector<std::string> run(char sign) {
        std::vector<std::string> lines;
        for (; lines_[at_].text.starts_with(sign); ++at_) {
            const std::string& line = lines_[at_].text;
            expect(line.size() == 1 || line[1] == ' ', "a blank after the sign");
            lines.push_back(without_indentation(line.substr(1)));
        }
        return lines;
    }

    void expect(bool holds, const char* what) const {
        const auto& [number, line] = lines_[at_];
        check_line(holds, name_, number, fmt::format("expected {}, found '{}'", what, line));
    }

    std::string name_;
    std::vector<Line> lines_;
    std::size_t number_ = 0, at_ = 0;
};

}  // namespace

std::vector<WrongAnswer> parse_wrong(const std::string& text, const std::string& name,
                                     const std::string& solution) {
    std::vector<std::string> lines = lines_of(solution);
    for (std::string& line : lines) line = without_indentation(line);
    const std::string plain = text_of(lines) + "\n";
    std::vector<WrongAnswer> all;
    for (Reader reader(text, name); reader.next();) {
        WrongAnswer answer = reader.answer(plain);
        for (const WrongAnswer& other : all)
            check(other.name != answer.name, "{}: two answers are called '{}'", name, other.name);
        all.push_back(std::move(answer));
    }
    return all;
}

std::vector<WrongAnswer> wrong_answers(const Exercise& exercise) {
    const std::string name = exercise.folder + "/wrong.txt";
    return parse_wrong(read_regular_file(name), name,
                       read_regular_file(exercise.folder + "/solution.h"));
}

}  // namespace heed::course
