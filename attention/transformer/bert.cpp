#include "attention/transformer/bert.h"

#include <array>
#include <cmath>

#include "autograd/base/settings.h"
#include "autograd/ops/elementwise/binary.h"
#include "autograd/ops/elementwise/unary.h"
#include "autograd/ops/shape/shape_ops.h"
#include "autograd/tensor/shapes.h"
#include "nn/layers/init.h"

namespace heed {

BertOptions bert_base() {
    BertOptions o{.vocabulary = 30522};
    o.stack.width = 768;
    o.stack.heads = 12;
    o.stack.layers = 12;
    o.stack.dropout = 0.1;
    return o;
}

namespace {

LayerNorm norm_of(int64_t width, double eps) {
    LayerNorm norm(width);
    norm.eps = eps;
    return norm;
}

PositionOptions positions_of(const BertOptions& o) {
    return {.kind = PositionKind::learned,
            .width = o.stack.width,
            .heads = o.stack.heads,
            .max_positions = o.max_positions};
}

}  // namespace

// --- the model ----------------------------------------------------------------------------------

BertEmbeddings::BertEmbeddings(const BertOptions& o, Rng& rng)
    : token(o.vocabulary, o.stack.width, rng),
      segment(o.segments, o.stack.width, rng),
      positions(positions_of(o), rng),
      norm(norm_of(o.stack.width, o.norm_eps)),
      dropout(o.stack.dropout) {}

Tensor BertEmbeddings::operator()(const Indices& ids, const Indices& segments, Mode mode) const {
    const Shapes in("BertEmbeddings", {{"ids", ids, "B T"}, {"segments", segments, "B T"}});
    const Tensor sum = positions(token(ids) + segment(segments));  // [B, T, D]
    return dropout(norm(sum), mode);
}

Bert::Bert(const BertOptions& o, Rng& rng) {
    check_positive("Bert", {{"vocabulary", o.vocabulary}, {"segments", o.segments}});
    check_not_negative("Bert", {{"norm_eps", o.norm_eps}});
    check(std::isfinite(o.norm_eps), "Bert: norm_eps is {}; expected a finite one", o.norm_eps);
    check(
        !o.stack.pre_norm && !o.stack.final_norm && o.stack.bias,
        "Bert: the layers are post-norm, with biases and without a norm after the last; for other "
        "stacks use TransformerEncoder");
    embeddings = BertEmbeddings(o, rng);
    TransformerOptions stack = o.stack;
    stack.positions.kind = PositionKind::none;  // they are added to the embeddings
    encoder = TransformerEncoder(stack, rng);
    for (TransformerEncoderLayer& layer : encoder.layers)
        layer.attention_residual.norm.eps = layer.feed_forward_residual.norm.eps = o.norm_eps;
    if (o.pooler) pooler = Linear(o.stack.width, o.stack.width, rng);
    initialise_bert(parameters(*this), rng);
}

BertOutput Bert::operator()(const Indices& ids, const BertCall& call) const {
    const Shapes in("Bert", {{"ids", ids, "B T"}, {"segments", call.segments, "? B T"}});
    const bool given = call.segments.count() > 0;
    const Indices first(std::vector<int>(given ? 0 : ids.count(), 0));
    const Tensor x =
        embeddings(ids, given ? call.segments : first.reshaped(ids.shape()), call.mode);
    const Tensor y = encoder(x, {.mask = call.mask, .mode = call.mode, .weights = call.weights});
    Tensor pooled;
    if (pooler.defined()) pooled = tanh(pooler(select(y, 1, 0)));
    return {y, pooled};
}

// --- pre-training -------------------------------------------------------------------------------

MaskedTokenHead::MaskedTokenHead(const Embedding& table, double norm_eps, Rng& rng) {
    const int64_t vocabulary = table.weight.size(0), width = table.weight.size(1);
    transform = Linear(width, width, rng);
    norm = norm_of(width, norm_eps);
    decoder.weight = table.weight;
    decoder.bias = parameter(zeros({vocabulary}));
}

Tensor MaskedTokenHead::operator()(const Tensor& y) const {
    const Shapes in("MaskedTokenHead", {{"y", y, "... D"}});
    return decoder(norm(gelu(transform(y))));
}

BertForPretraining::BertForPretraining(const BertPretrainingOptions& o, Rng& rng)
    : bert(o.bert, rng), head(bert.embeddings.token, o.bert.norm_eps, rng) {
    check(!o.next_sentence || o.bert.pooler,
          "BertForPretraining: the next sentence is predicted from the pooled vector, so it needs "
          "BertOptions::pooler");
    if (o.next_sentence) next_sentence = Linear(o.bert.stack.width, 2, rng);
    initialise_bert(parameters(*this), rng);
}

PretrainingOutput BertForPretraining::operator()(const Indices& ids, const BertCall& call) const {
    const Shapes in("BertForPretraining", {{"ids", ids, "B T"}});
    const BertOutput y = bert(ids, call);
    return {head(y.output), next_sentence.defined() ? next_sentence(y.pooled) : Tensor()};
}

void initialise_bert(const ParameterList& parameters, Rng& rng) {
    if (rng.leaves_unset()) return;
    for (const Parameter& p : parameters) {
        Tensor x = p.tensor;
        if (x.dim() >= 2)
            x.assign(normal(x.shape(), 0, 0.02, rng));
        else if (p.name.ends_with("bias"))
            x.assign(zeros(x.shape()));
    }
}

int64_t parameter_count(const BertOptions& o) {
    const int64_t d = o.stack.width;
    return (o.vocabulary + o.segments + o.max_positions) * d + 2 * d +
           encoder_parameter_count(o.stack) + (o.pooler ? d * d + d : 0);
}

// --- published files ----------------------------------------------------------------------------

namespace {

// A piece of a name and what it is called in published files. The first row that applies is replaced,
// then the next; no row applies to what another one has made.
constexpr std::array<std::pair<const char*, const char*>, 17> published{{
    {"embeddings.token.weight", "embeddings.word_embeddings.weight"},
    {"embeddings.segment.weight", "embeddings.token_type_embeddings.weight"},
    {"embeddings.positions.table", "embeddings.position_embeddings.weight"},
    {"embeddings.norm.", "embeddings.LayerNorm."},
    {"attention.query.", "attention.self.query."},
    {"attention.key.", "attention.self.key."},
    {"attention.value.", "attention.self.value."},
    {"attention.output.", "attention.output.dense."},
    {"attention_norm.", "attention.output.LayerNorm."},
    {"feed_forward.hidden.", "intermediate.dense."},
    {"feed_forward.output.", "output.dense."},
    {"feed_forward_norm.", "output.LayerNorm."},
    {"pooler.", "pooler.dense."},
    {"head.transform.", "cls.predictions.transform.dense."},
    {"head.norm.", "cls.predictions.transform.LayerNorm."},
    {"head.decoder.", "cls.predictions.decoder."},
    {"next_sentence.", "cls.seq_relationship."},
}};

std::string published_name(std::string name) {
    for (const auto& [ours, theirs] : published)
        if (const std::size_t at = name.find(ours); at != std::string::npos) {
            name.replace(at, std::string(ours).size(), theirs);
            break;
        }
    const std::string layers = "encoder.layers.";
    if (const std::size_t at = name.find(layers); at != std::string::npos)
        name.replace(at, layers.size(), "encoder.layer.");
    // The bias of the decoder stands one level higher.
    if (name == "cls.predictions.decoder.bias") name = "cls.predictions.bias";
    return name;
}

bool replace_end(std::string& name, const std::string& end, const std::string& by) {
    if (!name.ends_with(end)) return false;
    name.replace(name.size() - end.size(), end.size(), by);
    return true;
}

// The tensors of a published file under the names that bert_names() gives.
Safetensors with_one_spelling(Safetensors file, bool heads) {
    std::vector<Parameter> kept;
    for (Parameter& p : file.tensors) {
        std::string& name = p.name;
        replace_end(name, "LayerNorm.gamma", "LayerNorm.weight") ||
            replace_end(name, "LayerNorm.beta", "LayerNorm.bias");
        const bool of_heads = name.starts_with("cls.");
        if (name.ends_with("embeddings.position_ids") || (of_heads && !heads) ||
            name.starts_with("cls.predictions.decoder."))
            continue;
        if (!of_heads && !name.starts_with("bert.")) name = "bert." + name;
        kept.push_back(std::move(p));
    }
    return {std::move(kept), file.metadata};
}

// Parameters of a Bert without heads stand in a file as those of one with heads do.
std::vector<Parameter> with_prefix(std::vector<Parameter> all) {
    for (Parameter& p : all) p.name = "bert." + p.name;
    return all;
}

void load(const std::vector<Parameter>& all, const std::string& path, bool heads) {
    const Safetensors file = with_one_spelling(load_safetensors(path), heads);
    assign_from(from_pytorch(file, path, all, bert_names(all)), path, all, Numbers::finite);
}

}  // namespace

std::vector<PytorchName> bert_names(const std::vector<Parameter>& all) {
    std::vector<PytorchName> names;
    for (const Parameter& p : all) names.push_back({published_name(p.name)});
    return names;
}

void load_bert(Bert& model, const std::string& path) {
    load(with_prefix(named_parameters(model)), path, false);
}

void load_bert(BertForPretraining& model, const std::string& path) {
    load(named_parameters(model), path, true);
}

void save_bert(const Bert& model, const std::string& path) {
    const std::vector<Parameter> all = with_prefix(parameters(model));
    save_safetensors(path, to_pytorch(all, bert_names(all)));
}

void save_bert(const BertForPretraining& model, const std::string& path) {
    const std::vector<Parameter> all = parameters(model);  // the tied table once
    save_safetensors(path, to_pytorch(all, bert_names(all)));
}

}  // namespace heed
