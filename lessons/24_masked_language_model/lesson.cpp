//! # What does BERT learn by filling gaps?
//!
//! Here are four short texts with a label, the answer that a network should learn to give. One is
//! about cooking, one about music, one about ships and one about farming. Beside them lie 4,000
//! texts without a label. What is this new one about?
//!
//!     pirates moored rafts . old boys bought lamps . ferries that captains rowed were big .
//!
//! Ships. You know that pirates, rafts, ferries and captains belong together. A network that learns
//! from the four labelled texts cannot know it: of 100 words that would give a topic away,
//! {100 * unknown-words:0} occur in none of the four. But all of them occur in the 4,000 texts that
//! nobody has labelled. Labels are expensive, because people write them; texts cost nothing. Could
//! a network learn from texts alone which words belong together?
//!
//! Cover one word and let it guess: "[MASK] moored rafts". Now every text contains its own answer.
//! We let a network play this game for 1,600 steps and then give it the four labels. Does it name
//! more topics than a network that did not play? Why should the game help? And when does it do
//! harm?

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"
#include "lessons/24_masked_language_model/experiment.h"
#include "lessons/24_masked_language_model/model.h"
#include "lessons/24_masked_language_model/pictures.h"
#include "lessons/course/course.h"
#include "lessons/course/lesson/memory.h"

namespace heed::lesson24 {

using namespace course;

namespace {

//! ## Two attempts with four labels
//!
//! **Counting words.** Count how often each word occurs in the labelled texts of each topic, and
//! give a new text to the topic whose words it has most. (The program does it with probabilities:
//! *naive Bayes* multiplies those of the words, as if the words of a text were independent of each
//! other.) The method is simple and good, as long as the words of the new text have been seen. With
//! four labelled texts most of them have not.
//!
//! **A network, trained from its initial values.** It has the same difficulty, and one more: at
//! first it does not even know which words say something about the topic and which do not.
void few_labels(Lesson& lesson, const Data& data) {
    lesson.heading("Two attempts with four labels");
    std::string listing;
    for (int i = 0; i < 4; ++i)
        listing += fmt::format("{:8} {}\n", data.texts.topics[data.texts.train[i].topic],
                               joined(data.texts.train[i].words));
    lesson.listing(listing);
    Table table({"labelled texts", "topic words never seen", "accuracy of counting"});
    std::vector<double> unseen;
    for (int labelled : {4, 16, 64}) {  // of the first seed
        unseen.push_back(share_never_seen(data.texts, labelled));
        table.row(
            labelled, unseen.back(),
            accuracy_by_counting(data.train.first(labelled), data.test, 4, data.words.size()));
    }
    lesson.table(table,
                 "Share of the topic words of the test texts that occur in no labelled text, "
                 "and the accuracy of naive Bayes. Guessing gives 0.25.");
    lesson.measured("unknown-words",
                    "topic words of the test texts that four labelled texts do not have, share",
                    unseen[0]);
}

//! ## A task that needs no labels
//!
//! Hide a word and guess it from the others:
//!
//!     [MASK] moored rafts . old boys bought lamps . ferries that captains rowed were big .
//!
//! Nobody has to write down the answer. (Teachers know the game: tests with gaps are due to Taylor
//! 1953.) To guess well one must know the grammar (a person comes before "moored") and what the
//! text is about (rather "sailors" than "cooks"). So the network has to find out which words occur
//! together, and that is what the topic consists of. The idea is older than the networks: "You
//! shall know a word by the company it keeps" (Firth 1957; Harris 1954 built a theory of language
//! on it). It can help only if the labels have to do with what occurs together. We shall take this
//! condition away, too, and pre-train on texts in which the topics are mixed.
//!
//! Training on such a task before the task with labels is called *pre-training*. Training on with
//! labels, from the weights that pre-training has found, is *fine-tuning*. BERT (Devlin et al.
//! 2019) is a Transformer's encoder that is pre-trained by filling gaps.
//!
//! **Why hide anything?** A first attempt: let the network read the whole text and predict every
//! word of it, as the GPT of lesson {language_model} did. But there a causal mask hid the word that
//! had to be predicted. Here attention reads in both directions, so the answer stands in the input.
//! The network can reduce its loss by copying, without learning which words belong together. We
//! train this network as well, and call it "nothing hidden".
//!
//! ## Hiding 15 of 100 words
//!
//! {no results} BERT chooses every token with probability 0.15. Let $M$ be the set of chosen
//! positions. Of the chosen tokens
//!
//! * {no results} 80 % become the token [MASK],
//! * 10 % become a random word,
//! * 10 % stay as they are.
//!
//! The tokens of the text are $x_1 \dots x_T$, and $\tilde{x}$ is the text after these changes. The
//! network gives a probability for every word at every position. The loss asks for the original
//! words at the chosen positions only:
//!
//! $$ L = - \frac{1}{|M|} \sum_{i \in M} \ln p(x_i \mid \tilde{x}). $$
//!
//! {no results} **By hand.** Take "captains rowed rafts today .", and draw a random number in 0 to
//! 1 for each token: 0.61, 0.09, 0.72, 0.33, 0.12. Two are below 0.15, so $M = \{2, 5\}$. For each
//! of these a second number decides: below 0.8 means [MASK], 0.8 to 0.9 a random word, above it
//! nothing changes. With 0.41 for token 2 and 0.93 for token 5 the network reads "captains [MASK]
//! rafts today ." and is asked for "rowed" and for ".", although the full stop has not changed.
//!
//! {no results} Now the loss. Suppose there were only three words. At position 2 the logits of the
//! three are $(2, 1, 0)$, and the first is right. Their exponentials are 7.389, 2.718 and 1, with
//! the sum 11.107, so $p = 0.6652$ and $-\ln p = 0.4076$. At position 5 the logits are $(0, 0, 0)$,
//! so $p = 1/3$ and $-\ln p = 1.0986$. The loss is the mean of the two,
//! $(0.4076 + 1.0986) / 2 = 0.7531$. The other positions do not count, whatever the network says
//! there.
//!
//! The loop of `hide_by_hand` hides the words and that of `loss_by_hand` computes the loss. A label
//! of -100 means that the position is not asked for. Both must agree with the library.
//!
//! ![Hide one of three words. A reader from the left knows nothing about a hidden first word; a reader from both sides has the two others. Then give these two words different topics. This reader is not trained: it knows how often a text of each topic has words of each list, and computes the probabilities from that.](live:gap)
MaskedTokens hide_by_hand(const Indices& ids, const MaskingOptions& how, Rng& rng) {
    std::vector<int> ordinary;  // words that may replace others
    for (int id = 0; id < how.vocabulary; ++id)
        if (id != how.mask_id && !std::count(how.special.begin(), how.special.end(), id))
            ordinary.push_back(id);
    std::vector<int> seen = ids.values(), asked(ids.count(), -100);
    for (int64_t i = 0; i < ids.count(); ++i) {
        if (!std::count(ordinary.begin(), ordinary.end(), ids[i])) continue;
        if (rng.uniform() >= 0.15) continue;
        asked[i] = ids[i];
        const double u = rng.uniform();
        if (u < 0.8)
            seen[i] = how.mask_id;
        else if (u < 0.9)
            seen[i] = ordinary[rng.below(static_cast<int64_t>(ordinary.size()))];
    }
    return {Indices(seen, ids.shape()), Indices(asked, ids.shape())};
}

double loss_by_hand(const Tensor& logits, const Indices& labels) {  // [B, T, V], [B, T]
    const Tensor p = softmax(logits);
    double sum = 0, asked = 0;
    for (int64_t b = 0; b < labels.size(0); ++b)
        for (int64_t t = 0; t < labels.size(1); ++t) {
            const int label = labels[b * labels.size(1) + t];
            if (label == -100) continue;
            sum -= std::log(p.at({b, t, label}));
            ++asked;
        }
    return sum / asked;
}

void hiding(Lesson& lesson, const Data& data) {
    lesson.heading("Hiding 15 of 100 words");
    const Tensor three = tensor({9, 9, 9, 2, 1, 0, 9, 9, 9, 9, 9, 9, 0, 0, 0}, {1, 5, 3});
    const Indices asked(std::vector<int>{-100, 0, -100, -100, 2}, {1, 5});
    lesson.claim("loss-by-hand", "identity: masked loss of two positions, worked by hand as 0.7531",
                 cross_entropy(three, asked).item(), between(0.753, 0.754));
    lesson.claim("loss-by-loop", "identity: the same by the loop above", loss_by_hand(three, asked),
                 between(0.753, 0.754));

    // The same random numbers give the same gaps.
    const Indices ids = pad_sequences(data.unlabelled.ids).ids;
    Rng mine(lesson.seed()), librarys(lesson.seed());
    const MaskedTokens by_hand = hide_by_hand(ids, data.masking(), mine),
                       hidden = mask_tokens(ids, data.masking(), librarys);
    double differing = 0, words = 0, chosen = 0, masks = 0, kept = 0;
    for (int64_t i = 0; i < ids.count(); ++i) {
        differing += by_hand.ids[i] != hidden.ids[i] || by_hand.labels[i] != hidden.labels[i];
        words += ids[i] >= Vocabulary::specials;
        if (hidden.labels[i] == MaskedTokens::not_asked) continue;
        ++chosen;
        masks += hidden.ids[i] == data.masking().mask_id;
        kept += hidden.ids[i] == ids[i];
    }
    lesson.claim("hidden-by-loop",
                 "identity: tokens that the loop hides otherwise than the library", differing,
                 equals(0));
    lesson.say(
        "Of {} words {} were chosen, {:.1f} %. Of these {:.1f} % became {}, {:.1f} % a random "
        "word, and "
        "{:.1f} % stayed.",
        number(words), number(chosen), 100 * chosen / words, 100 * masks / chosen, mask_word,
        100 * (chosen - masks - kept) / chosen, 100 * kept / chosen);
    lesson.measured("mask-share", "share of the chosen words that became [MASK]", masks / chosen);

    Rng rng(lesson.seed());
    const Reader reader = make_reader(Kind::scratch, data, 0, lesson.seed());
    const PaddedBatch batch = pad_sequences(data.test.first(20).ids);
    const MaskedTokens gaps = mask_tokens(batch.ids, data.masking(), rng);
    const NoGrad no_grad;
    const Tensor logits = reader.logits({gaps.ids, batch.lengths}, Mode::evaluation());
    lesson.claim(
        "loss-library",
        "identity: masked loss of a model by the loop against the library, difference",
        std::abs(loss_by_hand(logits, gaps.labels) - cross_entropy(logits, gaps.labels).item()),
        at_most(1e-5));
}

//! ## The model
//!
//! BERT is the encoder of lesson {transformer} with learned positions and without any mask except
//! that of the padding. Every text gets two more tokens: [CLS] before the first word and [SEP]
//! after the last. For pairs of texts there is also a learned *segment* vector, which says to which
//! of the two a token belongs. The input of the first layer is
//!
//! $$ \operatorname{norm}(\text{token}_i + \text{position}_i + \text{segment}_i), $$
//!
//! where norm is layer normalisation. After the last layer comes the word head. Here a "head" is
//! not a head of attention (lesson {heads}), but the last layers of a network, which turn its
//! vectors into the answer for one task. The word head predicts words. From the vector $y_i$ of
//! token $i$ it computes the logits of all words,
//!
//! $$ E \operatorname{norm}\big(\operatorname{gelu}(W y_i + b)\big) + c. $$
//!
//! $W$, $b$ and $c$ are learned; gelu is a smooth form of relu. $E$ is the table of token vectors,
//! the same as at the input: a word is likely where the network computes a vector like its own. For
//! the task with labels this head is removed. We take the mean of the vectors of all tokens, and a
//! new dense layer gives the four logits. (BERT takes the vector of [CLS] instead. A second
//! pre-training task, whether one sentence follows another, prepares that vector; we leave it out.)
//!
//! Ours has two layers of width 48. *BERT base* has 12 layers of width $D = 768$, a vocabulary of
//! 30,522 and 512 positions. A layer has $12 D^2 + 13 D = 7{,}087{,}872$ parameters: four products
//! of attention, two of the feed-forward network, their biases and two norms. The embeddings have
//! $(30522 + 512 + 2) D + 2 D = 23{,}837{,}184$, and a last dense layer (the pooler, which reads
//! [CLS]) has $D^2 + D = 590{,}592$. Together with twelve layers this gives 109,482,240. The
//! program makes such a model and counts.
void the_model(Lesson& lesson) {
    lesson.heading("The model");
    lesson.show("model", two_heads(),
                "Pre-training uses the head on the left. Fine-tuning removes it and trains the one "
                "on the right together with all layers.");
    BertOptions base = bert_base();
    const int64_t by_formula = parameter_count(base), layers = base.stack.layers;
    if (lesson.quick()) base.stack.layers = 1;
    check_memory("BERT base", 4.0 * static_cast<double>(by_formula));
    Rng rng(lesson.seed());
    const int64_t made = parameter_count(Bert(base, rng)) +
                         (layers - base.stack.layers) * (12 * 768 * 768 + 13 * 768);
    lesson.claim("bert-made", "identity: parameters of BERT base, by making it",
                 static_cast<double>(made), equals(109'482'240));
    lesson.claim("bert-formula", "identity: parameters of BERT base, by the formula",
                 static_cast<double>(by_formula), equals(109'482'240));
}

//! ## What stands in the gap?
//!
//! We pre-train on the texts without labels, with three seeds. Then we ask for the first word of
//! four texts. The sentence with the gap is the same each time, "[MASK] bought letters", and says
//! nothing about a topic. The second sentence does: "women baked pies in bakeries", for example.
//! What goes into the gap?
//!
//! In the picture the rows are texts, and the columns are the words that name persons, sorted by
//! topic. A network that knows only grammar makes all rows nearly equal. One that knows which words
//! belong together has its largest probabilities in each row in the columns of the row's own topic.
//! No topic was ever named to this network.
//!
//! {code model.cpp pretrain}
void fill_gaps(Lesson& lesson, const Data& data, const std::vector<Readers>& runs,
               Prediction guess) {
    lesson.heading("What stands in the gap?");
    const Fills fills = fill_persons(runs[0].at(Kind::masked), data);
    lesson.show(
        "gap", heat_map_of(fills),
        "The probabilities of persons in the gap: the larger, the darker. Each row is named by the words of its second "
        "sentence that tell the topic; the last columns are "
        "persons of no topic.");
    std::vector<double> own, others, mixed;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const Fills each = fill_persons(runs[i].at(Kind::masked), data);
        own.push_back(each.own), others.push_back(each.others);
        if (runs[i].count(Kind::mixed))
            mixed.push_back(fill_persons(runs[i].at(Kind::mixed), data).own);
    }
    lesson.say(
        "Persons of the text's own topic get {} of the probability, persons of the three other "
        "topics together {}.",
        mean_and_spread(own), mean_and_spread(others));
    lesson.reveal(guess, summarise(own).mean);
    if (!lesson.quick())
        lesson.claim(
            "own-topic", "finding: probability of persons of the own topic over that of all topics",
            summarise(own).mean / (summarise(own).mean + summarise(others).mean), at_least(0.5));
    if (!mixed.empty()) {
        lesson.say("After pre-training on texts in which the topics were mixed: {}.",
                   mean_and_spread(mixed));
        lesson.claim("own-topic-mixed",
                     "finding: with topics mixed: probability of persons of the own topic",
                     summarise(mixed).mean, at_most(0.25));
    }
}

//! ## How many labels is this worth?
//!
//! {if all own-topic > 0.5} {full run} The network knows: of the probability that persons of the
//! four topics get, {own-topic:%} goes to those of the text's own topic. But what is this worth in
//! labels? We compare several networks; the table calls each of them a "reader". Every reader gets
//! the same labelled texts, the same 80 steps of Adam and the same dropout (workshop {batches}). A
//! batch has 16 texts; with four labelled texts it has only these four, the same in every step. For
//! each one three learning rates are tried, and the one with the best accuracy on 200 validation
//! texts is kept. The readers differ only in what happened before:
//!
//! * **from scratch**: nothing; the initial values.
//! * **nothing hidden**: the first attempt, which learned to copy. (It gets a quarter of the steps,
//!   because its loss is near 0 by then.)
//! * **topics mixed**: pre-trained like BERT, but on texts in which every word of a topic was
//!   replaced by a word of the same kind (person, verb, thing or place) and a random topic: "cooks"
//!   by "pirates", "fried" by "hummed". Grammar and frequencies are the same, but the words around
//!   a word no longer say anything about its topic.
//! * **pre-trained (BERT)**: on the texts as they are.
//! * **causal**: the same network with a causal mask, pre-trained as in lesson {language_model} on
//!   the same texts for the same number of steps. It predicts each next word.
//!
//! Which will name the most topics with four labels?
void compare_readers(Lesson& lesson, const Accuracies& reached,
                     const std::vector<std::vector<double>>& counting,
                     const std::vector<int>& labelled, Prediction best) {
    lesson.heading("How many labels is this worth?");
    Table table = table_of(reached, labelled);
    std::vector<std::string> cells{"counting words"};
    for (const auto& runs : counting) cells.push_back(mean_and_spread(runs));
    table.add(cells);
    const std::size_t seeds = reached.at(Kind::scratch)[0].size();
    lesson.table(table, fmt::format("Accuracy on 1,000 test texts: {}.", averaged_over(seeds)));
    lesson.show(
        "labels", plot_of(reached, labelled),
        "Accuracy on test texts against the number of labelled texts. Guessing gives 0.25.");
    const auto mean = [&](Kind kind, int index) { return summarise(reached.at(kind)[index]).mean; };
    if (lesson.quick()) return;
    lesson.claim("four-labels-gain",
                 "finding: four labels: accuracy of BERT minus that from scratch",
                 mean(Kind::masked, 0) - mean(Kind::scratch, 0), at_least(0.25));
    Kind first = Kind::scratch;
    for (Kind kind : {Kind::masked, Kind::causal})
        if (mean(kind, 0) > mean(first, 0)) first = kind;
    lesson.reveal(best, name_of(first));
    lesson.claim(
        "four-labels-topics",
        "finding: four labels: accuracy of BERT minus that of BERT pre-trained on mixed topics",
        mean(Kind::masked, 0) - mean(Kind::mixed, 0), at_least(0.45));
    lesson.claim("sixteen-labels", "finding: 16 labels: accuracy of BERT", mean(Kind::masked, 1),
                 at_least(0.85));
    lesson.claim("copying-gain",
                 "finding: four labels: what copying gains over training from scratch",
                 mean(Kind::copying, 0) - mean(Kind::scratch, 0), between(0, 0.2));
    lesson.claim("mixed-gain-16",
                 "finding: 16 labels: what mixed topics gain over training from scratch",
                 mean(Kind::mixed, 1) - mean(Kind::scratch, 1), at_most(-0.15));
}

//! Look first at the row "counting words". It is a serious competitor: it knows from the start that
//! only the words matter, and it needs no steps of training.
//!
//! {full run} **The game pays.** {if all four-labels-gain > 0.3 and sixteen-labels > 0.9} With four
//! labels BERT is better than the network from scratch by {four-labels-gain:2}
//! ({four-labels-gain:range 2} over the seeds), and with 16 labels it names {sixteen-labels:%} of
//! the topics. {if all copying-gain > 0 and copying-gain < 0.2} Copying pays little:
//! {copying-gain:2} with four labels.
//!
//! {full run} **And the game does harm.** {if all mixed-gain-16 < -0.15 and four-labels-topics >
//! 0.5} Pre-trained on mixed topics, the same network with 16 labels is **worse** than one from
//! scratch, by {0 - mixed-gain-16:2}, and in {count mixed-gain-16 < 0} runs. It has played as long,
//! on the same words and the same grammar. Why is that worse than nothing? Our explanation, which
//! we have not tested: in these texts nothing distinguishes "cooks" from "pirates", so the network
//! may give nearly the same vector to all persons. Fine-tuning then has to make these vectors
//! different again, and 80 steps are too few for it. Pre-training teaches what its texts contain,
//! and it can teach that a difference does not matter.
//!
//! ## Why 10 and 10?
//!
//! {no results} In fine-tuning and in use there is no [MASK]. A network that is asked only at
//! [MASK] may compute anything at ordinary words, because they never enter its loss. So BERT also
//! asks at a few words that look ordinary. Some of them are right and some are random, and the
//! network cannot see which. What should it answer? Let $p(w)$ be the probability of the word $w$
//! given the rest of the text, and $V$ the number of words. A chosen word that looks ordinary has
//! come about in one of two ways. Either it was kept, with probability 0.1, and then it is $w$ with
//! probability $p(w)$; or it was drawn at random, also with 0.1, and then it is $w$ with
//! probability $1/V$. Bayes' rule divides the first by both:
//!
//! $$ P(\text{original} = w) = \frac{0.1 \, p(w)}{0.1 \, p(w) + 0.1 / V} = \frac{p(w)}{p(w) + 1/V}. $$
//!
//! {no results} (If the random word happens to be the original one, it is right too; with many
//! words this hardly matters.) Let $V = 100$. A word that fits, with $p(w) = 0.2$, gets
//! $0.2 / 0.21 = 0.952$. A word that does not fit, with $p(w) = 0.0005$, gets
//! $0.0005 / 0.0105 = 0.048$. So the best answer is a judgement of every word that is not hidden:
//! does it fit? To give it, the vector at each position must know both the word itself and what its
//! neighbours expect.
//!
//! {no results} In each of 300 test texts we exchange one word for a random one, and hide nothing.
//! Every word gets the probability that the head gives to it at its own position. How often does
//! the wrong word have a lower one than a right word of the same text? Chance gives 0.5. We ask a
//! network that was pre-trained with [MASK] only, too. The column "names the word that stands
//! there" is the share of words for which the head gives the highest probability to the word
//! itself.
void why_ten_and_ten(Lesson& lesson, const Data& data, const std::vector<Readers>& runs,
                     const Accuracies& reached) {
    lesson.heading("Why 10 and 10?");
    const std::vector<std::string> text{"captains", "rowed", "boats", "in",  "harbours", ".",
                                        "sailors",  "fried", "rafts", "and", "nets",     "."};
    const Reader& bert = runs[0].at(Kind::masked);
    lesson.show(
        "fits", bars_of(text, probability_of_each(bert, text, data.words)),
        "How probable BERT finds each word at its own position. Nothing is hidden; the word "
        "\"fried\" does not fit.");
    Table table({"pre-trained with", "names the word that stands there", "wrong word ranked lower",
                 "accuracy, 4 labels"});
    std::map<Kind, double> ranked, named;
    for (Kind kind : {Kind::masked, Kind::only_masks}) {
        if (!runs[0].count(kind)) continue;
        std::vector<double> names, lower;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            Rng rng(lesson.seed() + i);
            const Noticed noticed = notice_wrong_words(runs[i].at(kind), data, 300, rng);
            names.push_back(noticed.named), lower.push_back(noticed.ranked_lower);
        }
        ranked[kind] = summarise(lower).mean, named[kind] = summarise(names).mean;
        table.add({kind == Kind::masked ? "80 / 10 / 10" : "[MASK] only", mean_and_spread(names),
                   mean_and_spread(lower), mean_and_spread(reached.at(kind)[0])});
    }
    lesson.table(table, fmt::format("What the head says at words that are not hidden; {}.",
                                    averaged_over(runs.size())));
    lesson.claim(
        "wrong-word-lower",
        "finding: 80/10/10: share of pairs in which the wrong word has the lower probability",
        ranked[Kind::masked], at_least(lesson.quick() ? 0.7 : 0.9));
    if (!lesson.quick())
        lesson.claim(
            "own-word-gain",
            "finding: words that the head names at their own position: 80/10/10 minus [MASK] only",
            named[Kind::masked] - named[Kind::only_masks], at_least(0.05));
}

//! {if all wrong-word-lower > 0.9 and own-word-gain > 0.05} {full run} BERT ranks the wrong word
//! lower in {wrong-word-lower:%} of the pairs. And the tenth that stays has taught it to know the
//! word itself: it names {100 * own-word-gain:0} more words in 100 than the network that was asked
//! at [MASK] only.
//!
//! ## One direction or both?
//!
//! A causal network sees the words to the left only. It has an advantage, too: it is asked for
//! every word of every text, BERT for 15 of 100. In the same number of steps it gets almost seven
//! times as many answers. (ELECTRA, Clark et al. 2020, asks about every word and reads in both
//! directions.) The table above compares the two with few labels. Here we compare them at the task
//! itself. Each word of 200 test texts is predicted, by the causal network from the words before
//! it, by BERT from all others, with this one word hidden. The lower $-\ln p$, the better.
void directions(Lesson& lesson, const Data& data, const std::vector<Readers>& runs,
                Prediction guess) {
    lesson.heading("One direction or both?");
    const int positions = 14;
    std::vector<std::vector<double>> both, left;
    std::vector<double> first, rest;
    for (const Readers& readers : runs) {
        const Texts texts = data.test.first(lesson.quick() ? 50 : 200);
        const int mask = data.masking().mask_id;
        both.push_back(loss_by_position(readers.at(Kind::masked), texts, positions, mask));
        left.push_back(loss_by_position(readers.at(Kind::causal), texts, positions, mask));
        first.push_back(left.back()[0] - both.back()[0]);
        double sum = 0;
        for (int t = 0; t < positions; ++t) sum += left.back()[t] - both.back()[t];
        rest.push_back(sum / positions);
    }
    std::vector<double> numbers;
    for (int t = 1; t <= positions; ++t) numbers.push_back(t);
    LinePlot plot{.title = "Guessing one word",
                  .x_label = "number of the word in its text",
                  .y_label = "-ln p of the right word"};
    plot.series = {over_seeds("from the left (causal)", numbers, left),
                   over_seeds("from both sides (BERT)", numbers, both)};
    lesson.show("directions", plot,
                "How well each word is predicted, by its position; lower is better.");
    lesson.say(
        "The loss of the causal network minus that of BERT: {} at the first word, {} on average "
        "over the first {} words of a text.",
        mean_and_spread(first, 2), mean_and_spread(rest, 2), positions);
    lesson.reveal(guess, summarise(first).mean);
    lesson.claim("first-word-gain",
                 "finding: first word: -ln p of the causal network minus that of BERT",
                 summarise(first).mean, at_least(lesson.quick() ? 0.5 : 0.8));
    if (!lesson.quick())
        lesson.claim("all-words-gain",
                     "finding: all words: -ln p of the causal network minus that of BERT",
                     summarise(rest).mean, at_least(0.1));
}

}  // namespace

}  // namespace heed::lesson24

//! {if all first-word-gain > 1.2 and all-words-gain > 0.4} At the first word the causal network
//! knows only how texts begin, and it loses by {first-word-gain:2}. At later words it has read the
//! topic, too. What it still lacks is the words to the right: in "sailors and [MASK] rowed" they
//! say something about the gap. On average over all words BERT is ahead by {all-words-gain:2}, in
//! spite of its few answers.
//!
//! Does it matter for the labels? At the end of a text the causal network has seen all of it, so
//! for a question about the whole text it lacks little: compare its row in the table with that of
//! BERT. For questions about a single word (is this word a name?) the words to the right count, and
//! Devlin et al. report large losses for a causal network there (section 5.1).
//!
//! ## Questions of real people
//!
//! {no results} `--data` takes the TREC questions (Li and Roth 2002), 5,452 questions for training
//! with six labels, or any file with lines `LABEL:detail words`. The labels are hidden in
//! pre-training, which reads all training texts; fine-tuning sees the first few. Two things are
//! different here. The texts without labels are few: BERT was pre-trained on 3.3 billion words
//! (section 3.1 of the paper), and the training questions have 55,000. And whether a question asks
//! for a person or a number is said mostly by its first words ("Who", "How many"), which a few
//! labels teach as well.
//!
//! When we tried it, with two networks of each kind and from 25 labels to all of them, pre-training
//! changed the accuracy by no more than two points in either direction. With 25 labels two networks
//! of one kind differed by more than ten. On so few texts we cannot tell the gain from chance.
//!
//! ## What this does not show
//!
//! The texts are generated, so that what a word keeps company with depends on the label and on
//! nothing else. This is the best case for pre-training; mixed topics are the worst, and real tasks
//! lie between. The order of the words does not matter for the label, so a method without attention
//! that finds groups of words in the unlabelled texts may do as well here (Nigam et al. 2000 do
//! this with naive Bayes). We did not measure it.
//!
//! Part of BERT's lead comes from our search. We changed the texts and the pre-training about ten
//! times until BERT learned the topics at all, judging also by the accuracy with few labels, with
//! two seeds; training from scratch got no such search. The 200 labelled validation texts, by which
//! the learning rates are chosen, are more than the four training texts. And the pre-trained
//! readers have computed much more: 1,600 steps of 32 texts, 51,200 in all, against
//! $80 \cdot 16 = 1{,}280$ in one fine-tuning with 16 labels. That can be worth it because
//! pre-training is done once for many tasks. Finally, we left out BERT's second task, which later
//! work found unnecessary (Liu et al. 2019).
//!
//! Sources: Devlin, Chang, Lee and Toutanova, "BERT" (2019), sections 3 and 5.1 and appendices A.1
//! and C.2; Taylor, "Cloze procedure" (1953), for tests with gaps; Harris, "Distributional
//! structure" (1954); Firth, "A synopsis of linguistic theory" (1957); Liu et al., "RoBERTa"
//! (2019), section 4.2; Nigam, McCallum, Thrun and Mitchell, "Text classification from labeled and
//! unlabeled documents using EM" (2000); Clark et al., "ELECTRA" (2020), for learning from all
//! tokens; Li and Roth, "Learning question classifiers" (2002), for the questions.
//!
//! ## Summary
//!
//! 1. Filling gaps needs no labels, and to do it well a network must learn which words belong
//!    together.
//! 2. A network that reads in both directions must not see the word that it predicts; hence the
//!    gaps.
//! 3. 80/10/10: [MASK], a random word, or the word itself. The last two make the network judge
//!    words that are not hidden.
//! 4. {if all four-labels-gain > 0.3 and mixed-gain-16 < -0.15} Fine-tuning starts from what
//!    pre-training has learned. With four labels that gains {100 * four-labels-gain:0} points.
//!    Pre-trained on texts that say nothing about the labels, the network loses
//!    {100 * (0 - mixed-gain-16):0} points with 16.
//! 5. {if all all-words-gain > 0.4} A network that reads from both sides predicts words better,
//!    although a causal network gets almost seven times as many answers from the same texts.
//!
//! ## Try this next
//!
//! 1. `--steps 200`: at first the network learns grammar only. With more steps, when do the topics
//!    appear in the picture of the gap?
//! 2. `--texts 200`: how few texts without labels are enough?
//! 3. `--data` with the folder of the TREC questions, or with lines of your own.
using namespace heed;
using namespace heed::lesson24;

int main(int argc, char** argv) {
    Lesson lesson(
        {.number = 24,
         .name = "masked_language_model",
         .title = "What does BERT learn by filling gaps?",
         .question = "Can a network learn from texts without labels what it needs for a task "
                     "with few labels?",
         .data = "texts, `LABEL:detail words` a line, or the folder of the TREC questions",
         .data_is = DataIs::either,
         .own_data = "short texts of four topics, most of them without labels"});
    int steps = 0, seeds = 0, texts = 0;
    lesson.option("--steps", steps,
                  "steps of pre-training (1600; quick 700; with --data 2000 and 200)");
    lesson.option("--seeds", seeds, "networks of each kind (3; quick 1; with --data 2 and 1)");
    lesson.option("--texts", texts, "texts without labels (4000; quick 2000)");
    return lesson.run(argc, argv, [&] {
        const bool own = !lesson.options().data.empty(), quick = lesson.quick();
        if (steps == 0) steps = own ? (quick ? 200 : 2000) : quick ? 700 : 1600;
        if (seeds == 0) seeds = quick ? 1 : own ? 2 : 3;
        if (texts == 0) texts = quick ? 2000 : 4000;
        if (own) {
            const LabelledSets sets = read_labelled_sets(lesson.options().data, lesson.seed());
            the_model(lesson);
            return run_on_own_texts(lesson, sets, steps, seeds);
        }
        const Prediction gap = lesson.predict(
            "A gap before \"bought letters\", and next to it a sentence about one of the topics. "
            "Which probability do the five persons of this topic get together, on average over the "
            "topics?",
            within(0.1).from(0, 1));
        Prediction best;  // what a quick run does not measure is not asked there
        if (!lesson.quick())
            best = lesson.predict(
                "Four labelled texts. Which network names the most topics?",
                {name_of(Kind::scratch), name_of(Kind::masked), name_of(Kind::causal)});
        const Prediction first = lesson.predict(
            "-ln p of the first word of a text: how much larger is it from the left only than from "
            "both sides?",
            within(0.4).from(-20, 20));
        const Data data(texts, seeds, lesson.seed());
        few_labels(lesson, data);
        hiding(lesson, data);
        the_model(lesson);
        const std::vector<Kind> kinds =
            quick ? std::vector<Kind>{Kind::scratch, Kind::masked, Kind::causal}
                  : std::vector<Kind>{Kind::scratch, Kind::copying,    Kind::mixed,
                                      Kind::masked,  Kind::only_masks, Kind::causal};
        const std::vector<int> labelled = quick ? std::vector<int>{4} : std::vector<int>{4, 16, 64};
        const auto [runs, reached] =
            train_readers(data, kinds, labelled, steps, seeds, 100 * lesson.seed(),
                          lesson.progress("networks", seeds * static_cast<int>(kinds.size())));
        std::vector<std::vector<double>> counting;
        for (int n : labelled) {
            counting.emplace_back();
            for (int seed = 0; seed < seeds; ++seed)
                counting.back().push_back(
                    accuracy_by_counting(data.labelled(n, seed), data.test, 4, data.words.size()));
        }
        fill_gaps(lesson, data, runs, gap);
        compare_readers(lesson, reached, counting, labelled, best);
        why_ten_and_ten(lesson, data, runs, reached);
        directions(lesson, data, runs, first);
    });
}
