// ./heed chat FILE --mine: a published Llama whose embedding, norm, rotation, attention and feed-forward
// network are the reader's functions. It compares its logits with the library's, says what each part costs, and
// then talks. --what-breaks puts one mistake after the other into it, those that people make in these
// exercises.
//
// This file is compiled after the namespaces of the parts, and each_answer() (own_program.h).
#include <algorithm>
#include <chrono>
#include <cmath>

#include "autograd/base/utf8.h"
#include "lessons/course/course.h"
#include "lessons/material/chat/dialogue.h"
#include "lessons/mine/llama.h"
#include "lessons/mine/program.h"

namespace heed::mine {
namespace {

using course::number;

LlamaParts parts_of_the_reader() {
    return {.embedding = part_one_hot_lookup::my_lookup,
            .norm = part_rms_norm::my_rms_norm,
            .rotation = part_llama_rotary::my_rotary,
            .attention =
                [](const Tensor& q, const Tensor& k, const Tensor& v, int64_t heads) {
                    return part_grouped_queries::my_grouped(q, k, v, heads).context;
                },
            .network = part_gated_network::my_swiglu};
}

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// Calls visit(a.PLACE, b.PLACE) for the function of this exercise.
void with_place(const std::string& exercise, LlamaParts& a, const LlamaParts& b, auto&& visit) {
    if (exercise == "one_hot_lookup") visit(a.embedding, b.embedding);
    if (exercise == "rms_norm") visit(a.norm, b.norm);
    if (exercise == "llama_rotary") visit(a.rotation, b.rotation);
    if (exercise == "grouped_queries") visit(a.attention, b.attention);
    if (exercise == "gated_network") visit(a.network, b.network);
}

// The library's functions, but this one from `other`, which adds the time that it takes to `seconds`.
LlamaParts library_but(const std::string& exercise, const LlamaParts& other, double& seconds) {
    LlamaParts all = parts_of_the_library();
    with_place(exercise, all, other, [&](auto& place, const auto& f) {
        place = [&seconds, f](const auto&... inputs) {
            const double start = seconds_now();
            Tensor y = f(inputs...);
            seconds += seconds_now() - start;
            return y;
        };
    });
    return all;
}

// The logits after each token, [T, V].
Tensor read(const LlamaWeights& weights, const LlamaParts& parts, const std::vector<int>& ids) {
    const NoGrad no_grad;
    Llama model(weights, parts);
    std::vector<Tensor> logits;
    for (const int id : ids) logits.push_back(model.next(id));
    return stack(logits, 0);
}

// The library's logits after each token, [T, V].
Tensor read(const PublishedLanguageModel& published, const std::vector<int>& ids) {
    const NoGrad no_grad;
    return select(published.model(Indices(ids, {1, std::ssize(ids)}), Mode::evaluation()), 0, 0);
}

// The largest difference of two readings, as a share of the spread of the library's logits; infinite with NaN.
double difference(const Tensor& reading, const Tensor& library) {
    const double spread = (max(library) - min(library)).item(),
                 largest = max(abs(reading - library)).item();
    const bool finite = std::isfinite(sum(abs(reading)).item());
    return finite ? largest / spread : INFINITY;
}

// Rounding in float32 stays far below it, a mistake far above.
constexpr double tolerance = 1e-3;

// What the model answers, always with the most probable token; a model that knows no conversations goes on
// with the text.
std::string answer(const PublishedLanguageModel& published, const std::string& question, int length,
                   const chat::Conversation::Begin& begin) {
    Rng rng(1);
    if (chat::find_format(published)) {
        chat::Conversation conversation(published, "", begin);
        return escaped(conversation.answer(question, {.most_tokens = length}, rng));
    }
    const std::vector<int> ids = published.tokenizer.encode(question);
    const Hypothesis text = greedy_decode(begin(Indices(ids, {1, std::ssize(ids)})),
                                          {.end = published.end, .max_length = length})[0];
    return escaped(published.tokenizer.decode(text.tokens));
}

// The exercises one by one: the library's model with this one function of the reader. Returns whether all are
// right.
bool compare(const LlamaWeights& weights, const std::vector<int>& ids, const Tensor& library) {
    const LlamaParts theirs = parts_of_the_library(), mine = parts_of_the_reader();
    read(weights, theirs, ids);  // once, so that the first row does not pay for the cold memory
    course::Table table({"part", "exercise", "by", "logits differ by", "ms a token", "library"});
    const auto milliseconds = [&](double seconds) {
        return fmt::format("{:.2f}", 1e3 * seconds / static_cast<double>(ids.size()));
    };
    std::string wrong;
    for (const Part& part : parts) {
        double by_mine = 0, by_library = 0;
        const double apart =
            difference(read(weights, library_but(part.name, mine, by_mine), ids), library);
        read(weights, library_but(part.name, theirs, by_library), ids);
        if (apart >= tolerance)
            wrong += fmt::format("{}{}", wrong.empty() ? "" : ", ", part.exercise);
        table.row(part.what, part.exercise, part.reader ? "you" : "heed", number(apart, 2),
                  milliseconds(by_mine), milliseconds(by_library));
    }
    const auto whole_model = [&](const LlamaParts& all, double& seconds) {
        const double start = seconds_now();
        const double apart = difference(read(weights, all, ids), library);
        seconds = seconds_now() - start;
        return apart;
    };
    double by_mine = 0, by_library = 0;
    const double apart = whole_model(mine, by_mine);
    whole_model(theirs, by_library);
    table.row("the whole model", "", "", number(apart, 2), milliseconds(by_mine),
              milliseconds(by_library));
    fmt::print("{}", table.to_text(course::screen_of_stdout()));
    say("Each row but the last is the library's model with that one function, on {} tokens. Differences "
        "are to the library's logits, as a share of their spread. All weights are float32 here.\n",
        ids.size());
    if (wrong.empty() && apart < tolerance) {
        say("✓ the logits agree within {} of their spread\n", tolerance);
        return true;
    }
    say("✗ the logits differ. Judge these parts again: {}\nNEXT  ./heed exercise {}\n", wrong,
        wrong.substr(0, wrong.find(',')));
    return false;
}

// A row for each mistake: by how much the logits differ, and what the model then says.
void show_what_breaks(const PublishedLanguageModel& published, const LlamaWeights& weights,
                      const std::vector<int>& ids, const Tensor& library,
                      const std::string& question, int length) {
    const course::Screen screen = course::screen_of_stdout();
    const auto said_with = [&](const LlamaParts& all) {
        const std::string text = answer(published, question, length, [&](const Indices& prompt) {
            return decodable(weights, all, prompt);
        });
        return text.find_first_not_of(' ') == std::string::npos ? "(spaces only)" : text;
    };
    say("\nWhat people have written in the place of one function, and how far the logits are then:\n");
    say("\n      right: {}\n", said_with(parts_of_the_library()));
    Tensor right;  // the logits with the solution of the exercise
    each_answer([&](const char* exercise, const char* words, auto&& put) {
        const bool solution = *words == '\0';
        if (solution) {
            const Part& part =
                *std::find_if(std::begin(parts), std::end(parts),
                              [&](const Part& p) { return std::string(p.name) == exercise; });
            say("\n{}, exercise {}\n", screen.paint(part.what, course::Ink::strong), part.exercise);
        }
        LlamaParts all = parts_of_the_library();
        put(all);
        std::string far, said;
        try {
            const Tensor logits = read(weights, all, ids);
            if (solution) right = logits;
            // A mistake in another function of the exercise changes no bit.
            if (solution || (logits - right).to_vector() == zeros_like(right).to_vector()) return;
            const double apart = difference(logits, library);
            far = std::isfinite(apart) ? number(apart, 2) : "NaN";
            said = apart < tolerance ? "(no difference: only a judge sees it)" : said_with(all);
        } catch (const std::exception& error) {
            far = "none", said = fmt::format("({})", error.what());
        }
        say("  {}: {}\n      {}\n", words, far, said);
        std::fflush(stdout);
    });
}

int talk(const Options& given) {
    const std::string& path = given.at("--model");
    check(!path.empty(), "--mine: expected a model; ./heed chat FILE --mine");
    const PublishedLanguageModel published = load_language_model(path);
    const LlamaWeights weights(published.model);
    const std::string question =
        given.at("--question").empty() ? "What is the capital of Korea?" : given.at("--question");
    const int length = whole(given, "--length");
    fmt::print("{}\n\n", published.description);

    // The tokens of a question, at most as many as are read in a few seconds.
    std::vector<int> ids = published.tokenizer.encode(question);
    ids.resize(std::min<std::size_t>(ids.size(), 24));
    check(!ids.empty(), "--question: expected a text");
    const Tensor library = read(published, ids);
    const bool right = compare(weights, ids, library);
    if (given.at("--what-breaks") == "yes") {
        show_what_breaks(published, weights, ids, library, question, length);
        return right ? 0 : 1;
    }
    const LlamaParts mine = parts_of_the_reader();
    const chat::Conversation::Begin begin = [&](const Indices& prompt) {
        return decodable(weights, mine, prompt);
    };
    if (given.at("--question").empty()) {
        chat::dialogue(published, {.answer = {.most_tokens = length}}, begin);
        return right ? 0 : 1;
    }
    const std::string by_mine = answer(published, question, length, begin),
                      by_library = answer(published, question, length, [&](const Indices&prompt) {
                          return published.model.decodable(prompt);
                      });
    say("\n> {}\n{}\n", question, by_mine);
    if (by_mine != by_library) say("With the library it is:\n{}\n", by_library);
    say("{} the answer is the same with your parts and with the library's\n",
        by_mine == by_library ? "✓" : "✗");
    return right && by_mine == by_library ? 0 : 1;
}

}  // namespace
}  // namespace heed::mine

int main(int argc, char** argv) {
    return heed::mine::run_own_program(
        [&] { return heed::mine::talk(heed::mine::read_options("chat", argc, argv)); });
}
