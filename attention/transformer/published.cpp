#include "attention/transformer/published.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <set>

#include "attention/scores/mask.h"
#include "autograd/base/input_file.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/reduce/reductions.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/record/grad_mode.h"
#include "nn/saved/gguf.h"
#include "nn/saved/reader.h"

namespace heed {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// --- the weights of a file ------------------------------------------------------------------------

// Where a parameter stands in a file: a tensor, or part number `part` of `parts` of it along its first
// axis, of the transposed one if the file has [in, out].
struct InFile {
    std::string name;
    int part = 0, parts = 1;
    bool transposed = false;
};
using NamesInFile = std::function<InFile(const std::string&)>;

// The tensors of a file of either kind. Each is given away once it is asked for.
class Weights {
  public:
    virtual ~Weights() = default;
    virtual bool has(const std::string& name) const = 0;
    virtual Tensor tensor(const std::string& name) = 0;
    virtual bool in_blocks(const std::string& name) const = 0;    // a matrix of 8 or 4 bits
    virtual QuantisedMatrix matrix(const std::string& name) = 0;  // if it is in blocks
    virtual std::vector<std::string> names() const = 0;
    virtual const std::string& path() const = 0;
};

// By what the frequencies of the rotation are divided in a model for longer texts, [D / 2]; no parameter.
constexpr const char* rotary_divisors = "rope_freqs.weight";

class GgufWeights : public Weights {
  public:
    explicit GgufWeights(const Gguf& file) : file_(file) {}
    bool has(const std::string& name) const override { return file_.find(name) != nullptr; }
    Tensor tensor(const std::string& name) override { return file_.tensor(name); }
    bool in_blocks(const std::string& name) const override {
        const GgufTensor* entry = file_.find(name);
        return entry && Gguf::is_matrix(*entry);
    }
    QuantisedMatrix matrix(const std::string& name) override { return file_.matrix(name); }
    std::vector<std::string> names() const override {
        std::vector<std::string> all;
        for (const GgufTensor& entry : file_.tensors())
            if (entry.name != rotary_divisors) all.push_back(entry.name);
        return all;
    }
    const std::string& path() const override { return file_.path(); }

  private:
    const Gguf& file_;
};

class SafetensorsWeights : public Weights {
  public:
    // `one_name` gives the tensors of files that differ in spelling the same name; empty: left out.
    SafetensorsWeights(const std::string& folder,
                       const std::function<std::string(std::string)>& one_name) {
        const fs::path single = fs::path(folder) / "model.safetensors",
                       index = fs::path(folder) / "model.safetensors.index.json";
        path_ = (fs::exists(single) ? single : index).string();
        Safetensors file =
            fs::exists(single) ? load_safetensors(path_) : load_safetensors_index(path_);
        for (Parameter& p : file.tensors)
            if (const std::string name = one_name(p.name); !name.empty())
                tensors_[name] = std::move(p.tensor);
    }
    bool has(const std::string& name) const override { return tensors_.count(name) > 0; }
    Tensor tensor(const std::string& name) override { return tensors_.at(name); }
    bool in_blocks(const std::string&) const override { return false; }
    QuantisedMatrix matrix(const std::string&) override { return {}; }
    std::vector<std::string> names() const override {
        std::vector<std::string> all;
        for (const auto& [name, tensor] : tensors_) all.push_back(name);
        return all;
    }
    const std::string& path() const override { return path_; }

  private:
    std::string path_;
    std::map<std::string, Tensor> tensors_;
};

void check_shape(const Weights& file, const std::string& name, const Shape& expected,
                 const Shape& found) {
    if (found != expected)
        throw InputError(fmt::format("{}: '{}': expected shape {}, found {}", file.path(), name,
                                     expected, found));
}

void check_finite_numbers(const Weights& file, const std::string& name, const Tensor& x) {
    const float* numbers = x.data<float>();
    for (int64_t i = 0; i < x.numel(); ++i)
        if (!std::isfinite(numbers[i]))
            throw InputError(fmt::format("{}: '{}': expected numbers that are finite, found {}",
                                         file.path(), name, numbers[i]));
}

// The parameter of this shape, from where it stands in the file.
Tensor taken(Weights& file, const InFile& where, const Shape& shape) {
    if (!file.has(where.name))
        throw InputError(
            fmt::format("{}: expected the tensor '{}', found none", file.path(), where.name));
    Shape whole = shape;
    whole[0] *= where.parts;
    if (where.transposed && whole.dim() == 2) std::swap(whole[0], whole[1]);
    Tensor x = file.tensor(where.name);
    check_shape(file, where.name, whole, x.shape());
    x = contiguous(to_dtype(x, Dtype::float32));
    check_finite_numbers(file, where.name, x);
    if (where.transposed && x.dim() == 2) x = transpose(x);
    if (where.parts > 1) x = slice(x, 0, where.part * shape[0], (where.part + 1) * shape[0]);
    return contiguous(x);
}

// A layer's weight as it stands in the file, if that is in blocks.
template <class Layer>
void take_blocks(Weights& file, const InFile& where, Layer& layer) {
    if (!layer.weight.defined() || where.parts > 1 || !file.in_blocks(where.name)) return;
    QuantisedMatrix blocks = file.matrix(where.name);
    check_shape(file, where.name, layer.weight.shape(), {blocks.rows(), blocks.columns()});
    layer.quantised = std::move(blocks);
    layer.weight = Tensor();
}

// Fills all parameters of the model, whose numbers are not set. Throws for tensors that are missing and
// for those that are left over.
template <Module M>
void take_all(M& model, Weights& file, const NamesInFile& in_file) {
    const NoGrad no_grad;
    std::set<std::string> used;
    for_each_parameter(model, [&](const std::string& name, Tensor& x) {
        const InFile where = in_file(name);
        used.insert(where.name);
        // Only the weight of a layer can stay in blocks; it is taken below.
        const bool in_blocks = where.parts == 1 && name.ends_with(".weight") && x.dim() == 2 &&
                               file.in_blocks(where.name);
        if (!in_blocks) x = parameter(taken(file, where, x.shape()));
    });
    for_each_layer<Linear>(model, [&](const std::string& name, Linear& layer) {
        if (layer.defined()) take_blocks(file, in_file(name + ".weight"), layer);
    });
    for_each_layer<Embedding>(model, [&](const std::string& name, Embedding& layer) {
        if (layer.weight.defined()) take_blocks(file, in_file(name + ".weight"), layer);
    });
    for (const std::string& name : file.names())
        if (!used.count(name))
            throw InputError(fmt::format(
                "{}: has the tensor '{}', which heed's model of this family does not; the model "
                "would answer something else without it",
                file.path(), excerpt(name)));
}

// As take_all(). A tied head is not in the file: the model has none while its parameters are taken, and
// then the table of embeddings.
void take_language_model(LanguageModel& model, Weights& file, const NamesInFile& in_file,
                         bool tied) {
    if (tied) model.head = Linear();
    take_all(model, file, in_file);
    if (!tied) return;
    model.head.weight = model.embedding.weight;
    model.head.quantised = model.embedding.quantised;
}

// --- the names of each family ---------------------------------------------------------------------

using Renamed = std::vector<std::pair<const char*, const char*>>;

// The name with the number of its layer: "decoder.layers.3.attention.query.weight" is, with the rows
// {"attention.query.", "attn_q."} and "blk.", "blk.3.attn_q.weight".
std::string renamed(const std::string& name, const std::string& layers, const Renamed& inside,
                    const Renamed& outside) {
    static const std::regex of_layer("decoder\\.layers\\.(\\d+)\\.(.*)");
    std::smatch match;
    const bool is_inside = std::regex_match(name, match, of_layer);
    const std::string rest = is_inside ? match[2].str() : name;
    for (const auto& [ours, theirs] : is_inside ? inside : outside)
        if (rest.starts_with(ours))
            return (is_inside ? layers + match[1].str() + "." : "") + theirs +
                   rest.substr(std::string_view(ours).size());
    fail("published: '{}' has no name in files", name);
}

InFile llama_in_gguf(const std::string& name) {
    return {renamed(
        name, "blk.",
        {{"attention.query.", "attn_q."},
         {"attention.key.", "attn_k."},
         {"attention.value.", "attn_v."},
         {"attention.output.", "attn_output."},
         {"attention_norm.", "attn_norm."},
         {"feed_forward.hidden.", "ffn_up."},
         {"feed_forward.gate.", "ffn_gate."},
         {"feed_forward.output.", "ffn_down."},
         {"feed_forward_norm.", "ffn_norm."}},
        {{"embedding.", "token_embd."}, {"decoder.norm.", "output_norm."}, {"head.", "output."}})};
}

InFile llama_in_safetensors(const std::string& name) {
    return {renamed(name, "model.layers.",
                    {{"attention.query.", "self_attn.q_proj."},
                     {"attention.key.", "self_attn.k_proj."},
                     {"attention.value.", "self_attn.v_proj."},
                     {"attention.output.", "self_attn.o_proj."},
                     {"attention_norm.", "input_layernorm."},
                     {"feed_forward.hidden.", "mlp.up_proj."},
                     {"feed_forward.gate.", "mlp.gate_proj."},
                     {"feed_forward.output.", "mlp.down_proj."},
                     {"feed_forward_norm.", "post_attention_layernorm."}},
                    {{"embedding.", "model.embed_tokens."},
                     {"decoder.norm.", "model.norm."},
                     {"head.", "lm_head."}})};
}

// GPT-2 has the projections of query, key and value in one matrix, and all matrices as [in, out].
InFile gpt2_in_safetensors(const std::string& name) {
    const bool matrix = name.starts_with("decoder.layers.");
    for (int part = 0; part < 3; ++part) {
        const char* projection =
            std::array{"attention.query.", "attention.key.", "attention.value."}[part];
        if (name.find(projection) != std::string::npos)
            return {renamed(name, "h.", {{projection, "attn.c_attn."}}, {}), part, 3, true};
    }
    return {renamed(name, "h.",
                    {{"attention.output.", "attn.c_proj."},
                     {"attention_norm.", "ln_1."},
                     {"feed_forward.hidden.", "mlp.c_fc."},
                     {"feed_forward.output.", "mlp.c_proj."},
                     {"feed_forward_norm.", "ln_2."}},
                    {{"embedding.", "wte."},
                     {"positions.table", "wpe.weight"},
                     {"decoder.norm.", "ln_f."},
                     {"head.", "lm_head."}}),
            0, 1, matrix};
}

// --- the settings of each family ------------------------------------------------------------------

// A layer takes memory before the first of its weights is read, so a file must not ask for any number of them.
constexpr std::int64_t most_whole = 1 << 24, most_layers = 1024;

// config.json. Each setting that is not read here must have the value that the models of heed have.
class Config {
  public:
    explicit Config(const std::string& path)
        : path_(path), json_(Json::parse(read_file(path), nullptr, false)) {
        if (json_.is_discarded() || !json_.is_object())
            throw InputError(path + ": expected a JSON object");
    }
    std::string text(const char* name, const std::string& otherwise = "") const {
        if (!has(name)) return otherwise;
        if (!json_[name].is_string()) wrong(name, "a text");
        return json_[name].get<std::string>();
    }
    int64_t whole(const char* name) const { return up_to(most_whole, name); }
    int64_t layers(const char* name) const { return up_to(most_layers, name); }
    int64_t whole(const char* name, int64_t otherwise) const {
        return has(name) ? whole(name) : otherwise;
    }
    double number(const char* name, double otherwise) const {
        if (!has(name)) return otherwise;
        const double x = json_[name].is_number() ? json_[name].get<double>() : 0;
        if (!std::isfinite(x) || x <= 0) wrong(name, "a number above 0");
        return x;
    }
    bool truth(const char* name, bool otherwise) const {
        if (!has(name)) return otherwise;
        if (!json_[name].is_boolean()) wrong(name, "true or false");
        return json_[name].get<bool>();
    }
    bool has(const char* name) const { return json_.contains(name) && !json_[name].is_null(); }
    // One of the texts; throws for another one.
    std::string one_of(const char* name, const std::vector<std::string>& known) const {
        const std::string found = text(name, known[0]);
        if (std::find(known.begin(), known.end(), found) == known.end())
            throw InputError(fmt::format("{}: {}: expected {}, found '{}'", path_, name,
                                         fmt::join(known, " or "), excerpt(found)));
        return found;
    }
    void expect(const char* name, bool holds, const char* expected) const {
        if (!holds) wrong(name, expected);
    }
    // One id, or the first of a list.
    int id(const char* name) const {
        if (!has(name)) return -1;
        const Json& value =
            json_[name].is_array() && !json_[name].empty() ? json_[name][0] : json_[name];
        return value.is_number_integer() ? static_cast<int>(value.get<std::int64_t>()) : -1;
    }
    // The settings in an object, if there is one.
    std::optional<Config> inside(const char* name) const {
        if (!has(name) || !json_[name].is_object()) return {};
        return Config(fmt::format("{}: {}", path_, name), json_[name]);
    }
    const std::string& path() const { return path_; }

  private:
    int64_t up_to(int64_t most, const char* name) const {
        if (!has(name) || !json_[name].is_number_integer()) wrong(name, "a whole number");
        const auto x = json_[name].get<std::int64_t>();
        if (x < 1 || x > most) wrong(name, fmt::format("a whole number from 1 to {}", most));
        return x;
    }
    Config(std::string path, Json json) : path_(std::move(path)), json_(std::move(json)) {}
    [[noreturn]] void wrong(const char* name, const std::string& expected) const {
        throw InputError(fmt::format(
            "{}: {}: expected {}, found {}", path_, name, expected,
            has(name) ? excerpt(json_[name].dump(-1, ' ', false, Json::error_handler_t::replace))
                      : "none"));
    }
    std::string path_;
    Json json_;
};

// A setting that must divide another one.
struct Setting {
    std::string name;
    int64_t value;
};
void check_divides(const std::string& path, const Setting& part, const Setting& whole) {
    if (whole.value % part.value != 0)
        throw InputError(fmt::format("{}: {}: expected a divisor of {}, which is {}, found {}",
                                     path, part.name, whole.name, whole.value, part.value));
}

// The heads share the width, groups of them share keys and values, and angles turn pairs of numbers.
void check_heads(const std::string& path, const Setting& width, const Setting& heads,
                 const Setting& key_value_heads) {
    check_divides(path, heads, width);
    check_divides(path, key_value_heads, heads);
    if (width.value / heads.value % 2 != 0)
        throw InputError(fmt::format(
            "{}: {}: expected heads of an even width, found {} heads in {}, which is {}", path,
            heads.name, heads.value, width.name, width.value));
}

std::string described(const std::string& name, const std::string& family, int64_t layers,
                      int64_t width, int64_t heads, int64_t vocabulary) {
    return fmt::format("{}: {}, {} layers of width {}, {} heads, {} tokens", name, family, layers,
                       width, heads, vocabulary);
}

// A model may know more tokens than its tokenizer, for its size to be a round number.
void check_tokens(const Config& config, const Tokenizer& tokenizer, int64_t vocabulary) {
    if (tokenizer.size() > vocabulary)
        throw InputError(
            fmt::format("{}: vocab_size: expected at least the {} tokens of the tokenizer, found "
                        "{}",
                        config.path(), tokenizer.size(), vocabulary));
}

// The frequencies of a GGUF file for longer texts.
std::vector<double> divided_frequencies(const Gguf& file, const LlamaSize& size) {
    std::vector<double> frequencies = rotary_frequencies(size.width / size.heads, size.rotary_base);
    const std::vector<double> divisors = contiguous(file.tensor(rotary_divisors)).to_vector();
    for (std::size_t i = 0; i < frequencies.size(); ++i) {
        if (divisors.size() != frequencies.size() || !(divisors[i] > 0))
            throw InputError(fmt::format("{}: '{}': expected {} numbers above 0, found {}",
                                         file.path(), rotary_divisors, frequencies.size(),
                                         divisors.size() != frequencies.size()
                                             ? fmt::format("{} numbers", divisors.size())
                                             : fmt::format("{}", divisors[i])));
        frequencies[i] /= divisors[i];
    }
    return frequencies;
}

std::string family_name(const std::string& family) {
    return family == "qwen2" ? "Qwen2" : family == "mistral" ? "Mistral" : "Llama";
}

// The settings of a model in a GGUF file: "llama.block_count" is whole("block_count").
class GgufConfig {
  public:
    explicit GgufConfig(const Gguf& file)
        : file_(file), family_(file.text("general.architecture")) {
        if (family_ != "llama" && family_ != "qwen2")
            throw InputError(
                fmt::format("{}: general.architecture: expected llama or qwen2, found '{}'; other "
                            "families are not known in GGUF files",
                            file.path(), excerpt(family_)));
    }
    const std::string& family() const { return family_; }
    std::string named(const char* name) const { return family_ + "." + name; }
    bool has(const char* name) const { return file_.has(named(name)); }
    double number(const char* name) const {
        const double x = file_.number(named(name));
        if (!std::isfinite(x) || x <= 0)
            throw InputError(fmt::format("{}: {}: expected a number above 0, found {}",
                                         file_.path(), named(name), x));
        return x;
    }
    std::int64_t whole(const char* name, std::int64_t most = most_whole) const {
        const std::int64_t x = file_.whole(named(name));
        if (x < 1 || x > most)
            throw InputError(fmt::format("{}: {}: expected 1 to {}, found {}", file_.path(),
                                         named(name), most, x));
        return x;
    }

    LlamaSize size() const {
        const LlamaSize size{
            .width = whole("embedding_length"),
            .heads = whole("attention.head_count"),
            .layers = whole("block_count", most_layers),
            .key_value_heads = whole("attention.head_count_kv"),
            .hidden = whole("feed_forward_length"),
            .rotary_base = has("rope.freq_base") ? number("rope.freq_base") : 10000};
        check_heads(file_.path(), {named("embedding_length"), size.width},
                    {named("attention.head_count"), size.heads},
                    {named("attention.head_count_kv"), size.key_value_heads});
        if (has("rope.dimension_count") && whole("rope.dimension_count") * size.heads != size.width)
            throw InputError(fmt::format("{}: {}: expected the width of a head, {} / {}, found {}",
                                         file_.path(), named("rope.dimension_count"), size.width,
                                         size.heads, whole("rope.dimension_count")));
        if (has("rope.scaling.type") && file_.text(named("rope.scaling.type")) != "none")
            throw InputError(fmt::format("{}: {}: expected none; such scaled angles are not known",
                                         file_.path(), named("rope.scaling.type")));
        return size;
    }

    TransformerOptions stack() const {
        TransformerOptions stack = llama(size());
        stack.norm_eps = number("attention.layer_norm_rms_epsilon");
        // For this family the file has the rows of queries and keys in the order for neighbouring pairs.
        if (family_ == "llama") stack.positions.layout = RotaryLayout::pairs;
        if (family_ == "qwen2") stack.query_key_value_bias = true;
        if (file_.find(rotary_divisors))
            stack.positions.frequencies = divided_frequencies(file_, size());
        return stack;
    }

  private:
    const Gguf& file_;
    const std::string& family_;
};

PublishedLanguageModel from_gguf(const std::string& path) {
    const Gguf file = Gguf::open(path);
    const GgufConfig config(file);
    const TransformerOptions stack = config.stack();
    PublishedLanguageModel made{.tokenizer = tokenizer_of(file)};
    const bool tied = file.find("output.weight") == nullptr;
    const GgufTensor* table = file.find("token_embd.weight");
    const int64_t vocabulary =
        table && table->shape.dim() == 2 ? table->shape[0] : made.tokenizer.size();
    if (made.tokenizer.size() != vocabulary)
        throw InputError(
            fmt::format("{}: tokenizer.ggml.tokens: expected as many as 'token_embd.weight' has "
                        "rows, {}, found {}",
                        path, vocabulary, made.tokenizer.size()));
    with_file_name(path, [&] {
        Rng unset = Rng::leaving_unset();
        made.model =
            LanguageModel({.vocabulary = vocabulary, .stack = stack, .tied_output = tied}, unset);
        GgufWeights weights(file);
        take_language_model(made.model, weights, llama_in_gguf, tied);
    });
    made.description = described(
        file.has("general.name") ? file.text("general.name") : fs::path(path).stem().string(),
        family_name(config.family()), stack.layers, stack.width, stack.heads, vocabulary);
    made.max_positions = config.whole("context_length");
    if (file.has("tokenizer.ggml.eos_token_id")) {
        const std::int64_t end = file.whole("tokenizer.ggml.eos_token_id");
        if (end < 0 || end >= made.tokenizer.size())
            throw InputError(
                fmt::format("{}: tokenizer.ggml.eos_token_id: expected an id below {}, found {}",
                            path, made.tokenizer.size(), end));
        made.end = static_cast<int>(end);
    }
    if (file.has("tokenizer.chat_template"))
        made.chat_template = file.text("tokenizer.chat_template");
    return made;
}

std::string name_of_folder(const std::string& folder) {
    const fs::path path = fs::absolute(folder).lexically_normal();
    return (path.has_filename() ? path : path.parent_path()).filename().string();
}

// chat_template of tokenizer_config.json.
std::string template_in(const std::string& folder) {
    const std::string path = (fs::path(folder) / "tokenizer_config.json").string();
    return fs::exists(path) ? Config(path).text("chat_template") : "";
}

// The angles of the rotation: their base, and those of Llama 3.1 for longer texts.
struct Angles {
    double base;
    std::optional<Llama3Scaling> scaling = {};
};
Angles angles_in(const Config& config) {
    Angles found{config.number("rope_theta", 10000)};
    for (const char* name : {"rope_scaling", "rope_parameters"})
        if (const std::optional<Config> angles = config.inside(name)) {
            const std::string kind = angles->text("rope_type", angles->text("type", "default"));
            config.expect(name, kind == "default" || kind == "llama3",
                          "none, or angles of type default or llama3");
            found.base = angles->number("rope_theta", found.base);
            if (kind == "llama3")
                found.scaling = Llama3Scaling{
                    .factor = angles->number("factor", 0),
                    .low = angles->number("low_freq_factor", 0),
                    .high = angles->number("high_freq_factor", 0),
                    .positions = angles->number("original_max_position_embeddings", 0)};
        }
    return found;
}

// The Llama family: llama, and mistral and qwen2, which differ by the biases of query, key and value and by
// windows of attention, which are not known here.
TransformerOptions llama_stack(const Config& config, const std::string& family) {
    const Angles angles = angles_in(config);
    LlamaSize size{.width = config.whole("hidden_size"),
                   .heads = config.whole("num_attention_heads"),
                   .layers = config.layers("num_hidden_layers"),
                   .hidden = config.whole("intermediate_size"),
                   .rotary_base = angles.base};
    size.key_value_heads = config.whole("num_key_value_heads", size.heads);
    config.one_of("hidden_act", {"silu"});
    config.expect("attention_bias", !config.truth("attention_bias", false), "false");
    config.expect("mlp_bias", !config.truth("mlp_bias", false), "false");
    config.expect("head_dim",
                  config.whole("head_dim", size.width / size.heads) * size.heads == size.width,
                  "the width divided by the heads");
    check_heads(config.path(), {"hidden_size", size.width}, {"num_attention_heads", size.heads},
                {"num_key_value_heads", size.key_value_heads});
    if (family == "mistral")
        config.expect("sliding_window", !config.has("sliding_window"), "null: no window");
    if (family == "qwen2")
        config.expect("use_sliding_window", !config.truth("use_sliding_window", false), "false");
    TransformerOptions stack = llama(size);
    stack.norm_eps = config.number("rms_norm_eps", 1e-6);
    if (family == "qwen2") stack.query_key_value_bias = true;
    if (angles.scaling)
        stack.positions.frequencies =
            llama3_frequencies(size.width / size.heads, size.rotary_base, *angles.scaling);
    return stack;
}

PublishedLanguageModel llama_from(const std::string& folder, const Config& config,
                                  const std::string& family) {
    const TransformerOptions stack = llama_stack(config, family);
    PublishedLanguageModel made{.tokenizer = load_tokenizer(folder)};
    const int64_t vocabulary = config.whole("vocab_size");
    const bool tied = config.truth("tie_word_embeddings", false);
    check_tokens(config, made.tokenizer, vocabulary);
    Rng unset = Rng::leaving_unset();
    made.model =
        LanguageModel({.vocabulary = vocabulary, .stack = stack, .tied_output = tied}, unset);
    SafetensorsWeights weights(folder, [&](std::string name) {
        const bool left_out =
            name.ends_with("rotary_emb.inv_freq") || (tied && name == "lm_head.weight");
        return left_out ? "" : name;
    });
    take_language_model(made.model, weights, llama_in_safetensors, tied);
    made.description = described(name_of_folder(folder), family_name(family), stack.layers,
                                 stack.width, stack.heads, vocabulary);
    made.max_positions = config.whole("max_position_embeddings", 2048);
    return made;
}

PublishedLanguageModel gpt2_from(const std::string& folder, const Config& config) {
    const GptSize size{.width = config.whole("n_embd"),
                       .heads = config.whole("n_head"),
                       .layers = config.layers("n_layer"),
                       .max_positions = config.whole("n_positions")};
    check_divides(config.path(), {"n_head", size.heads}, {"n_embd", size.width});
    config.one_of("activation_function", {"gelu_new", "gelu_pytorch_tanh"});
    config.expect("scale_attn_by_inverse_layer_idx",
                  !config.truth("scale_attn_by_inverse_layer_idx", false), "false");
    PublishedLanguageModel made{.tokenizer = load_tokenizer(folder)};
    const int64_t vocabulary = config.whole("vocab_size");
    check_tokens(config, made.tokenizer, vocabulary);
    TransformerOptions stack = gpt(size);
    stack.hidden = config.whole("n_inner", 4 * size.width);
    stack.norm_eps = config.number("layer_norm_epsilon", 1e-5);
    Rng unset = Rng::leaving_unset();
    made.model = LanguageModel({.vocabulary = vocabulary, .stack = stack}, unset);
    SafetensorsWeights weights(folder, [](std::string name) {
        if (name.starts_with("transformer."))
            name.erase(0, std::string_view("transformer.").size());
        const bool mask = name.ends_with(".attn.bias") || name.ends_with(".attn.masked_bias");
        return mask || name == "lm_head.weight" ? "" : name;
    });
    take_language_model(made.model, weights, gpt2_in_safetensors, true);
    made.description =
        described(name_of_folder(folder), "GPT-2", size.layers, size.width, size.heads, vocabulary);
    made.max_positions = size.max_positions;
    return made;
}

PublishedEncoder bert_from(const std::string& folder, const Config& config) {
    BertOptions o;
    o.vocabulary = config.whole("vocab_size");
    o.segments = config.whole("type_vocab_size", 2);
    o.max_positions = config.whole("max_position_embeddings");
    o.norm_eps = config.number("layer_norm_eps", 1e-12);
    o.stack.width = config.whole("hidden_size");
    o.stack.heads = config.whole("num_attention_heads");
    o.stack.layers = config.layers("num_hidden_layers");
    o.stack.hidden = config.whole("intermediate_size");
    check_divides(config.path(), {"num_attention_heads", o.stack.heads},
                  {"hidden_size", o.stack.width});
    const std::string activation = config.one_of("hidden_act", {"gelu", "gelu_new", "relu"});
    o.stack.activation = activation == "gelu"   ? Activation::gelu
                         : activation == "relu" ? Activation::relu
                                                : Activation::gelu_tanh;
    config.one_of("position_embedding_type", {"absolute"});
    SafetensorsWeights weights(folder, [](std::string name) {
        if (name.starts_with("bert.")) name.erase(0, std::string_view("bert.").size());
        for (const auto& [old, now] : {std::pair("LayerNorm.gamma", "LayerNorm.weight"),
                                       std::pair("LayerNorm.beta", "LayerNorm.bias")})
            if (name.ends_with(old))
                name.replace(name.size() - std::string_view(old).size(), std::string::npos, now);
        return name.ends_with("position_ids") || name.starts_with("cls.") ? "" : name;
    });
    o.pooler = weights.has("pooler.dense.weight");
    PublishedEncoder made{.tokenizer = load_tokenizer(folder)};
    check_tokens(config, made.tokenizer, o.vocabulary);
    Rng unset = Rng::leaving_unset();
    made.model = Bert(o, unset);
    take_all(made.model, weights, [](const std::string& name) {
        return InFile{bert_names({{name, Tensor()}})[0].name};
    });
    made.description = described(name_of_folder(folder), "BERT", o.stack.layers, o.stack.width,
                                 o.stack.heads, o.vocabulary);
    made.max_positions = o.max_positions;
    return made;
}

Published load(const std::string& path) {
    if (!fs::is_directory(path)) return from_gguf(path);
    if (!fs::exists(fs::path(path) / "config.json"))
        throw InputError(path +
                         ": expected a GGUF file, or a folder with config.json and safetensors; "
                         "found a folder without config.json");
    const Config config((fs::path(path) / "config.json").string());
    const std::string family = config.text("model_type");
    return with_file_name(config.path(), [&]() -> Published {
        if (family == "bert") return bert_from(path, config);
        if (family != "llama" && family != "mistral" && family != "qwen2" && family != "gpt2")
            throw InputError(
                fmt::format("{}: model_type: expected bert, gpt2, llama, mistral or qwen2, found "
                            "'{}'; other families are not known",
                            config.path(), excerpt(family)));
        PublishedLanguageModel made =
            family == "gpt2" ? gpt2_from(path, config) : llama_from(path, config, family);
        made.end = config.id("eos_token_id");
        if (made.end >= made.tokenizer.size()) made.end = -1;
        made.chat_template = template_in(path);
        return made;
    });
}

}  // namespace

Published load_published(const std::string& path) {
    try {
        return load(path);
    } catch (const std::bad_alloc& error) {  // as for a width that the file says but does not have
        throw InputError(
            fmt::format("{}: the model does not fit into memory: {}", path, error.what()));
    }
}

PublishedLanguageModel load_language_model(const std::string& path) {
    Published made = load_published(path);
    if (auto* model = std::get_if<PublishedLanguageModel>(&made)) return std::move(*model);
    throw InputError(
        path +
        ": expected a language model, found an encoder; it reads texts and cannot write any");
}

PublishedEncoder load_encoder(const std::string& path) {
    Published made = load_published(path);
    if (auto* model = std::get_if<PublishedEncoder>(&made)) return std::move(*model);
    throw InputError(path + ": expected an encoder such as BERT, found a language model");
}

Tensor sentence_vectors(const PublishedEncoder& encoder, const std::vector<std::string>& texts) {
    const NoGrad no_grad;
    std::vector<Tensor> rows;
    for (const std::string& text : texts) {
        std::vector<int> ids = encoder.tokenizer.encode(text);
        const auto most = static_cast<std::size_t>(encoder.max_positions);
        if (ids.size() > most) {  // the last token ends the text
            ids[most - 1] = ids.back();
            ids.resize(most);
        }
        const auto count = static_cast<int64_t>(ids.size());
        const Tensor y =
            encoder.model(Indices(std::move(ids), {1, count}), {.mode = Mode::evaluation()}).output;
        const Tensor mean_of_tokens = mean(y, {1});  // [1, D]
        rows.push_back(mean_of_tokens / sqrt(sum(mean_of_tokens * mean_of_tokens)));
    }
    check(!rows.empty(), "sentence_vectors: expected at least one text");
    return concat(rows, 0);
}

}  // namespace heed
