//! # What is a GPT?
//!
//! A text begins with "to be or not to b". Which character comes next? Most people say "e". A
//! *language model* answers in numbers: for each possible next token it computes a probability,
//! given the tokens before it. Here the tokens are single characters.
//!
//! Choose the next character by these probabilities, append it, and ask again: now it generates
//! text. To predict well, it has to know spelling, words, grammar, and in the end what the text is
//! about. And every text contains its own answers. First we build a language model that only
//! counts, and then one out of the blocks of lesson {transformer}. The second is the famous one. Is
//! it better?
//!
//! The text is the English half of the course's corpus, 24,000 different sentences, one a line. A
//! tenth is for validation.

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "attention/scores/mask.h"
#include "autograd/autograd.h"
#include "lessons/23_language_model/data.h"
#include "lessons/23_language_model/experiment.h"
#include "lessons/23_language_model/model.h"
#include "lessons/23_language_model/names.h"
#include "lessons/23_language_model/pictures.h"
#include "lessons/course/course.h"
#include "mpi/mpi_ranks.h"

namespace heed::lesson23 {

using namespace course;

namespace {

void opening(Lesson& lesson) {
    lesson.show(
        "staircase", staircase("to be or not to be", 9),
        "Each row is one question: what comes next? The last row is the one above. The stronger the "
        "colour of the answer, the more probable it is to a model that has counted this text: it "
        "knows how often each character came after the same three.");
}

//! ## Counting
//!
//! The text "to be or not to be" has 18 characters, 7 of them different. The letter "t" occurs
//! three times, followed by "o", by a space, and by "o". So a simple model says: after "t" comes
//! "o" with the probability 2/3 and a space with 1/3. A table of such counts is called an *n-gram*
//! model: it predicts a token from the $n - 1$ tokens before it (Shannon 1948). These are its
//! context, here with $n = 2$ one character.
//!
//! {no results} The loss is the cross-entropy of lesson {probabilities}, $-\ln p$ of the character
//! that really comes. For "o" it is $-\ln \tfrac23 = 0.405$ nats. Papers often use *bits per
//! character*, with the logarithm to base 2: $0.405 / \ln 2 = 0.585$. The perplexity is
//! $e^{0.405} = 1.5$: as if one had to choose among 1.5 equally likely characters.
//!
//! {no results} One character of context is not much. But there are about $30^8$ contexts of eight
//! characters, some 656 billion, and the whole corpus has 1.1 million characters. In a text by many
//! authors, most long contexts of a new sentence were never seen. (Ours returns to the phrases of a
//! small grammar.) And a character never seen in a context gets the probability 0, hence an
//! infinite loss if it comes.
//!
//! The remedy is to combine the tables. Let $h$ be the context and $h'$ the same context without
//! its oldest character. Then (Witten and Bell 1991)
//!
//! $$ p(c \mid h) = \frac{N(hc) + U(h) \, p(c \mid h')}{N(h) + U(h)} . $$
//!
//! $N(h)$ counts how often the context occurs, $N(hc)$ how often the character $c$ follows it, and
//! $U(h)$ how many different characters follow it. If $N(h)$ is large, the first term decides; if
//! the context is rare, the next shorter one. For the empty context, $p(c \mid h')$ is $1/V$, with
//! $V$ different characters.
//!
//! **By hand.** For the empty context, $N = 18$ and $U = 7$, and "o" occurs four times:
//! $p(\text{o}) = (4 + 7 \cdot \tfrac17) / (18 + 7) = 0.2$. After "t", with $N = 3$ and $U = 2$, it
//! has $p(\text{o} \mid \text{t}) = (2 + 2 \cdot 0.2) / (3 + 2) = 0.48$. And "n", which never
//! followed a "t", has $(0 + 2 \cdot 0.08) / 5 = 0.032$ instead of 0.
double next_probability(const std::string& text, const std::string& h, char c, int different) {
    std::map<char, int> followers;  // N(h c) of each character
    int total = 0;                  // N(h)
    for (std::size_t i = h.size(); i < text.size(); ++i)
        if (text.compare(i - h.size(), h.size(), h) == 0) ++followers[text[i]], ++total;
    const double shorter =
        h.empty() ? 1.0 / different : next_probability(text, h.substr(1), c, different);
    const double unique = static_cast<double>(followers.size());  // U(h)
    return total == 0 ? shorter : (followers[c] + unique * shorter) / (total + unique);
}

void count_a_small_text(Lesson& lesson) {
    lesson.heading("Counting");
    const std::string text = "to be or not to be";
    std::vector<std::pair<std::string, std::vector<double>>> after;  // a context; o, space, n
    for (const char* context : {"", "t", "ot", "not"}) {
        after.emplace_back(context, std::vector<double>{});
        for (char c : {'o', ' ', 'n'})
            after.back().second.push_back(next_probability(text, context, c, 7));
    }
    show_small_table(lesson, after);
    lesson.claim(
        "tables-by-hand",
        "identity: probabilities by hand against those of the tables used below, largest difference",
        difference_from_counts(text, next_probability), at_most(1e-12));
}

//! ## A Transformer that predicts the next token
//!
//! To the table each context is a new case. What it has learned about "the old cat" does not help
//! it with "the old dog". In a network, similar contexts lead to similar vectors.
//!
//! The decoder of lesson {transformer} reads a context and predicts. But here there is no source
//! sentence, so we leave out the encoder and the cross-attention. What remains is *decoder-only*:
//! one stack of blocks with self-attention under a causal mask. A *GPT* (generative pre-trained
//! Transformer) is such a language model (Radford et al. 2018).
//!
//! A piece of text of $T$ characters is not one training example but $T$. Thanks to the causal
//! mask, all $T$ predictions are computed at once:
void predict_everywhere(Lesson& lesson) {
    lesson.heading("A Transformer that predicts the next token");
    show_predictions(lesson, "to be or");
}

//! ## The whole model by hand
//!
//! Let $E$ be the table of embeddings with one row for each character, and $P$ a table with one row
//! for each position (learned positions, lesson {positions}). At position $t$ stands the character
//! $c_t$:
//!
//! $$ x_t = E_{c_t} + P_t . $$
//!
//! Each block changes all $x_t$ in two steps. The arrow says that the right side replaces the left:
//!
//! $$ x \leftarrow x + \operatorname{attention}(\operatorname{norm}(x)), \qquad
//!    x \leftarrow x + W_2 \operatorname{gelu}(W_1 \operatorname{norm}(x)) . $$
//!
//! The function *gelu* is a smooth version of relu: $\operatorname{gelu}(z) = z \, \Phi(z)$, where
//! $\Phi(z)$ is the probability that a number drawn from the normal distribution (the bell curve)
//! with mean 0 and standard deviation 1 is below $z$. After the last block, the logits are dot
//! products with the rows of $E$ (weight tying, lesson {transformer}):
//!
//! $$ p = \operatorname{softmax}(E \operatorname{norm}(x_t)) . $$
//!
//! The function `gpt_by_hand` computes this with every head written out.
Tensor gpt_by_hand(const LanguageModel& model, const Indices& ids) {  // [T] -> [T, V]
    const int64_t length = ids.count();
    const Tensor past = causal_mask(length);
    Tensor x = model.embedding(ids) + slice(model.positions.table, 0, 0, length);  // [T, D]
    for (const TransformerEncoderLayer& layer : model.stack.layers) {
        const MultiHead& heads = layer.attention.multi_head;
        const int64_t width = x.size(1) / heads.heads;
        const Tensor y = layer.attention_residual.norm(x);
        std::vector<Tensor> contexts;
        for (int64_t h = 0; h < heads.heads; ++h) {
            const auto of_head = [&](const Tensor& z) {
                return slice(z, 1, h * width, (h + 1) * width);
            };
            const Tensor q = of_head(heads.query(y)), k = of_head(heads.key(y)),
                         v = of_head(heads.value(y));
            const Tensor scores = matmul(q, transpose(k)) / std::sqrt(static_cast<double>(width));
            contexts.push_back(matmul(masked_softmax(scores, past), v));
        }
        x = x + heads.output(concat(contexts, 1));
        const FeedForward& network = layer.feed_forward;
        x = x + network.output(gelu(network.hidden(layer.feed_forward_residual.norm(x))));
    }
    return linear(model.stack.norm(x), model.embedding.weight);
}

//! Our sizes are those of the smallest recipe of nanoGPT, a small and popular program by Andrej
//! Karpathy. (A recipe is the choice of sizes, steps, batch and learning rate.) They are 4 blocks,
//! width 128, 4 heads, 64 characters of context. A block has $12 D^2$ weights (lesson
//! {transformer}; no biases here), so four have $4 \cdot 12 \cdot 128^2 = 786{,}432$. The 65
//! characters of the text by Shakespeare below need $65 \cdot 128 = 8{,}320$ numbers for $E$. $P$
//! has $64 \cdot 128 = 8{,}192$, and nine normalisations have $9 \cdot 128 = 1{,}152$. The sum is
//! 804,096. With the sizes of GPT-2 (Radford et al. 2019: 12 blocks of width 768, with biases,
//! 50,257 tokens and 1,024 positions) the same code gives the 124 million parameters of the
//! published weights.
void check_the_model(Lesson& lesson, const LanguageModel& model, const Characters& text,
                     const Settings& settings) {
    lesson.heading("The whole model by hand");
    lesson.show(
        "gpt", gpt_diagrams(),
        "A GPT. Its block is that of a Transformer, with a causal mask. The table E is used "
        "twice: for the embeddings, and for the logits at the end.");
    const Piece piece = pieces_in_order(text.valid, 0, 1, settings.context);
    const Tensor library = select(model(piece.in), 0, 0);
    const Tensor mine = gpt_by_hand(model, piece.in.reshaped({settings.context}));
    lesson.claim("logits-by-hand",
                 "identity: logits by hand against the library's, largest difference",
                 max(abs(mine - library)).item(), at_most(1e-4));
    const Settings published{.layers = 4, .width = 128, .heads = 4, .context = 64};
    Characters sixty_five;
    sixty_five.names.resize(65);
    const TransformerOptions gpt2 =
        gpt({.width = 768, .heads = 12, .layers = 12, .max_positions = 1024});
    const auto parameters = [](const LanguageModelOptions& sizes) {
        return static_cast<double>(parameter_count(sizes));
    };
    lesson.claim("recipe-parameters", "identity: parameters of the recipe for 65 characters",
                 parameters(model_options(sixty_five, published)), equals(804'096));
    lesson.claim("gpt2-parameters", "identity: parameters of GPT-2",
                 parameters({.vocabulary = 50257, .stack = gpt2}), equals(124'439'808));
    lesson.say(
        "Here: {} different characters, {} layers of width {}, {} heads, a context of {} "
        "characters, {} parameters.",
        text.size(), settings.layers, settings.width, settings.heads, settings.context,
        number(parameters(model_options(text, settings)), 7));
}

//! ## Training
//!
//! Each of the 4,000 steps takes twelve random pieces of the training text and all their
//! predictions. The optimiser is Adam with *weight decay*: every step also shrinks the weights a
//! little towards 0, so that large weights remain only where they lower the loss (AdamW, Loshchilov
//! and Hutter 2019). The learning rate is that of lesson {transformer}: a warm-up, then a cosine.
//! (With MPI, four processes can share a batch: workshop {processes}.)
//!
//! ![Press **Train**: a GPT of two layers learns the course's sentences, or a text that you paste, here in the page. After every few steps it writes; watch words appear, then phrases.](live:gpt)
//!
//! {code experiment.cpp train_model}
Curve train_the_model(Lesson& lesson, LanguageModel& model, const Characters& text,
                      const Settings& settings) {
    lesson.heading("Training");
    return train_or_load(lesson, model, text, settings);
}

//! ## Is that a good loss?
//!
//! A loss alone says little. So we compare it, on the whole validation text, with tables that were
//! counted on the same training text, with contexts of 0 to 9 characters.
//!
//! How much context has the GPT? At the first position of a piece it sees one character, at the
//! last one 64. Which of the two will be better with one, and which with many?
void compare_with_ngrams(Lesson& lesson, const LanguageModel& model, const Characters& text,
                         const Settings& settings, const Curve& curve) {
    lesson.heading("Is that a good loss?");
    const ValidationLosses found = validation_losses(model, text, settings, lesson.quick() ? 5 : 9);
    show_training(lesson, curve, found.best_table());
    show_losses(lesson, found, text);
    const std::vector<double>& losses = found.by_position;
    const double late = summarise({losses.end() - 8, losses.end()}).mean;
    lesson.claim("context-gain", "finding: loss at the first position over that at the last 8",
                 losses[0] / late, at_least(lesson.quick() ? 1.2 : 3.5));
    if (lesson.quick()) return;
    const double ratio = found.loss() / found.best_table();
    if (lesson.options().data.empty())
        lesson.claim("loss-over-table", "finding: validation loss over that of the best table",
                     ratio, between(0.97, 1.03));
    if (text.size() != 65 || text.train.size() != 1'003'854 || settings.steps != 2000) return;

    //! {no results} With `--data` and the text "tiny Shakespeare", 1.1 million characters, the
    //! recipe can be compared with a published loss. The README of nanoGPT gives 1.88 and does not
    //! say on which part of the text. Our training and the same recipe in PyTorch
    //! (`bench/pytorch/recipe.py`) both end two to four hundredths of a nat above it, on the
    //! validation text.
    const std::vector<double> estimates = estimates_of_loss(model, text.valid, settings, 20);
    lesson.say("20 estimates on 20 random batches each, as in nanoGPT: {}; its README has 1.88.",
               mean_and_spread(estimates));
    lesson.claim("shakespeare-loss", "finding: validation loss on tiny Shakespeare", found.loss(),
                 at_most(1.93));
}

//! {if all context-gain > 3 and loss-over-table > 0.98 and loss-over-table < 1.03} {full run} The
//! GPT uses its context: at the first position its loss is {context-gain:1} times that of the last
//! eight. And yet it only **ties with counting**. Its loss is {loss-over-table:range 2} times that
//! of the best table. Is a GPT an expensive table, then?
//!
//! On this text it is: in a small grammar, even long contexts have mostly been seen. But look at
//! the number of counts in the caption of the table. It grows with the text and with the length of
//! the context, because a table stores each context by itself. With a fixed number of parameters,
//! the GPT has to find rules that hold for many contexts. That pays where contexts do not return,
//! and our corpus has nothing of the kind.

//! ## A text in which names return
//!
//! So here is a text of that kind. Every line of it tells of somebody whose name is new: "kosire
//! sees the cat. the dog likes kosire. the bird knows kosire. kosire hears the student." The six
//! letters of a name are drawn at random, consonants and vowels in turn. There are 421,875 such
//! names, and a table has counted hardly any of those that come in the validation text.
//!
//! A reader who has met the name once can complete it when it returns. What can a table do? It has
//! seen many names that begin with "ko", and each went on in another way. To know that "sire"
//! follows, one has to look back in this line.
//!
//! A GPT of two blocks reads up to 96 characters of it. We measure three losses: on the letters of
//! a name that is new (after its first letter, which says that a name begins), on the same letters
//! when it returns, and on the rest of the text. For each of the three the table may use the length
//! of context that is best for it.
void let_names_return(Lesson& lesson, const Settings& settings) {
    lesson.heading("A text in which names return");
    Settings small = settings;
    small.layers = 2, small.width = lesson.quick() ? 64 : 128, small.context = 96;
    small.steps = lesson.quick() ? 200 : 2500;
    Rng rng(lesson.seed() + 2);
    const NamedText text = text_with_names(lesson.quick() ? 500'000 : 1'100'000, rng);
    const LanguageModel model(model_options(text.characters, small), rng);
    const NameLosses table = losses_of_tables(text, 400, small.context);
    const NameCurve curve = learn_names(lesson, model, text, small);
    const NameLosses gpt = losses_of(model, text, 400, small.context);
    show_names(lesson, text, table, gpt, curve);
    lesson.measured("new-name-table", "loss of the best table where a name is new", table.new_name);
    lesson.measured("new-name-gpt", "loss of the GPT where a name is new", gpt.new_name);
    lesson.measured("name-table", "loss of the best table where a name returns",
                    table.returning_name);
    lesson.measured("name-gpt", "loss of the GPT where a name returns", gpt.returning_name);
    if (!lesson.quick())
        lesson.claim("name-gain",
                     "finding: where a name returns, loss of the best table minus that of the GPT",
                     table.returning_name - gpt.returning_name, at_least(2));
}

//! {if all name-gain > 1.5 and name-gpt < 0.5} {full run} Where a name is new, nobody can know it:
//! the loss of the table is {new-name-table:2} nats a letter, and that of the GPT {new-name-gpt:2}.
//! Where it returns, the table has {name-table:2}, and the GPT {name-gpt:2}. **The table knows what
//! it has counted. The GPT can also look something up in the text that it reads.** Its parameters
//! cannot hold these names, as hardly any of them was in its training text. They are in its keys
//! and values.
//!
//! Look at the curve, too: for a long time the GPT is no better than a table, and then its loss
//! falls suddenly. Lesson {circuits} opens such a model and finds the two heads that do this.
//!
//! ## What do the heads attend to?
//!
//! We average the attention weights of every head over many characters, by distance: 0 is the
//! character itself, 1 the character before it. A row is a head: the first number says its block,
//! the second its own. Beside it stands how far back the head reads in the mean. Which heads read
//! the character before, and which read far back?
//!
//! ## Generation with and without a cache
//!
//! To generate text, we sample a character, append it, and let the model predict again. Done
//! naively, the model reads one character, then two, then three, and so on. For $T$ new characters,
//! $1 + 2 + \dots + T = T (T + 1) / 2$ pass through the blocks: 2,080 for $T = 64$.
//!
//! {no results} Most of this work repeats itself. No token attends to later tokens, so the vectors
//! of earlier characters do not change when a new one is appended, and attention needs only their
//! keys and values. A *key/value cache* stores these in each block, so that a new token passes
//! through the blocks alone (Shazeer 2019, section 2.4). Now 64 characters pass through the blocks
//! instead of 2,080, which is 32.5 times less. The price is storage: $2 T D$ numbers for each
//! block. And the model must be told where the new token stands: after $t$ cached tokens it has
//! position $t$, and not position 0 of a new text.
//!
//! Both ways must generate the same characters. The program tries it with four texts, at the
//! temperatures 0 and 1, and counts the multiplications.
void compare_caching(Lesson& lesson, const LanguageModel& model, const Characters& text,
                     const Settings& settings, const Prediction& guess) {
    lesson.heading("Generation with and without a cache");
    Cost with, without;
    int differ = 0, generated = 0;
    for (double temperature : {0.0, 1.0}) {
        const Indices prompt(std::vector<int>(4, text.read("\n")[0]), {4, 1});
        const DecodeOptions options{.end = -1, .max_length = settings.context - 1};
        Rng one(lesson.seed()), same(lesson.seed());
        const SamplingOptions how{.temperature = temperature};
        const auto a = sample_decode(with_cache(model, prompt, with), how, one, options);
        const auto b = sample_decode(without_cache(model, prompt, without), how, same, options);
        for (std::size_t row = 0; row < a.size(); ++row)
            for (std::size_t i = 0; i < a[row].tokens.size(); ++i, ++generated)
                differ += a[row].tokens[i] != b[row].tokens[i];
    }
    show_cost(lesson, with, without, generated);
    lesson.say("Without the cache it took {} times as long.",
               number(without.seconds / with.seconds, 3));
    const double counted =
        static_cast<double>(without.multiplications) / static_cast<double>(with.multiplications);
    lesson.reveal(guess, counted);
    lesson.claim("cache-differences", "identity: characters that are different with the cache",
                 differ, equals(0));
    lesson.claim("cache-saves", "identity: multiplications without the cache over those with it",
                 counted, between(settings.context * 0.45, settings.context * 0.6));
}

//! {if all cache-differences < 0.5} Not one character differs, and without the cache there are
//! {cache-saves:1} times as many multiplications. The time is reported and not judged.
//!
//! ## Temperature, top-k and top-p
//!
//! How should the next character be chosen? Always taking the most probable one often repeats the
//! same words. Sampling from all sometimes takes one with a tiny probability, and a single wrong
//! character makes a wrong word. Three methods lie in between.
//!
//! **Temperature** divides the logits by a number $\tau$ before the softmax (lesson
//! {probabilities}): below 1 it makes the probable characters more probable, and at 0 the most
//! probable one is always taken.
//!
//! *Top-k* sampling keeps only the $k$ most probable tokens and divides their probabilities by
//! their sum (Fan et al. 2018).
//!
//! *Top-p* sampling keeps the fewest tokens whose probabilities sum to at least $p$ (Holtzman et
//! al. 2020). So it keeps few tokens where the model is sure, and many where it is not.
//!
//! {no results} **By hand.** The logits 2, 1 and 0 give the probabilities 0.665, 0.245 and 0.090.
//! With $k = 2$ the last is dropped, and the others are divided by 0.910: 0.731 and 0.269. With
//! $p = 0.8$ one token is not enough, but two are, so the result is the same. At the temperature
//! 0.5 the probabilities are 0.867, 0.117 and 0.016. Now $k = 2$ still keeps two tokens, and $p =
//! 0.8$ keeps only one.
std::vector<double> sampling_by_hand(const std::vector<double>& logits, double temperature, int k,
                                     double p) {
    std::vector<std::pair<double, int>> sorted;  // probability and token, the largest first
    double total = 0, kept = 0;
    for (double z : logits) total += std::exp(z / temperature);
    for (std::size_t i = 0; i < logits.size(); ++i)
        sorted.emplace_back(std::exp(logits[i] / temperature) / total, static_cast<int>(i));
    std::sort(sorted.rbegin(), sorted.rend());

    std::vector<double> result(logits.size());
    for (int i = 0; i < k && kept < p; ++i) {
        result[sorted[i].second] = sorted[i].first;
        kept += sorted[i].first;
    }
    for (double& probability : result) probability /= kept;
    return result;
}

//! We measure two things on generated text: the share of words that occur in the training text,
//! *real words*, and *variety*, the share of different ones among all runs of three words. A model
//! that repeats one sentence has many real words and little variety.
void compare_temperatures(Lesson& lesson, const LanguageModel& model, const Characters& text,
                          const Settings& settings, const Prediction& guess) {
    lesson.heading("Temperature, top-k and top-p");
    lesson.claim("sampling-by-hand",
                 "identity: sampling by hand against the library's, largest difference",
                 show_sampling(lesson, sampling_by_hand), at_most(1e-6));
    TemperatureResults found = lesson.quick()
                                   ? try_temperatures(model, text, 8, 64, lesson.seed())
                                   : try_temperatures(model, text, 32, 320, lesson.seed());
    show_temperatures(lesson, found);
    lesson.reveal(guess, found.all[1].real);
    lesson.claim("words-cool-minus-hot",
                 "finding: share of real words at temperature 0.6 minus that at 1.8",
                 found.all[0.6].real - found.all[1.8].real, at_least(lesson.quick() ? 0.1 : 0.2));
    lesson.claim("words-top-3-gain",
                 "finding: share of real words at 1.8, top 3 minus all characters",
                 found.top[1.8].real - found.all[1.8].real, at_least(lesson.quick() ? 0.05 : 0.15));
    lesson.claim("words-top-p-gain",
                 "finding: share of real words at 1, top-p 0.9 minus all characters",
                 found.nucleus[1].real - found.all[1].real, more_than(lesson.quick() ? -0.05 : 0));
    if (!lesson.quick())
        lesson.claim("variety-cool", "finding: variety at temperature 0.2, compared with that at 1",
                     found.all[0.2].variety, less_than(found.all[1].variety));
    Rng rng(lesson.seed());
    const std::string &prompt = settings.prompt, shown = prompt == "\n" ? "" : prompt;
    lesson.say("A text generated at temperature 0.8:");
    lesson.listing(shown + generate(model, text, prompt, 1, 320, {.temperature = 0.8}, rng)[0]);
}

void run(Lesson& lesson, Settings& settings) {
    const std::string& path = lesson.options().data;
    const Characters text =
        characters_of(path.empty() ? english_lines(lesson.seed(), lesson.quick() ? 4000 : 24000)
                                   : text_of_file(path, 40 * settings.context),
                      0.9);
    text.read(settings.prompt);  // throws for unknown characters before training, not after
    check_file_to_load(lesson, text, settings);
    const Prediction words = lesson.predict(
        "What share of the words generated at temperature 1 occurs in the training text?",
        within(0.05).from(0, 1));
    const Prediction speed =
        lesson.predict(fmt::format("{} characters are generated one by one. How many times more "
                                   "multiplications are needed without a cache than with one?",
                                   settings.context - 1),
                       within(5).from(0));
    Rng rng(lesson.seed());
    LanguageModel model(model_options(text, settings), rng);
    opening(lesson);
    count_a_small_text(lesson);
    predict_everywhere(lesson);
    check_the_model(lesson, model, text, settings);

    const Curve curve = train_the_model(lesson, model, text, settings);
    if (!lesson.first_rank()) return;  // under mpirun: the rest is for one process
    compare_with_ngrams(lesson, model, text, settings, curve);
    if (path.empty()) let_names_return(lesson, settings);
    show_heads(lesson, model, text, settings);
    compare_caching(lesson, model, text, settings, speed);
    compare_temperatures(lesson, model, text, settings, words);
}

}  // namespace

}  // namespace heed::lesson23

//! {no results} {if all words-cool-minus-hot > 0.2 and words-top-3-gain > 0.15 and
//! words-top-p-gain > 0 and words-top-p-gain < 0.02} At the temperature 0.6,
//! {100 * words-cool-minus-hot:0} words more of 100 are real than at 1.8. Keeping only three
//! characters repairs most of that damage: at 1.8 it makes {100 * words-top-3-gain:0} more of 100
//! real. Top-p with $p = 0.9$ at temperature 1 adds fewer than two words of 100. This model is
//! usually sure, so there are few improbable characters to remove. {if variety-cool < 0.35} And a
//! cold model repeats itself: at the temperature 0.2 only {variety-cool:%} of its runs of three
//! words are different ones.
//!
//! ## What this does not show
//!
//! The tokens are characters. Large models use pieces of words (lesson {embeddings}). Our sentences
//! have nothing to do with each other, so there is nothing to gain from a context longer than a
//! line. The names are made to be copied, and ordinary text asks for that less often. Even on
//! Shakespeare, a table with four characters of context beats our GPT after the 2,000 steps of the
//! recipe. With more blocks and more text a GPT keeps improving (Kaplan et al. 2020). For a table,
//! most long contexts stay unseen.
//!
//! Sources: Radford et al., "Improving Language Understanding by Generative Pre-Training" (2018),
//! and "Language Models are Unsupervised Multitask Learners" (2019); Karpathy's nanoGPT, README and
//! `train.py`; Shannon, "A Mathematical Theory of Communication" (1948); Witten and Bell, "The
//! Zero-Frequency Problem" (1991); Loshchilov and Hutter, "Decoupled Weight Decay Regularization"
//! (2019); Shazeer, "Fast Transformer Decoding" (2019), section 2.4; Fan, Lewis and Dauphin,
//! "Hierarchical Neural Story Generation" (2018); Holtzman et al., "The Curious Case of Neural Text
//! Degeneration" (2020), section 3.1; Kaplan et al., "Scaling Laws for Neural Language Models"
//! (2020).
//!
//! ## Summary
//!
//! 1. A language model gives the probability of each possible next token.
//! 2. {if loss-over-table > 0.98 and loss-over-table < 1.03 and name-gain > 1} An n-gram table
//!    counts what followed each short context. On the text of a small grammar it is as good as a
//!    GPT. But it cannot copy a name that it meets for the first time.
//! 3. A GPT is a stack of Transformer blocks with a causal mask. Every position of a text is a
//!    training example, and all are computed at once.
//! 4. A key/value cache gives the same text, and $T$ new tokens cost $T$ passes of one token
//!    instead of $T (T + 1) / 2$.
//! 5. A low temperature, top-k and top-p make wrong words rarer, and the text less varied.
//!
//! ## Try this next
//!
//! 1. In `gpt_by_hand`, leave out the mask (use `softmax(scores)`), and in `experiment.cpp` replace
//!    the library's model by it. The training loss falls to nearly 0. Why is the model useless?
//! 2. `--data tinyshakespeare.txt`, or any other text, and `--context 16`: does the model need more
//!    context than the last few words?
//! 3. `./heed learn language_model --mine` trains a small model with the parts that you wrote as
//!    exercises: your tape, your softmax, your attention. Which part takes most of the time?
using namespace heed;
using namespace heed::lesson23;

int main(int argc, char** argv) {
    const std::unique_ptr<Ranks> ranks = launched_ranks();
    Lesson lesson({.number = 23,
                   .name = "language_model",
                   .title = "What is a GPT?",
                   .question = "What can a network learn from a text if its only task is to "
                               "predict the next character?",
                   .data = "any text, UTF-8",
                   .own_data = "24,000 English sentences from the grammar written for the course",
                   .saves_model = true,
                   .rank = ranks->rank(),
                   .processes = ranks->size()});
    Settings settings;
    settings.ranks = ranks.get();
    add_options(lesson, settings);
    const int status = lesson.run(argc, argv, [&] {
        complete_settings(settings, lesson);
        run(lesson, settings);
    });
    // Only rank 0 writes files, so it may have failed alone, and the others would wait for it.
    if (status == 2 && ranks->rank() == 0 && ranks->size() > 1)
        ranks->abandon("it has ended with an error");
    return status;
}
