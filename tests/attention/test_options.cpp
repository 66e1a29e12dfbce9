// The extremes of every number in every options struct of the three libraries: a negative one, 0, NaN
// and the infinities are accepted on purpose, or refused with a message. A struct or a member that is
// missing from the table fails.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "attention/attention.h"
#include "tests/autograd/check/public_functions.h"
#include "tests/catch.h"

using namespace heed;
using schedules::OneCycleOptions;
namespace fs = std::filesystem;

namespace {

// One number: its name, what sets it and uses the options, and which extremes are accepted.
struct Field {
    std::string name;
    bool whole;
    std::function<void(double)> use;
    std::string accepted;
};

template <class T>
void set(T& member, double x) {
    if constexpr (std::is_integral_v<T>)
        member = static_cast<T>(x);
    else if constexpr (std::is_same_v<T, Size2d>)
        member = static_cast<int64_t>(x);
    else
        member = x;
}

const std::vector<std::pair<std::string, double>> extremes{
    {"-1", -1},
    {"0", 0},
    {"nan", std::numeric_limits<double>::quiet_NaN()},
    {"inf", std::numeric_limits<double>::infinity()},
    {"-inf", -std::numeric_limits<double>::infinity()}};

// A number of `Options`, used by use(options) that starts from `base`.
#define NUMBER(Options, member, base, use, accepted)                              \
    Field {                                                                       \
#Options "." #member,                                                           \
            std::is_integral_v<decltype(Options::member)> ||                            \
                std::is_same_v<decltype(Options::member), Size2d>,                      \
            [](double x) {                                                              \
                Options o = base;                                                       \
                set(o.member, x);                                                       \
                use(o);                                                                 \
            },                                                                          \
            accepted \
    }

Rng& rng() {
    static Rng one(1);
    return one;
}

const Tensor image = ones({1, 2, 4, 4}), sequence = ones({1, 2, 8}), heads = ones({1, 1, 4, 4});
const Indices ids({4, 5, 6, 7}, {1, 4});

// --- What the options are for.
void listen(const CtcOptions& o) { ctc_loss(zeros({1, 3, 2}), Indices({1}, {1, 1}), {}, {}, o); }
void classify(const CrossEntropyOptions& o) { cross_entropy(ones({2, 3}), {0, 1}, o); }
void pool2(const Pool2dOptions& o) { max_pool2d(image, 2, o), avg_pool2d(image, 2, o); }
void pool1(const Pool1dOptions& o) { max_pool1d(sequence, 2, o), avg_pool1d(sequence, 2, o); }
void convolve2(const Conv2dOptions& o) { conv2d(image, ones({2, 2, 3, 3}), {}, o); }
void convolve1(const Conv1dOptions& o) { conv1d(sequence, ones({2, 2, 3}), {}, o); }
void check_square(const GradcheckOptions& o) {
    const Tensor x = tensor({1, 2, 3}, Dtype::float64);
    gradcheck([](const auto& xs) { return xs[0] * xs[0]; }, {x}, o);
}
template <class Kind>
constexpr auto optimise = [](const auto& o) {
    Tensor x = ones({2});
    x.set_requires_grad();
    Kind optimiser({{"x", x}}, o);
    backward(sum(x * x));
    optimiser.step();
};
void average(const AverageOptions& o) {
    AverageOfWeights average({{"x", ones({2})}}, o);
    average.update(), average.update();
}
void cycle(const OneCycleOptions& o) { schedules::one_cycle(10, o)(3); }
void recur(const RecurrentOptions& o) { Gru(3, 4, o, rng())(ones({2, 3, 3})); }
void stop(const EarlyStoppingOptions& o) {
    EarlyStopping early({}, o);
    early.add(1, 2.0), early.add(2, 1.0);
}
void learn(const TrainOptions& o) {
    Tensor x = ones({2});
    x.set_requires_grad();
    Sgd optimiser({{"x", x}}, {});
    train(optimiser, o, [&](int64_t) { return StepResult{sum(x * x), 1}; });
}
void load(const LoaderOptions& o) { DataLoader(TensorDataset(ones({4, 2}), ones({4})), o).next(); }
void learn_pieces(const LearnOptions& o) { learn_byte_pairs({"a b a c"}, o); }
void encode_text(const EncodeOptions& o) {
    Tokenizer(learn_byte_pairs({"a b"}, {.size = 256}).parts).encode("a", o);
}
void words(const VocabularyOptions& o) { Vocabulary::build({"a b a c"}, o); }
void batches(const BatchOptions& o) { bucket_batches({3, 2, 4, 1}, o, rng()); }
void attend(AttentionCall o) {
    o.dropout_seed = 1;
    scaled_dot_product_attention(heads, heads, heads, o);
}
void attend_with_a_cache(AttentionCall o) {
    KeyValueCache cache;
    o.cache = &cache;
    SelfAttention({.width = 4}, {}, rng())(ones({1, 2, 4}), o);
}
void graph_attend(const GraphAttentionOptions& o) {
    const SparseGraph graph(3, {0, 1}, {1, 2}, {.self_loops = true});
    GraphAttention(o, rng())(ones({3, 4}), graph), GraphAttentionV2(o, rng());
}
void translate(const EncoderDecoderOptions& o) { EncoderDecoder(o, rng()); }
void pool_items(const PoolingOptions& o) { MultiHeadPooling(o, rng()); }
void pool_items_once(const PoolingOptions& o) { AttentionPooling(o, rng()); }
void place(const PositionOptions& o) {
    for (const PositionKind kind : {PositionKind::sinusoidal, PositionKind::learned}) {
        PositionOptions of = o;
        of.kind = kind;
        AbsolutePositions(of, rng());
    }
    PositionOptions relative = o;
    relative.kind = PositionKind::relative;
    RelativePositions(relative, rng());
    relative.kind = PositionKind::rotary;
    RelativePositions(relative, rng()).rotate(ones({1, 1, 3, 8}), 2);
}
void many_heads(const MultiHeadOptions& o) {
    const Tensor x = ones({1, 3, 8});
    MultiHead(o, rng())(x, x, x);
}
void conform(const ConformerOptions& o) { ConformerEncoder(o, rng()); }
void see(const VisionTransformerOptions& o) { VisionTransformer(o, rng()); }
void contrast(const ContrastiveOptions& o) {
    ContrastivePair pair(o, rng());
    pair.clip();
}
void span(const SpanOptions& o) { AttentionSpan(SpanKind::local_p, o, rng()); }
void transform(const TransformerOptions& o) {
    TransformerEncoder(o, rng()), TransformerDecoder(o, rng());
}
void speak(const LanguageModelOptions& o) { LanguageModel(o, rng()); }
void set_attend(const SetTransformerOptions& o) {
    SetAttentionBlock(o, rng()), InducedSetAttentionBlock(o, rng()),
        AttentionPoolingBlock(o, rng());
}
void transform_text(const TransformerModelOptions& o) { Transformer(o, rng()); }
void read(const BertOptions& o) { Bert(o, rng()); }
void hide(const MaskingOptions& o) { mask_tokens(ids, o, rng()); }
void attend_blocks(const BlockSparseOptions& o) {
    block_sparse_attention(heads, heads, heads, BlockPattern(4, {.before = 1, .after = 1}), o);
}
void attend_features(const PerformerOptions& o) {
    performer_attention(heads, heads, heads, orthogonal_features(8, 4, rng()), o);
}
void attend_hashes(const LshOptions& o) { lsh_attention(heads, heads, o); }
void pattern(const BlockPatternOptions& o) { BlockPattern(8, o); }
void synthesize(const SynthesizerOptions& o) {
    for (const SynthesizerKind kind : {SynthesizerKind::dense, SynthesizerKind::factored_dense,
                                       SynthesizerKind::random, SynthesizerKind::factored_random})
        Synthesizer(kind, o, rng());
}
void attend_state(const StateOptions& o) { linear_attention(heads, heads, heads, o); }
void attend_latent(const LatentAttentionOptions& o) {
    LatentAttention(o, rng())(zeros({1, 3, 8}), {.causal = true, .mode = Mode::evaluation()});
}
void speculate(const SpeculativeOptions& o) {
    const LanguageModel model({.vocabulary = 5, .stack = gpt({.width = 8, .heads = 2})}, rng());
    const Decodable two = model.decodable(Indices({1, 2}, {1, 2}));
    speculative_decode(two, two, o, rng(), {.end = -1, .max_length = 4});
}
void prefer(const DpoOptions& o) { dpo_loss(zeros({2}), zeros({2}), zeros({2}), zeros({2}), o); }
void adapt(const AdapterOptions& o) {
    Sequential net(Linear(8, 8, rng()));
    add_adapters(net, o, rng());
}
void quantise_one(const QuantiseOptions& o) {
    Sequential net(Linear(32, 8, rng()));
    quantise(net, o);
}
void attend_linearly(const LinearAttentionOptions& given) {
    for (const StateRule rule : state_rules()) {
        LinearAttentionOptions o = given;
        o.rule = rule;
        LinearAttention(o, rng())(ones({1, 3, 8}));
    }
}
void scan_states(const StateSpaceOptions& o) { SelectiveStateSpace(o, rng()); }
void project(const LinformerOptions& o) { Linformer(o, rng()); }
void look(const GlimpseOptions& o) { glimpse(ones({1, 8, 8}), zeros({1, 2}), o); }

const TransformerOptions small{.width = 8, .heads = 2, .layers = 1};
const TransformerOptions mixture{.width = 8, .heads = 2, .layers = 1, .experts = 4};
const TransformerOptions latent_stack{.width = 8,
                                      .heads = 2,
                                      .latent = 4,
                                      .rotary_width = 2,
                                      .layers = 1,
                                      .positions = {.kind = PositionKind::rotary}};
const LatentAttentionOptions latent{.width = 8, .heads = 2, .latent = 4, .rotary_width = 2};
const EncoderDecoderOptions seq2seq{
    .source_vocabulary = 5, .target_vocabulary = 5, .embedding = 4, .hidden = 4};
const EncoderDecoderOptions by_location = [] {
    EncoderDecoderOptions o = seq2seq;
    o.score = ScoreKind::location;
    return o;
}();
const EncoderDecoderOptions by_window = [] {
    EncoderDecoderOptions o = seq2seq;
    o.decoder = DecoderKind::luong, o.score = ScoreKind::general, o.span = SpanKind::local_p;
    return o;
}();
const VisionTransformerOptions vision{.image = 8, .patch = 4, .stack = small};
const PoolingOptions pooling{.width = 4};
const BertOptions bert{.vocabulary = 9, .max_positions = 8, .stack = small};
const MaskingOptions masking{.vocabulary = 9, .mask_id = 4};
const SetTransformerOptions sets{.width = 8, .heads = 2, .inducing_points = 2};
const SynthesizerOptions synthesizer{.width = 8, .length = 8, .heads = 2, .factor = 2};
const GraphAttentionOptions graph{.width = 4, .head_width = 2};
const ConformerOptions conformer{.width = 8, .heads = 2, .layers = 1, .kernel = 3};
const ContrastiveOptions contrastive{.first_width = 3, .second_width = 3, .width = 2};
const TransformerModelOptions translator{
    .source_vocabulary = 5, .target_vocabulary = 5, .stack = small};
const LanguageModelOptions speaker{.vocabulary = 5, .stack = small};
const TrainOptions two_steps{.steps = 2};
const TrainOptions two_epochs{.epochs = 2, .epoch_steps = 1};
const TrainOptions validated{.steps = 2, .validate = [] { return 1.0; }, .validate_every = 1};

// What is accepted is listed; all else is refused.
const std::vector<Field> table{
    // autograd
    NUMBER(CrossEntropyOptions, smoothing, {}, classify, "0"),
    NUMBER(CtcOptions, blank, {}, listen, "0"),
    NUMBER(CrossEntropyOptions, ignored_index, {}, classify, "-1 0"),  // any label
    NUMBER(Pool2dOptions, stride, {}, pool2, "0"),                     // the kernel
    NUMBER(Pool2dOptions, padding, {}, pool2, "0"),
    NUMBER(Pool1dOptions, stride, {}, pool1, "0"),
    NUMBER(Pool1dOptions, padding, {}, pool1, "0"),
    NUMBER(Conv2dOptions, stride, {}, convolve2, ""),
    NUMBER(Conv2dOptions, padding, {}, convolve2, "0"),
    NUMBER(Conv2dOptions, dilation, {}, convolve2, ""),
    NUMBER(Conv2dOptions, groups, {}, convolve2, ""),
    NUMBER(Conv1dOptions, stride, {}, convolve1, ""),
    NUMBER(Conv1dOptions, padding, {}, convolve1, "0"),
    NUMBER(Conv1dOptions, dilation, {}, convolve1, ""),
    NUMBER(Conv1dOptions, groups, {}, convolve1, ""),
    NUMBER(GradcheckOptions, order, {}, check_square, ""),
    NUMBER(GradcheckOptions, tolerance, {}, check_square, "0"),  // that of the order
    NUMBER(GradcheckOptions, floor, {}, check_square, "0"),      // no input is hollow
    NUMBER(GradcheckOptions, step, {}, check_square, ""),
    NUMBER(GradcheckOptions, full_below, {}, check_square, "0"),  // random directions always
    NUMBER(GradcheckOptions, directions, {}, check_square, ""),
    NUMBER(GradcheckOptions, seed, {}, check_square, "-1 0"),
    // nn
    NUMBER(AdapterOptions, rank, {}, adapt, ""),
    NUMBER(AdapterOptions, alpha, {}, adapt, "0"),  // the rank
    NUMBER(QuantiseOptions, bits, {}, quantise_one, ""),
    NUMBER(AverageOptions, ema_decay, {}, average, "0"),
    NUMBER(SgdOptions, lr, {}, optimise<Sgd>, "0"),
    NUMBER(SgdOptions, momentum, {}, optimise<Sgd>, "0"),
    NUMBER(SgdOptions, weight_decay, {}, optimise<Sgd>, "0"),
    NUMBER(AdamOptions, lr, {}, optimise<Adam>, "0"),
    NUMBER(AdamOptions, beta1, {}, optimise<Adam>, "0"),
    NUMBER(AdamOptions, beta2, {}, optimise<Adam>, "0"),
    NUMBER(AdamOptions, eps, {}, optimise<Adam>, "0"),
    NUMBER(AdamOptions, weight_decay, {}, optimise<Adam>, "0"),
    NUMBER(AdamWOptions, lr, {}, optimise<AdamW>, "0"),
    NUMBER(AdamWOptions, beta1, {}, optimise<AdamW>, "0"),
    NUMBER(AdamWOptions, beta2, {}, optimise<AdamW>, "0"),
    NUMBER(AdamWOptions, eps, {}, optimise<AdamW>, "0"),
    NUMBER(AdamWOptions, weight_decay, {}, optimise<AdamW>, "0"),
    NUMBER(RmsPropOptions, lr, {}, optimise<RmsProp>, "0"),
    NUMBER(RmsPropOptions, alpha, {}, optimise<RmsProp>, "0"),
    NUMBER(RmsPropOptions, eps, {}, optimise<RmsProp>, "0"),
    NUMBER(RmsPropOptions, momentum, {}, optimise<RmsProp>, "0"),
    NUMBER(RmsPropOptions, weight_decay, {}, optimise<RmsProp>, "0"),
    NUMBER(OneCycleOptions, pct_start, {}, cycle, ""),
    NUMBER(OneCycleOptions, div_factor, {}, cycle, ""),
    NUMBER(OneCycleOptions, final_div_factor, {}, cycle, "inf"),  // down to 0
    NUMBER(RecurrentOptions, layers, {}, recur, ""),
    NUMBER(RecurrentOptions, dropout, {}, recur, "0"),
    NUMBER(EarlyStoppingOptions, patience, {}, stop, "0"),
    NUMBER(EarlyStoppingOptions, min_delta, {}, stop, "0"),
    NUMBER(TrainOptions, steps, two_steps, learn, ""),
    NUMBER(TrainOptions, epochs, two_epochs, learn, ""),
    NUMBER(TrainOptions, epoch_steps, two_epochs, learn, ""),
    NUMBER(TrainOptions, seconds, two_steps, learn, "0 inf"),    // no limit
    NUMBER(TrainOptions, clip_norm, two_steps, learn, "0 inf"),  // no clipping
    NUMBER(TrainOptions, validate_every, validated, learn, "0"),
    NUMBER(TrainOptions, patience, validated, learn, "0"),
    NUMBER(TrainOptions, min_delta, validated, learn, "0"),
    NUMBER(TrainOptions, accumulate, two_steps, learn, ""),
    NUMBER(LoaderOptions, batch_size, {}, load, ""),
    NUMBER(LearnOptions, size, {}, learn_pieces, ""),
    NUMBER(LearnOptions, least, {}, learn_pieces, ""),
    NUMBER(EncodeOptions, behind, {}, encode_text, "0 -1"),
    NUMBER(VocabularyOptions, min_frequency, {}, words, ""),
    NUMBER(VocabularyOptions, max_size, {}, words, "0"),  // no limit
    NUMBER(BatchOptions, batch_size, {}, batches, ""),
    NUMBER(BatchOptions, tokens, {}, batches, "0"),  // no limit
    NUMBER(BatchOptions, pool, {}, batches, "0"),    // no sorting
    // attention
    NUMBER(AttentionCall, scale, {}, attend, "-1 0"),  // 0: 1 / √D
    NUMBER(AttentionCall, dropout, {}, attend, "0"),
    NUMBER(AttentionCall, layer, {}, attend_with_a_cache, "0"),
    NUMBER(GraphAttentionOptions, width, graph, graph_attend, ""),
    NUMBER(GraphAttentionOptions, head_width, graph, graph_attend, ""),
    NUMBER(GraphAttentionOptions, heads, graph, graph_attend, ""),
    NUMBER(GraphAttentionOptions, slope, graph, graph_attend, "-1 0"),
    NUMBER(GraphAttentionOptions, dropout, graph, graph_attend, "0"),
    NUMBER(GraphAttentionOptions, value_dropout, graph, graph_attend, "0"),
    NUMBER(GraphAttentionOptions, weight_dropout, graph, graph_attend, "0"),
    NUMBER(EncoderDecoderOptions, source_vocabulary, seq2seq, translate, ""),
    NUMBER(EncoderDecoderOptions, target_vocabulary, seq2seq, translate, ""),
    NUMBER(EncoderDecoderOptions, embedding, seq2seq, translate, ""),
    NUMBER(EncoderDecoderOptions, hidden, seq2seq, translate, ""),
    NUMBER(EncoderDecoderOptions, encoder_layers, seq2seq, translate, ""),
    NUMBER(EncoderDecoderOptions, dropout, seq2seq, translate, "0"),
    NUMBER(EncoderDecoderOptions, max_source_length, by_location, translate, ""),
    NUMBER(EncoderDecoderOptions, half_window, by_window, translate, ""),
    NUMBER(PoolingOptions, width, pooling, pool_items, ""),
    NUMBER(PoolingOptions, hidden, pooling, pool_items_once, "0"),  // the width
    NUMBER(PoolingOptions, queries, pooling, pool_items, ""),
    NUMBER(PoolingOptions, context, pooling, pool_items_once, "0"),  // none
    NUMBER(PoolingOptions, heads, pooling, pool_items, ""),
    NUMBER(PositionOptions, width, {.width = 8}, place, ""),
    NUMBER(PositionOptions, heads, {.width = 8}, place, ""),
    NUMBER(PositionOptions, max_positions, {.width = 8}, place, ""),
    NUMBER(PositionOptions, max_distance, {.width = 8}, place, "0"),  // one vector for all
    NUMBER(PositionOptions, base, {.width = 8}, place, ""),
    NUMBER(PositionOptions, interpolation, {.width = 8}, place, ""),
    NUMBER(MultiHeadOptions, width, {.width = 8}, many_heads, ""),
    NUMBER(MultiHeadOptions, heads, {.width = 8}, many_heads, ""),
    NUMBER(MultiHeadOptions, key_value_heads, {.width = 8}, many_heads, "0"),  // the heads
    NUMBER(MultiHeadOptions, query_width, {.width = 8}, many_heads, "0"),  // the width, as below
    NUMBER(MultiHeadOptions, key_width, {.width = 8}, many_heads, "0"),
    NUMBER(MultiHeadOptions, value_width, {.width = 8}, many_heads, "0"),
    NUMBER(MultiHeadOptions, scale, {.width = 8}, many_heads, "-1 0"),
    NUMBER(MultiHeadOptions, dropout, {.width = 8}, many_heads, "0"),
    NUMBER(ConformerOptions, width, conformer, conform, ""),
    NUMBER(ConformerOptions, heads, conformer, conform, ""),
    NUMBER(ConformerOptions, layers, conformer, conform, "0"),  // x itself
    NUMBER(ConformerOptions, hidden, conformer, conform, "0"),  // 4 width
    NUMBER(ConformerOptions, kernel, conformer, conform, ""),
    NUMBER(ConformerOptions, dropout, conformer, conform, "0"),
    NUMBER(VisionTransformerOptions, image, vision, see, ""),
    NUMBER(VisionTransformerOptions, patch, vision, see, ""),
    NUMBER(VisionTransformerOptions, channels, vision, see, ""),
    NUMBER(VisionTransformerOptions, classes, vision, see, "0"),  // no head
    NUMBER(ContrastiveOptions, first_width, contrastive, contrast, ""),
    NUMBER(ContrastiveOptions, second_width, contrastive, contrast, ""),
    NUMBER(ContrastiveOptions, width, contrastive, contrast, ""),
    NUMBER(ContrastiveOptions, temperature, contrastive, contrast, ""),
    NUMBER(ContrastiveOptions, largest_scale, contrastive, contrast, "inf"),  // no limit
    NUMBER(SpanOptions, half_window, {.query = 4}, span, ""),
    NUMBER(SpanOptions, query, {.query = 4}, span, ""),
    NUMBER(TransformerOptions, width, small, transform, ""),
    NUMBER(TransformerOptions, heads, small, transform, ""),
    NUMBER(TransformerOptions, key_value_heads, small, transform, "0"),  // the heads
    NUMBER(TransformerOptions, latent, latent_stack, transform,
           ""),  // no latents, but rotary_width
    NUMBER(TransformerOptions, rotary_width, latent_stack, transform, "0"),
    NUMBER(TransformerOptions, layers, small, transform, "0"),
    NUMBER(TransformerOptions, experts, small, transform, "0"),  // one network
    NUMBER(TransformerOptions, experts_for_each_token, mixture, transform, ""),
    NUMBER(TransformerOptions, hidden, small, transform, "0"),    // 4 width
    NUMBER(TransformerOptions, norm_eps, small, transform, "0"),  // the norm's own
    NUMBER(TransformerOptions, dropout, small, transform, "0"),
    NUMBER(TransformerOptions, attention_dropout, small, transform, "0"),
    NUMBER(TransformerOptions, hidden_dropout, small, transform, "0"),
    NUMBER(LanguageModelOptions, vocabulary, speaker, speak, ""),
    NUMBER(SetTransformerOptions, width, sets, set_attend, ""),
    NUMBER(SetTransformerOptions, heads, sets, set_attend, ""),
    NUMBER(SetTransformerOptions, hidden, sets, set_attend, "0"),  // the width
    NUMBER(SetTransformerOptions, inducing_points, sets, set_attend, ""),
    NUMBER(SetTransformerOptions, seeds, sets, set_attend, ""),
    NUMBER(SetTransformerOptions, dropout, sets, set_attend, "0"),
    NUMBER(TransformerModelOptions, source_vocabulary, translator, transform_text, ""),
    NUMBER(TransformerModelOptions, target_vocabulary, translator, transform_text, ""),
    NUMBER(BertOptions, vocabulary, bert, read, ""),
    NUMBER(BertOptions, segments, bert, read, ""),
    NUMBER(BertOptions, max_positions, bert, read, ""),
    NUMBER(BertOptions, norm_eps, bert, read, "0"),
    NUMBER(MaskingOptions, vocabulary, masking, hide, ""),
    NUMBER(MaskingOptions, mask_id, masking, hide, "0"),
    NUMBER(MaskingOptions, share, masking, hide, "0"),
    NUMBER(MaskingOptions, masked, masking, hide, "0"),
    NUMBER(MaskingOptions, random, masking, hide, "0"),
    NUMBER(BlockSparseOptions, scale, {}, attend_blocks, "-1 0"),
    NUMBER(PerformerOptions, scale, {}, attend_features, "0"),
    NUMBER(PerformerOptions, chunk, {}, attend_features, ""),
    NUMBER(LshOptions, buckets, {.chunk = 2}, attend_hashes, ""),
    NUMBER(LshOptions, chunk, {}, attend_hashes, ""),
    NUMBER(LshOptions, hashes, {.chunk = 2}, attend_hashes, ""),
    NUMBER(LshOptions, scale, {.chunk = 2}, attend_hashes, "-1 0"),
    NUMBER(LshOptions, seed, {.chunk = 2}, attend_hashes, "-1 0"),
    NUMBER(BlockPatternOptions, before, {}, pattern, "0"),
    NUMBER(BlockPatternOptions, after, {}, pattern, "0"),
    NUMBER(BlockPatternOptions, dilation, {}, pattern, ""),
    NUMBER(BlockPatternOptions, random_blocks, {}, pattern, "0"),
    NUMBER(BlockPatternOptions, seed, {}, pattern, "-1 0"),
    NUMBER(BlockPatternOptions, block, {}, pattern, ""),
    NUMBER(SynthesizerOptions, width, synthesizer, synthesize, ""),
    NUMBER(SynthesizerOptions, length, synthesizer, synthesize, ""),
    NUMBER(SynthesizerOptions, heads, synthesizer, synthesize, ""),
    NUMBER(SynthesizerOptions, hidden, synthesizer, synthesize, "0"),  // the width
    NUMBER(SynthesizerOptions, factor, synthesizer, synthesize, ""),
    NUMBER(LinformerOptions, length, (LinformerOptions{8, 2}), project, ""),
    NUMBER(LinformerOptions, projected, (LinformerOptions{8, 2}), project, ""),
    NUMBER(LatentAttentionOptions, width, latent, attend_latent, ""),
    NUMBER(LatentAttentionOptions, heads, latent, attend_latent, ""),
    NUMBER(LatentAttentionOptions, latent, latent, attend_latent, ""),
    NUMBER(LatentAttentionOptions, rotary_width, latent, attend_latent, ""),
    NUMBER(LatentAttentionOptions, base, latent, attend_latent, ""),
    NUMBER(LatentAttentionOptions, interpolation, latent, attend_latent, ""),
    NUMBER(LatentAttentionOptions, dropout, latent, attend_latent, "0"),
    NUMBER(SpeculativeOptions, draft, {}, speculate, ""),
    NUMBER(DpoOptions, beta, {}, prefer, ""),
    NUMBER(StateOptions, chunk, {}, attend_state, ""),
    NUMBER(LinearAttentionOptions, width, {.width = 8}, attend_linearly, ""),
    NUMBER(LinearAttentionOptions, heads, {.width = 8}, attend_linearly, ""),
    NUMBER(LinearAttentionOptions, most_beta, {.width = 8}, attend_linearly, ""),
    NUMBER(LinearAttentionOptions, chunk, {.width = 8}, attend_linearly, ""),
    NUMBER(StateSpaceOptions, width, {.width = 8}, scan_states, ""),
    NUMBER(StateSpaceOptions, numbers, {.width = 8}, scan_states, ""),
    NUMBER(StateSpaceOptions, rank, {.width = 8}, scan_states, "0"),  // width / 16
    NUMBER(GlimpseOptions, size, {}, look, ""),
    NUMBER(GlimpseOptions, scales, {}, look, ""),
    NUMBER(GlimpseOptions, factor, {}, look, ""),
};

// What decides how sequences are searched for: tests/attention/decoding.
const std::set<std::string> elsewhere{"BeamOptions", "DecodeOptions", "SamplingOptions"};

}  // namespace

TEST_CASE("the extremes of every number of the options", "[errors][options]") {
    for (const Field& field : table)
        for (const auto& [name, x] : extremes) {
            if (field.whole && !std::isfinite(x)) continue;
            std::istringstream words(field.accepted);
            bool accepted = false;
            for (std::string word; words >> word;) accepted |= word == name;
            std::string message;
            try {
                field.use(x);
            } catch (const Error& error) {
                message = error.what();
            }
            INFO(field.name << " = " << name << ": " << message);
            CHECK(message.empty() == accepted);
        }
}

TEST_CASE("every number of every options struct is in the table", "[options]") {
    PublicFunctions headers;
    for (const char* library : {"autograd", "nn", "attention"})
        for (const auto& entry :
             fs::recursive_directory_iterator(fs::path(HEED_SOURCE_DIR) / library)) {
            if (entry.path().extension() != ".h") continue;
            std::ostringstream text;
            text << std::ifstream(entry.path()).rdbuf();
            headers.read(text.str());
        }
    std::set<std::string> listed, declared;
    for (const Field& field : table) listed.insert(field.name);
    const std::regex number(
        "^ *(?:int|int64_t|uint64_t|double|float|Size2d|std::optional<double>) (?!dropout_seed)(.*)$"),  // any seed will do
        member("(\\w+)(?: =[^,]*| \\{\\})?(?:,|$)");
    int structs = 0;
    for (const auto& [name, members] : headers.members()) {
        if (!(name.ends_with("Options") || name == "AttentionCall") || elsewhere.count(name))
            continue;
        ++structs;
        std::stringstream declarations(members);
        std::smatch match;
        for (std::string one; std::getline(declarations, one, ';');) {
            if (!std::regex_match(one, match, number)) continue;
            const std::string names = match[1];
            for (std::sregex_iterator i(names.begin(), names.end(), member), end; i != end; ++i)
                declared.insert(name + "." + (*i)[1].str());
        }
    }
    CHECK(listed == declared);
    CHECK(structs > 40);
}
