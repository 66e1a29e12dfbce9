#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "autograd/base/input_file.h"
#include "autograd/base/pool.h"
#include "lessons/material/chat/conversation.h"
#include "lessons/material/chat/dialogue.h"
#include "tests/catch.h"
#include "tests/error_of.h"
#include "tests/published_file.h"
#include "tests/skipped.h"

using namespace heed;

namespace {

// A small random model whose tokens are bytes and the two marks.
// Each byte is a token; beyond 258 tokens there are some that no text has.
PublishedLanguageModel bytes_model(int64_t max_positions = 300, int vocabulary = 258) {
    BytePairParts parts;
    for (int byte = 0; byte < 256; ++byte)
        parts.tokens.push_back(bytes_as_characters(std::string(1, static_cast<char>(byte))));
    parts.tokens.insert(parts.tokens.end(), {"<|im_start|>", "<|im_end|>"});
    for (int id = 258; id < vocabulary; ++id) parts.tokens.push_back(fmt::format("x{}", id));
    Rng rng(1);
    return {.model = LanguageModel(
                {.vocabulary = vocabulary, .stack = llama({.width = 16, .heads = 2, .layers = 2})},
                rng),
            .tokenizer = Tokenizer(std::move(parts), {.special = {256, 257}}),
            .chat_template = "{{'<|im_start|>system\nBe brief.<|im_end|>'}}",
            .max_positions = max_positions,
            .end = 257};
}

// A model that knows the whole conversation beforehand.
struct Script {
    std::vector<int> ids;
    std::size_t read;
    int vocabulary;

    DecodingStep step(const Indices&) {
        std::vector<double> scores(static_cast<std::size_t>(vocabulary));
        scores.at(static_cast<std::size_t>(ids.at(++read))) = 1;
        return {tensor(scores, {1, vocabulary})};
    }
    void select_rows(const std::vector<int>&) {}
};
chat::Conversation::Begin script_of(std::vector<int> ids, int vocabulary) {
    return [=](const Indices& prompt) {
        return Decodable(Script{ids, static_cast<std::size_t>(prompt.size(1)) - 1, vocabulary}, 1,
                         Indices({0}));
    };
}

PublishedLanguageModel model_of(const nlohmann::json& family, const nlohmann::json& tokenizers) {
    const std::string tokenizer = tokenizers[family["tokenizer"].get<std::string>()].dump();
    return {.tokenizer = parse_tokenizer_json(tokenizer, "chats.json"),
            .description = family["name"],
            .chat_template = family["template"],
            .max_positions = 100000};
}

// The special tokens of a conversation whose only question this is.
std::vector<int> specials_with(const PublishedLanguageModel& model, const std::string& question) {
    const std::vector<int> any(1000);
    chat::Conversation talk(model, "", script_of(any, model.tokenizer.size()));
    Rng rng(1);
    talk.answer(question, {.most_tokens = 1}, rng);
    std::vector<int> specials;
    for (const int id : talk.ids())
        if (model.tokenizer.is_special(id)) specials.push_back(id);
    return specials;
}

}  // namespace

TEST_CASE("conversations are those of the published chat templates", "[parity][data]") {
    const auto golden =
        nlohmann::json::parse(read_file(std::string(HEED_SOURCE_DIR) + "/tests/parity/chats.json"));
    REQUIRE(golden["families"].size() == 10);
    for (const auto& family : golden["families"]) {
        const PublishedLanguageModel model = model_of(family, golden["tokenizers"]);
        const int end = model.tokenizer.id(chat::format_of(model).end());
        for (const auto& one : family["cases"]) {
            std::vector<int> ids = one["ids"];
            INFO(family["name"] << ": " << model.tokenizer.decode(ids, true));
            chat::Conversation talk(model, one["system"].get<std::string>(),
                                    script_of(ids, model.tokenizer.size()));
            Rng rng(1);
            for (std::size_t turn = 0; turn < one["questions"].size(); ++turn) {
                const std::string said = talk.answer(one["questions"][turn], {}, rng);
                const auto answer = one["answers"][turn].get<std::string>();
                // Llama 2 ends its answers with a space.
                CHECK(said == answer + (family["name"] == "Llama 2" ? " " : ""));
            }
            // What follows the last answer waits for the next question.
            while (ids.back() != end) ids.pop_back();
            CHECK(talk.ids() == ids);
        }
        std::string marks;
        for (int id = 0; id < model.tokenizer.size(); ++id)
            if (model.tokenizer.is_special(id)) marks += model.tokenizer.token(id);
        CHECK(specials_with(model, marks) == specials_with(model, "x"));
    }
}

TEST_CASE("a conversation in a format that is not known is refused", "[data][errors]") {
    PublishedLanguageModel model{
        .tokenizer = Tokenizer(BytePairParts{.tokens = {"a", "</s>"}}, {.special = {1}}),
        .description = "A model",
        .chat_template = "{{ '<|user|>\n' + content + '<|end|>' }}"};
    const auto refused = [&] { return error_of([&] { chat::Conversation talk(model); }); };
    const std::string known =
        "; conversations in ChatML, Llama 3, Zephyr, Llama 2 and Mistral are known";
    CHECK(refused() == "A model: this model's chat template is not known" + known);
    CHECK(chat::find_format(model) == nullptr);
    model.chat_template = "";
    CHECK(refused() == "A model: this model has no chat template" + known);
    model.chat_template = "<<SYS>> [INST]";
    CHECK(
        refused() ==
        "A model: this model's chat template is that of Llama 2, but it has no special token <s>");
    CHECK(chat::find_format(model) == nullptr);
    // ChatML and Llama 3 are known by their tokens too.
    PublishedLanguageModel chat_ml = bytes_model();
    chat_ml.chat_template = "";
    CHECK(chat::format_of(chat_ml).name == "ChatML");
}

TEST_CASE("a conversation has the tokens of ChatML, and what is typed is no mark", "[data]") {
    const PublishedLanguageModel model = bytes_model();
    chat::Conversation talk(model);
    Rng rng(1);
    const std::string first = talk.answer("Hi <|im_end|>", {.most_tokens = 5}, rng);
    const std::string begin =
        "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi <|im_end|><|im_end|>\n"
        "<|im_start|>assistant\n";
    CHECK(model.tokenizer.decode(talk.ids(), true) == begin + first + "<|im_end|>");
    // The marks are the tokens 256 and 257: three messages of each, and none of the text's.
    CHECK(std::count(talk.ids().begin(), talk.ids().end(), 256) == 3);
    CHECK(std::count(talk.ids().begin(), talk.ids().end(), 257) == 3);
    const auto question = talk.question();
    const std::vector<int> typed(talk.ids().begin() + static_cast<std::ptrdiff_t>(question.begin),
                                 talk.ids().begin() + static_cast<std::ptrdiff_t>(question.end));
    CHECK(model.tokenizer.decode(typed) == "Hi <|im_end|>");
}

TEST_CASE("a second answer, from the cache, is that of the whole conversation read again",
          "[data]") {
    const PublishedLanguageModel model = bytes_model();
    chat::Conversation talk(model, "You are a test.");
    Rng rng(1);
    talk.answer("one", {.most_tokens = 6}, rng);
    std::string shown;
    const std::string second = talk.answer("two", {.most_tokens = 6}, rng,
                                           [&](std::string_view piece) { shown += piece; });
    CHECK(shown == second);
    const auto span = talk.last_answer();
    REQUIRE(span.end > span.begin);
    for (std::size_t at = span.begin; at < span.end; ++at) {
        const std::vector<int> before(talk.ids().begin(),
                                      talk.ids().begin() + static_cast<std::ptrdiff_t>(at));
        const NoGrad no_grad;
        const std::vector<double> logits =
            model.model(Indices(std::vector<int>(before), {1, std::ssize(before)})).to_vector();
        const auto last = logits.end() - 258;
        CHECK(std::max_element(last, logits.end()) - last == talk.ids()[at]);
    }
    // Each row of the map is a part of a row of attention, whose sum is 1.
    const std::vector<double> weights = talk.attention();
    REQUIRE(weights.size() == 3 * (span.end - span.begin));
    for (std::size_t i = 0; i < weights.size(); i += 3) {
        CHECK(weights[i] + weights[i + 1] + weights[i + 2] < 1);
        CHECK(weights[i] > 0);
    }
}

TEST_CASE("a long second question takes no memory for scores of its tokens", "[data]") {
    constexpr int vocabulary = 5000, letters = 400;
    const PublishedLanguageModel model = bytes_model(2000, vocabulary);
    Rng rng(1);
    chat::Conversation talk(model);
    talk.answer("one", {.most_tokens = 1}, rng);
    reset_peak_memory();
    const std::size_t before = memory_use().in_use;
    talk.answer(std::string(letters, 'x'), {.most_tokens = 1}, rng);
    CHECK(memory_use().peak - before < vocabulary * letters * sizeof(float) / 4);
}

// Private memory of this process in bytes; 0 where the system does not say.
double private_bytes() {
    std::ifstream file("/proc/self/status");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("RssAnon:")) return 1024 * std::stod(line.substr(8));
    return 0;
}

TEST_CASE("a conversation with SmolLM2 takes less than a fifth of its file beside it",
          "[parity][unsanitized]") {
    const std::string file = published_file("SmolLM2-135M-Instruct.Q4_1.gguf");
    if (file.empty() && skipped("HEED_MODELS names no folder with SmolLM2-135M-Instruct.Q4_1.gguf"))
        return;
    const double before = private_bytes();
    const PublishedLanguageModel smol = load_language_model(file);
    chat::Conversation talk(smol);
    Rng rng(1);
    talk.answer("What is the capital of France?", {.most_tokens = 30}, rng);
    talk.answer("And of Italy? Describe in a few words how one goes from one to the other.",
                {.most_tokens = 30}, rng);
    CHECK(private_bytes() - before < 0.2 * static_cast<double>(std::filesystem::file_size(file)));
}

TEST_CASE("an answer is stopped, and a conversation ends where the model's text does", "[data]") {
    const PublishedLanguageModel model = bytes_model(60);
    chat::Conversation talk(model);
    Rng rng(1);
    int asked = 0;
    talk.answer("x", {.most_tokens = 5}, rng, {}, [&] { return ++asked > 2; });
    CHECK(talk.last_answer().end - talk.last_answer().begin <= 2);
    const std::size_t tokens = talk.ids().size();
    CHECK(error_of([&] {
              talk.answer("y", {}, rng);
          }).find("tokens with this question; the model reads 60") != std::string::npos);
    CHECK(talk.ids().size() == tokens);
}

TEST_CASE("the system's message is taken from a template if it is a text", "[data]") {
    CHECK(chat::system_of("x<|im_start|>system\nBe kind.<|im_end|>") == "Be kind.");
    CHECK(chat::system_of("<|im_start|>system\n' + message + '<|im_end|>").empty());
    CHECK(chat::system_of("{{ bos }}").empty());
    PublishedLanguageModel none = bytes_model();
    none.tokenizer = Tokenizer(BytePairParts{.tokens = {"a"}});
    none.description = "A model";
    CHECK(error_of([&] { chat::Conversation talk(none); }) ==
          "A model: this model's chat template is that of ChatML, but it has no special token "
          "<|im_start|>");
}

TEST_CASE("an empty line does not end the dialogue, /quit does", "[data]") {
    const PublishedLanguageModel model = bytes_model();
    // What is left of the input when the dialogue has ended. Its answers are not shown.
    const auto left_of = [&](const std::string& typed) {
        std::istringstream input(typed);
        std::streambuf* const before = std::cin.rdbuf(input.rdbuf());
        std::fflush(stdout);
        const int shown = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDOUT_FILENO);
        chat::DialogueOptions options;
        options.answer.most_tokens = 2;
        chat::dialogue(model, options);
        std::fflush(stdout);
        dup2(shown, STDOUT_FILENO);
        close(shown), close(nowhere);
        std::cin.clear();
        std::cin.rdbuf(before);
        std::string left;
        input.clear();
        std::getline(input, left, '\0');
        return left;
    };
    CHECK(left_of("Hi\n\n\nAgain\n").empty());
    CHECK(left_of("Hi\n/quit\nMore\n") == "More\n");
}

TEST_CASE("an answer that shows nothing is explained", "[data][errors]") {
    PublishedLanguageModel model = bytes_model();
    const auto why = [&](chat::Conversation talk, const chat::AnswerOptions& options = {}) {
        Rng rng(1);
        CHECK(talk.answer("Hi", options, rng).empty());
        return talk.why_empty();
    };
    const auto says = [&](int id) {  // the model gives this token all of the time
        return chat::Conversation(model, "", script_of(std::vector<int>(500, id), 258));
    };
    CHECK(why(says(257)) == "the model has ended its answer before the first word");
    CHECK(why(says(256), {.most_tokens = 3}) ==
          "the model's answer has 3 tokens, none of which can be seen");
    const NoGrad no_grad;
    for_each_parameter(model.model,
                       [](const std::string&, Tensor& x) { x = parameter(zeros(x.shape())); });
    chat::Conversation talk(model);
    CHECK(why(talk) ==
          "the model gives every token the same probability, so it has no answer; are its "
          "weights all 0?");
    CHECK(talk.undecided() == false);  // a copy was asked
    Rng rng(1);
    const std::size_t length = [&] {
        chat::Conversation asked(model);
        asked.answer("Hi", {}, rng);
        return asked.ids().size();
    }();
    model.max_positions = static_cast<int64_t>(length) + 1;
    CHECK(why(chat::Conversation(model)).starts_with("the conversation has "));
}
