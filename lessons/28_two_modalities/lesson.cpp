//! # How do words meet pictures?
//!
//! Somebody shows you ten photographs and ten captions, shuffled, and asks which belong together.
//! You can do it, because you understand both. A network that reads pictures gives vectors, and so
//! does a network that reads sentences. But the two have never met: nothing makes the vector of a
//! picture lie near the vector of its caption. This lesson brings them together.
//!
//! Kinds of input, such as pictures, text and sound, are called *modalities*. *CLIP* (Radford et
//! al. 2021) trains a network for pictures and one for text until both give similar vectors to a
//! picture and its caption; it has seen 400 million pictures from the web with the text beside
//! them. Nobody had to write labels. We do the same on a small scale, and then ask a question that
//! embarrassed the large models: does the network read the caption, or does it only count words?

#include <cmath>
#include <map>

#include "autograd/autograd.h"
#include "lessons/28_two_modalities/data.h"
#include "lessons/28_two_modalities/digits.h"
#include "lessons/28_two_modalities/models.h"
#include "lessons/28_two_modalities/pictures.h"
#include "lessons/course/course.h"
#include "lessons/material/read/idx.h"

namespace heed::lesson28 {

using namespace course;

namespace {

//! ## Pictures of two signs
//!
//! Each of our pictures shows two of the ten signs of lesson {show_attend}. Each sign is pale or
//! dark, and the two are side by side or one above the other. The caption says so in words: "a pale
//! ring left of a dark plus". There are 90 ordered pairs of signs, four combinations of shades and
//! two arrangements, 720 scenes in all. Form, size and location of the signs are random in every
//! picture.
//!
//! Ten of the 45 pairs of signs are **held out**: ring and plus, for example, never occur together
//! in training, neither in a picture nor in a caption. Each sign and each word does occur, in other
//! company. So 560 scenes are left for training and 160 are new. We test on both kinds, always with
//! new pictures.
struct Data {
    Pairs training, known, held_out;
};

Data draw_data(bool quick, Phrasing phrasing, std::uint64_t seed) {
    Rng rng(seed);
    Data data;
    data.training = draw_pairs(quick ? 2048 : 8192, Which::training, phrasing, rng);
    data.known = draw_test(Which::training, phrasing, rng);
    data.held_out = draw_test(Which::held_out, phrasing, rng);
    return data;
}

void show_pairs(Lesson& lesson, const Data& data) {
    lesson.heading("Pictures of two signs");
    std::vector<Picture> pictures;
    for (int i = 0; i < 4; ++i) {
        const Tensor ink = clamp(select(data.training.pixels, 0, i), 0, 1);
        pictures.push_back({.title = text_of(data.training.captions.at(std::size_t(i))),
                            .height = side,
                            .width = side,
                            .grey = (1.0 - ink).to_vector()});
    }
    lesson.show("pairs", pictures, "Four of the training pairs: a picture and its caption.");
    lesson.say("{} training pairs of {} scenes; {} scenes are held out.",
               number(data.training.size()), scenes_of(Which::training).size(),
               scenes_of(Which::held_out).size());
}

//! ## The naive attempt: attraction
//!
//! Let $f$ be the picture encoder and $g$ the caption encoder. Ours are small: two convolutions and
//! a dense layer for pictures; one layer of a Transformer and attention pooling (lesson
//! {attention_pooling}) for captions. A matrix projects the result of each into a common space of
//! 32 dimensions, and the vector is divided by its length. So $a_i$ is the unit vector of picture
//! $i$, and $b_i$ that of its caption.
//!
//! Attention is inside the caption encoder only. It is sometimes said that attention connects the
//! modalities in models like CLIP. It does not: the two encoders never look at each other, and all
//! that picture and caption have to say to one another is one dot product, $a_i \cdot b_i$. (Other
//! models do let the words look at the patches of a picture. Flamingo, Alayrac et al. 2022, has
//! cross-attention for it; LLaVA, Liu et al. 2023, puts the patches into the sequence as if they
//! were words.)
//!
//! We want $a_i$ near $b_i$. So why not minimise their distance, $|a_i - b_i|^2$, averaged over all
//! pairs? Think for a moment about how a network could make this loss zero with the least effort.
double mean_cosine_of_strangers(const Tensor& cosines) {
    const double n = static_cast<double>(cosines.size(0));
    return (sum(cosines).item() - sum(diagonal(cosines)).item()) / (n * (n - 1));
}

void attraction(Lesson& lesson, const Data& data, Training how) {
    lesson.heading("The naive attempt: attraction");
    how.loss = Loss::attraction;
    how.pairs /= 2;
    Rng rng(lesson.seed());
    const Trained trained = train_pair(data.training, how, rng);
    const Tensor cosines = trained.model.cosines(data.known);
    const double strangers = mean_cosine_of_strangers(cosines), found = recall_at(cosines, 1);
    lesson.say(
        "After training the mean of |a - b|² is {:.4f}. The mean cosine of a picture and its own "
        "caption is {:.4f}, that of a picture and a caption of another scene {:.4f}. The right "
        "caption among 160 is found for {:.1f} % of the pictures; guessing finds 0.6 %.",
        trained.losses.back(), mean(diagonal(cosines)).item(), strangers, 100 * found);
    lesson.claim("attraction-alone",
                 "finding: attraction alone: mean cosine of pictures and captions of other scenes",
                 strangers, at_least(0.99));
}

//! The network maps everything to nearly the same vector. {if all attraction-alone > 0.99} After
//! training, a picture and the caption of **another** scene have a mean cosine of
//! {attraction-alone:4}. All distances are about zero and the loss is small, and the vectors say
//! nothing. This is called *collapse*. The loss asked for closeness and for nothing else.
//!
//! ## The idea: compare with the others
//!
//! What we need is not that picture and caption are close, but that they are closer than the
//! others. Take a batch of $N$ pairs and compare every picture with every caption, which gives a
//! table of $N \times N$ cosines. The right partners are on the diagonal. Each row is a question
//! with $N$ possible answers, "which of these captions belongs to this picture?", and each column
//! is one, "which picture belongs to this caption?". For such questions we have softmax and
//! cross-entropy (lesson {probabilities}).
//!
//! $$ s_{ij} = \frac{a_i \cdot b_j}{\tau} \qquad
//!    L = \frac{1}{2N} \sum_{i=1}^N \Big( - \ln \Big(\frac{e^{s_{ii}}}{\sum_j e^{s_{ij}}}\Big)
//!                                  - \ln \Big(\frac{e^{s_{ii}}}{\sum_j e^{s_{ji}}}\Big) \Big) $$
//!
//! $s_{ij}$ is the score of picture $i$ with caption $j$: their cosine, divided by a number $\tau$,
//! the temperature. The first term is the question of row $i$, the second that of column $i$. The
//! *negatives* of a picture are the other captions of the batch, those that do not belong to it. No
//! label occurs anywhere; the batch itself poses the questions. A loss is *contrastive* if it makes
//! what belongs together more similar than what does not; each half of ours is called InfoNCE (Oord
//! et al. 2018).
//!
//! The temperature is needed because cosines lie between -1 and 1. Without it ($\tau = 1$) a
//! softmax over 64 captions could not be confident: even if the right caption had cosine 1 and all
//! others 0, its probability would be $e / (e + 63) = 0.04$. CLIP learns $\ln(1/\tau)$ like any
//! other parameter, beginning with $\tau = 0.07$, and so do we. Because it is the logarithm that is
//! learned, $\tau$ stays positive.
//!
//! {no results}
//!
//! **By hand.** Three pairs, $\tau = 0.5$, and these cosines:
//!
//! | | caption 1 | caption 2 | caption 3 |
//! | --- | --- | --- | --- |
//! | picture 1 | 0.9 | 0.1 | 0.3 |
//! | picture 2 | 0.2 | 0.8 | 0.4 |
//! | picture 3 | 0.5 | 0.3 | 0.7 |
//!
//! Dividing by 0.5 doubles them. The exponentials of the first row are $e^{1.8} = 6.050$,
//! $e^{0.2} = 1.221$ and $e^{0.6} = 1.822$, with the sum 9.093. So picture 1 gives its caption the
//! probability $6.050 / 9.093 = 0.665$, and the loss of this row is $-\ln 0.665 = 0.408$. The other
//! two rows give 0.560 and 0.751. Picture 3 is the least certain, because caption 1 is close to it
//! too. The three rows have the mean 0.573. Now the columns: caption 1 has the exponentials 6.050,
//! 1.492 and 2.718, with the sum 10.260, so its loss is $-\ln(6.050 / 10.260) = 0.528$. The other
//! two give 0.479 and 0.692, and the mean is 0.566. Together:
//! $L = \tfrac12 (0.573 + 0.566) = 0.570$.
//!
//! The function `contrastive_by_hand` is the formula. A log-softmax is the logarithm of a softmax.
//! The function takes the log-softmax of the table by rows and by columns, and of each only the
//! diagonal.
//!
//! ![Drag a caption to its picture: the loss falls. Drag all vectors to the same place: the loss is that of guessing, which is why collapse does not pay here. A small temperature looks at the nearest wrong caption only.](live:contrast)
Tensor contrastive_by_hand(const Tensor& a, const Tensor& b, double tau) {  // [N, D] twice -> []
    const Tensor s = matmul(a, transpose(b)) / tau;                         // [N, N]
    const Tensor rows = diagonal(log_softmax(s, 1)), columns = diagonal(log_softmax(s, 0));
    return -0.5 * (mean(rows) + mean(columns));
}

void compare_with_the_others(Lesson& lesson) {
    lesson.heading("The idea: compare with the others");
    lesson.show("clip", two_encoders(),
                "The table is read twice, by rows and by columns. The right answers are on its "
                "diagonal.");

    const Tensor cosines = tensor({0.9, 0.1, 0.3, 0.2, 0.8, 0.4, 0.5, 0.3, 0.7}, {3, 3});
    const double library = contrastive_loss(cosines / 0.5).item();
    lesson.say("The library's loss of the table above is {:.4f}.", library);
    lesson.claim("loss-by-hand",
                 "identity: contrastive loss of three pairs, worked by hand as 0.570", library,
                 between(0.5695, 0.5705));
    Rng rng(lesson.seed());
    const Tensor a = unit_vectors(normal({20, 8}, 0, 1, rng, Dtype::float64)),
                 b = unit_vectors(normal({20, 8}, 0, 1, rng, Dtype::float64));
    lesson.claim("loss-library",
                 "identity: the loss of 20 random pairs: formula against library, difference",
                 std::abs(contrastive_by_hand(a, b, 0.07).item() -
                          contrastive_loss(matmul(a, transpose(b)) / 0.07).item()),
                 at_most(1e-10));
}

//! ## Before and after
//!
//! Now we train both encoders from nothing. They see 25,600 pairs in batches of 64, which is 400
//! steps; each training pair comes several times.
//!
//! To look inside, we take four held-out scenes and, beside each, the scene in which the two halves
//! of the caption are exchanged: "a pale ring left of a dark plus" and "a dark plus left of a pale
//! ring". The figure shows the cosines of eight pictures with eight captions.
//!
//! **Recall at k** measures *retrieval*: a picture is given, 160 captions are ranked by their
//! cosine, and we ask how often the right one is among the first $k$. Then the same for captions
//! and pictures. All 160 scenes of a test are different, so there is one right answer. Guessing
//! gives 1/160 at 1 and 5/160 at 5.
//!
//! Chance is not the best thing to compare with. Suppose a network knew exactly which words are in
//! every caption and which things are in every picture, but not their order. How often would it be
//! right? It has to guess among the scenes with the same words: two if both shades are equal,
//! otherwise four. Half of the scenes are of either kind, so the recall at 1 would be
//! $\frac12 \cdot \frac12 + \frac12 \cdot \frac14 = 0.375$. That is the row "all words, no order"
//! in the table.
//!
//! {code models.cpp train_pair}
//! {code models.cpp train_on}
std::vector<int> eight_of(const Pairs& pairs) {  // scenes, each followed by the exchanged one
    std::vector<int> which;
    for (int i = 0; i < pairs.size() && which.size() < 8; ++i) {
        const Scene& scene = pairs.scenes.at(std::size_t(i));
        if (scene.first_dark == scene.second_dark || scene.first > scene.second) continue;
        const auto other =
            std::find(pairs.scenes.begin(), pairs.scenes.end(), exchanged(scene, Exchange::both));
        which.push_back(i);
        which.push_back(int(other - pairs.scenes.begin()));
    }
    return which;
}

HeatMap cosine_map(const std::string& title, const TwoModalities& model, const Pairs& pairs,
                   const std::vector<int>& which) {
    Pairs few{index_select(pairs.pixels, 0, Indices(which)), pick(pairs.scenes, which),
              pick(pairs.captions, which)};
    HeatMap map{.title = title, .values = model.cosines(few).to_vector()};
    for (std::size_t i = 0; i < which.size(); ++i) {
        map.row_labels.push_back(fmt::format("picture {}", i + 1));
        map.column_labels.push_back(fmt::format("{}", i + 1));
        map.gold.emplace_back(int(i), int(i));
    }
    map.column_axis = "caption";
    map.low = -1, map.value_name = "cosine";
    return map;
}

struct Runs {
    std::vector<Recall> known, held_out;
    std::vector<Trained> trained;
};

double at_1(const Recall& r) { return (r.caption_at_1 + r.picture_at_1) / 2; }
double at_5(const Recall& r) { return (r.caption_at_5 + r.picture_at_5) / 2; }

template <class F>
std::vector<double> each(const std::vector<Recall>& runs, F f) {
    std::vector<double> values;
    for (const Recall& run : runs) values.push_back(f(run));
    return values;
}

Runs run(Lesson& lesson, const Data& data, const Training& how, int seeds) {
    Runs runs;
    for (int seed = 0; seed < seeds; ++seed) {
        Rng rng(100 * lesson.seed() + std::uint64_t(seed));
        runs.trained.push_back(train_pair(data.training, how, rng));
        runs.known.push_back(recall_of(runs.trained.back().model, data.known));
        runs.held_out.push_back(recall_of(runs.trained.back().model, data.held_out));
    }
    return runs;
}

Runs before_and_after(Lesson& lesson, const Data& data, const Training& how, int seeds) {
    lesson.heading("Before and after");
    Rng same(100 * lesson.seed());
    const TwoModalities untrained(same, how.temperature);  // as the first run begins
    const Runs runs = run(lesson, data, how, seeds);
    const std::vector<int> which = eight_of(data.held_out);
    lesson.show(
        "similarity",
        {cosine_map("before training", untrained, data.held_out, which),
         cosine_map("after training", runs.trained[0].model, data.held_out, which)},
        "Cosines of eight held-out pictures with their captions. The pairs are on the diagonal. 1 "
        "and 2, 3 and 4 and so on are captions of the same words in another order.");
    std::string list;
    for (std::size_t i = 0; i < which.size(); ++i)
        list += fmt::format("{}{}  {}", i ? "\n" : "", i + 1,
                            text_of(data.held_out.captions.at(std::size_t(which[i]))));
    lesson.listing(list);

    Table table({"scenes", "caption at 1", "at 5", "picture at 1", "at 5"});
    const auto add = [&](const char* name, const std::vector<Recall>& r) {
        table.add({name, mean_and_spread(each(r, [](auto& x) { return x.caption_at_1; }), 2),
                   mean_and_spread(each(r, [](auto& x) { return x.caption_at_5; }), 2),
                   mean_and_spread(each(r, [](auto& x) { return x.picture_at_1; }), 2),
                   mean_and_spread(each(r, [](auto& x) { return x.picture_at_5; }), 2)});
    };
    add("known scenes", runs.known);
    add("held-out scenes", runs.held_out);
    const double no_order = recall_without_order(data.held_out.scenes);
    table.row("all words, no order", no_order, "", no_order, "");
    table.row("guessing", 0.006, 0.031, 0.006, 0.031);
    lesson.table(table,
                 "Recall among 160: the caption of a picture, and the picture of a caption. New "
                 "pictures in all cases. The row \"all words, no order\" is computed, not "
                 "measured; " +
                     averaged_over(std::size_t(seeds)) + ".");
    const Recall mean{.caption_at_1 = summarise(each(runs.held_out, at_1)).mean,
                      .caption_at_5 = summarise(each(runs.held_out, at_5)).mean};
    lesson.claim("recall-1", "finding: held-out scenes: recall at 1, both ways together",
                 mean.caption_at_1, at_least(lesson.quick() ? 0.03 : 0.55));
    lesson.claim("recall-5", "finding: held-out scenes: recall at 5, both ways together",
                 mean.caption_at_5, at_least(lesson.quick() ? 0.2 : 0.9));
    return runs;
}

//! In the map before training the rows resemble each other: an untrained network gives all pictures
//! similar vectors. In the map after training the diagonal is strong.
//! {if all recall-1 > 0.6 and recall-5 > 0.95} For held-out scenes the right partner comes first in
//! {recall-1:%} of the cases, and is among the first five in {recall-5:%}. So the network knows
//! more than the words. Look at the neighbours 1 and 2, 3 and 4, and so on: they have all words in
//! common, and they are closer to each other than to the rest.
//!
//! ## Classification without labels
//!
//! A caption can serve as the name of a class. Write down one caption for each class, encode all of
//! them, and give a picture the class whose caption is nearest. This is classification without an
//! example, called *zero-shot*: the 160 held-out scenes are classes of which training contained no
//! picture and no name. A classifier with one output for each class has no output for a class that
//! it does not know. Here it is possible because the names are made of known words.
//!
//! What would labels have given? We take the same picture encoder and train it in the usual way, on
//! the same pictures for the same number of steps, with five small classifications: the first sign,
//! the second sign, both shades and the arrangement. Each gives probabilities. A scene gets the
//! product of the five that belong to it, and the scene with the largest product is the answer.
//! This classifier, too, can name a combination that it has never seen, so the comparison is fair.
//!
//! There are two lists of candidates: only the 160 held-out scenes, and all 720. The second is the
//! harder question, because a network may prefer what it knows.
void zero_shot(Lesson& lesson, const Data& data, const Training& how, const Runs& runs,
               Prediction guess) {
    lesson.heading("Classification without labels");
    std::vector<Scene> all = scenes_of(Which::training);
    const std::vector<Scene>& held = scenes_of(Which::held_out);
    all.insert(all.end(), held.begin(), held.end());
    const auto right = [&](const Indices& answers, const std::vector<Scene>& among) {
        double count = 0;
        for (int i = 0; i < data.held_out.size(); ++i)
            count += among.at(std::size_t(answers[i])) == data.held_out.scenes.at(std::size_t(i));
        return count / data.held_out.size();
    };
    std::map<std::string, std::vector<double>> accuracy;
    for (std::size_t seed = 0; seed < runs.trained.size(); ++seed) {
        Rng rng(100 * lesson.seed() + seed);
        const Classifier classifier = train_classifier(data.training, how, rng);
        const TwoModalities& model = runs.trained[seed].model;
        const Tensor pictures = model.pictures(data.held_out.pixels);
        for (const bool only_new : {true, false}) {
            const std::vector<Scene>& among = only_new ? held : all;
            std::vector<std::vector<int>> captions;
            for (const Scene& scene : among) captions.push_back(caption_of(scene, false));
            accuracy[only_new ? "zero, new" : "zero, all"].push_back(
                right(nearest(pictures, model.captions(captions)), among));
            accuracy[only_new ? "labels, new" : "labels, all"].push_back(
                right(best_scenes(classifier, data.held_out.pixels, among), among));
        }
    }
    Table table({"", "among 160 held-out scenes", "among all 720"});
    table.add({"zero-shot, by captions", mean_and_spread(accuracy["zero, new"]),
               mean_and_spread(accuracy["zero, all"])});
    table.add({"trained on five labels a picture", mean_and_spread(accuracy["labels, new"]),
               mean_and_spread(accuracy["labels, all"])});
    table.row("guessing", 1 / 160.0, 1 / 720.0);
    lesson.table(table, "Accuracy on pictures of held-out scenes; " +
                            averaged_over(runs.trained.size()) + ".");
    const double zero = summarise(accuracy["zero, all"]).mean,
                 labels = summarise(accuracy["labels, all"]).mean;
    lesson.reveal(guess, zero);
    if (lesson.quick()) return;
    lesson.claim("zero-shot", "finding: zero-shot accuracy on held-out scenes, among all 720", zero,
                 at_least(0.35));
    lesson.claim("zero-shot-gain",
                 "finding: the same minus the accuracy of a classifier trained on labels",
                 zero - labels, between(-0.35, 0.2));
}

//! {if all zero-shot > 0.4} {full run} Among all 720 scenes the captions are right for
//! {zero-shot:%} of the pictures. {if zero-shot-gain > 0} That is no worse than labels: the
//! captions were ahead in {count zero-shot-gain > 0} runs, although nobody wrote a label. But
//! compare the two columns. When the known scenes are candidates too, both lose much of their
//! accuracy: two signs that were never together are often taken for two that were. A test that
//! offers only new combinations hides this.
//!
//! ## Does it read, or does it count words?
//!
//! Yuksekgonul et al. (2023) found that CLIP and its successors behave much like bags of words:
//! they know which words are in a caption and hardly notice the order. "The horse eats the grass"
//! and "the grass eats the horse" were nearly the same to them. Does this happen in our case too?
//!
//! The test is simple. Each picture gets two captions, its own and one with the same words in
//! another order, and we count how often its own is nearer. There are three exchanges:
//!
//! * **signs**: "a pale ring left of a dark plus" against "a pale plus left of a dark ring";
//! * **shades**: against "a dark ring left of a pale plus";
//! * **both**: against "a dark plus left of a pale ring".
//!
//! {if all one-phrasing > 0.9} A bag of words is right in half of the cases. Our network passes:
//! with both exchanged it is right in {one-phrasing:%}. But we made it easy. All our captions begin
//! with the left or upper sign, so the first name is always the first sign, and the word "left"
//! need not be understood at all. People do not speak like this. So we now allow the second way to
//! say the same: "a dark plus right of a pale ring". Everything else is as before.
//!
//! Why should a network that could learn order not do so? Count what a batch asks. A caption that
//! can only be told apart by word order is a *near miss*. If no near miss is in the batch, knowing
//! the words is enough to win, and the loss asks for no more than winning. This suggests a remedy:
//! put near misses into the batch. We shuffle the training pairs, and behind each we put a pair
//! that is its near miss: the two signs, the two shades or both exchanged. The table counts how
//! many near misses a pair meets in its batch: about one. (Yuksekgonul et al. add captions with
//! exchanged words, for the same reason.)
void read_or_count(Lesson& lesson, const Data& easy, const Runs& easy_runs, Training how, int seeds,
                   Prediction guess) {
    lesson.heading("Does it read, or does it count words?");
    Table table({"captions, batches", "near misses", "recall at 1", "signs", "shades", "both"});
    const auto measure = [&](const char* name, const Data& data, const Runs& runs, bool near,
                             Phrasing phrasing) {
        Rng rng(7 * lesson.seed());
        const Company met =
            company(data.training.scenes, epoch(data.training.scenes, how.batch, near, rng));
        std::map<Exchange, std::vector<double>> told;
        for (const Trained& trained : runs.trained)
            for (Exchange exchange : exchanges)
                told[exchange].push_back(
                    told_apart(trained.model, data.held_out, exchange, phrasing, rng));
        table.add({name, fmt::format("{:.2f}", met.near_misses),
                   mean_and_spread(each(runs.held_out, at_1), 2),
                   mean_and_spread(told[Exchange::signs], 2),
                   mean_and_spread(told[Exchange::shades], 2),
                   mean_and_spread(told[Exchange::both], 2)});
        std::map<Exchange, double> means;
        for (const auto& [exchange, values] : told) means[exchange] = summarise(values).mean;
        return means;
    };
    const auto first = measure("one phrasing, random", easy, easy_runs, false, Phrasing::one);
    const Data two = draw_data(lesson.quick(), Phrasing::two, lesson.seed());
    const Runs random = run(lesson, two, how, seeds);
    const auto second = measure("two phrasings, random", two, random, false, Phrasing::two);
    how.near = true;
    const Runs composed = run(lesson, two, how, seeds);
    const auto third = measure("two phrasings, near misses", two, composed, true, Phrasing::two);
    lesson.table(table,
                 "Held-out scenes. Near misses: how many a pair meets in its batch. Recall at "
                 "1: both ways together. The last three columns: share of pictures nearer to "
                 "their own caption than to the exchanged one, 0.5 for a bag of words; " +
                     averaged_over(std::size_t(seeds)) + ".");
    lesson.reveal(guess, second.at(Exchange::both));
    if (lesson.quick()) return;
    lesson.claim("one-phrasing", "finding: one phrasing: told apart after both were exchanged",
                 first.at(Exchange::both), at_least(0.85));
    lesson.claim("two-phrasings", "finding: two phrasings: told apart after both were exchanged",
                 second.at(Exchange::both), between(0.4, 0.75));
    lesson.claim("two-phrasings-recall", "finding: two phrasings: recall at 1, held-out scenes",
                 summarise(each(random.held_out, at_1)).mean, at_most(0.55));
    lesson.claim("near-misses",
                 "finding: two phrasings, near misses: told apart after the shades were exchanged",
                 third.at(Exchange::shades), at_least(0.75));
}

//! {if two-phrasings < 0.7 and one-phrasing > 0.9} {full run} The second phrasing costs the network
//! most of its reading. With both exchanged it is now right in {two-phrasings:%} of the cases
//! ({two-phrasings:range %}), where a bag of words has one half. {if two-phrasings-recall > 0.375}
//! It is no bag of words: it is above one half in {count two-phrasings > 0.5} runs, and its recall
//! at 1, {two-phrasings-recall:2}, is above the $0.375$ of "all words, no order" in {count
//! two-phrasings-recall > 0.375} runs. But it reads little. To answer correctly it must combine two
//! things: who is named first, and whether the word between them is "left" or "right". Each of the
//! two alone says nothing. Near misses in the batch ask for just this. {if all near-misses > 0.75}
//! With them the shades, which need only the words beside each other, are told apart in
//! {near-misses:%} of the cases; compare the column "both" of the last two rows to see what is
//! left.
//!
//! ## How large should a batch be?
//!
//! More negatives make the question harder. CLIP was trained with batches of 32,768 pairs. But at a
//! fixed number of pairs a larger batch also means fewer steps. We hold the number of pairs at
//! 25,600, so a batch of 16 has 1,600 steps and one of 256 has 100. The best learning rate depends
//! on the size of the batch, so each size has its own, chosen among several on pictures of known
//! scenes with other seeds than those of this table.
//!
//! A large batch has another property. Two pairs of a batch show the same scene more often. The
//! loss then treats a caption that is right as wrong: a *false negative*. With 560 scenes a pair
//! meets $(N-1)/560$ of them on average. The table has both.
struct BatchSize {
    int size;
    double lr;
};

void batch_size(Lesson& lesson, const Data& data, const Training& base, const Runs& main_runs,
                int seeds, Prediction guess) {
    lesson.heading("How large should a batch be?");
    const std::vector<BatchSize> sizes =
        lesson.quick() ? std::vector<BatchSize>{{64, 4e-3}, {256, 2e-3}}
                       : std::vector<BatchSize>{{16, 2e-3}, {64, 4e-3}, {256, 2e-3}};
    Table table({"batch", "rate", "false negatives", "near misses", "at 1", "at 5"});
    std::map<int, double> mean;
    int best = 0;
    for (const auto& [size, lr] : sizes) {
        Training how = base;
        how.batch = size, how.lr = lr;
        const Runs runs = size == base.batch ? main_runs : run(lesson, data, how, seeds);
        Rng rng(lesson.seed());
        const Company met =
            company(data.training.scenes, epoch(data.training.scenes, size, false, rng));
        mean[size] = summarise(each(runs.held_out, at_1)).mean;
        if (best == 0 || mean[size] > mean[best]) best = size;
        table.add({fmt::format("{}", size), fmt::format("{}", lr), fmt::format("{:.2f}", met.twins),
                   fmt::format("{:.2f}", met.near_misses),
                   mean_and_spread(each(runs.held_out, at_1), 2),
                   mean_and_spread(each(runs.held_out, at_5), 2)});
        if (size == 256)
            lesson.measured("false-negatives",
                            "batch of 256: false negatives of a pair over the expected 255 / 560",
                            met.twins * 560 / 255);
    }
    lesson.table(table,
                 fmt::format("Recall on held-out scenes, both ways together, {} pairs seen. Rate: "
                             "the learning rate. False negatives and near misses: how many a "
                             "pair meets in its batch; {}.",
                             number(base.pairs), averaged_over(std::size_t(seeds))));
    lesson.reveal(guess, fmt::format("{}", best));
    if (lesson.quick()) return;
    lesson.claim("batch-64-gain", "finding: recall at 1 of the batch of 64 minus that of 256",
                 mean[64] - mean[256], at_least(0.4));
}

//! {if all batch-64-gain > 0.4} {full run} At this number of pairs the large batch loses: its
//! recall at 1 is lower than that of the batch of 64 by {batch-64-gain:2}. It has too few steps. A
//! larger learning rate does not make up for that: in the search for its rate, larger ones did
//! worse. It is not a fault of the negatives, of which it has more, and more near misses among
//! them. A larger batch can be better if there are so many pairs that it has enough steps, too.
//!
//! ## The temperature
//!
//! What if we do not learn $\tau$ but choose it? First, how small can the loss be? Suppose every
//! picture has cosine 1 with its caption. The other cosines cannot all be -1. The sum of $N$ unit
//! vectors $v_i$ has a squared length that is not negative:
//!
//! $$ \Big|\sum_i v_i\Big|^2 = N + \sum_{i \ne j} v_i \cdot v_j \ge 0, \quad \text{so the mean of } v_i \cdot v_j \text{ over } i \ne j \text{ is at least } -\frac{1}{N-1}. $$
//!
//! If all of them were equal to that, the loss would be
//!
//! $$ L_{\min}(\tau) = \ln\big(1 + (N-1) \, e^{-\frac{N}{N-1} / \tau}\big). $$
//!
//! {no results} This is a lower bound. It cannot be reached here: 64 vectors with equal cosines
//! need 63 dimensions, and we have 32. But one can come near: 32 directions and their opposites
//! give 3.18 at $\tau = 1$, where the bound is 3.17 and guessing gives $\ln 64 = 4.16$.
//!
//! {no results} At $\tau = 0.3$ the bound is 1.14, and at $\tau = 0.07$ it is 0.00003. With a high
//! temperature the softmax is flat, and all captions pull and push about equally. With a low one
//! nearly all of the gradient comes from the one wrong caption that is nearest, the hardest
//! negative, even if it is the nearest by chance (Wang and Liu 2021).
double lowest_loss_at(double tau, int n) {
    return std::log1p((n - 1) * std::exp(-n / (n - 1.0) / tau));
}

void temperature(Lesson& lesson, const Data& data, const Training& base, const Runs& learned,
                 int seeds) {
    lesson.heading("The temperature");
    Table table({"temperature", "loss", "lower bound", "recall at 1", "recall at 5"});
    std::map<double, double> mean;
    const auto add = [&](const std::string& name, double tau, const Runs& runs) {
        std::vector<double> losses;
        for (const Trained& trained : runs.trained) {
            const std::size_t last = std::min<std::size_t>(20, trained.losses.size());
            losses.push_back(
                summarise({trained.losses.end() - std::ptrdiff_t(last), trained.losses.end()})
                    .mean);
        }
        mean[tau] = summarise(each(runs.held_out, at_1)).mean;
        table.add({name, mean_and_spread(losses, 2),
                   tau > 0 ? fmt::format("{:.2f}", lowest_loss_at(tau, base.batch)) : "",
                   mean_and_spread(each(runs.held_out, at_1), 2),
                   mean_and_spread(each(runs.held_out, at_5), 2)});
    };
    const std::vector<double> fixed =
        lesson.quick() ? std::vector<double>{1} : std::vector<double>{0.01, 0.1, 0.3, 1};
    for (double tau : fixed) {
        Training how = base;
        how.temperature = tau, how.learn_temperature = false;
        add(fmt::format("{}", tau), tau, run(lesson, data, how, seeds));
    }
    std::vector<double> reached;
    for (const Trained& trained : learned.trained) reached.push_back(trained.temperatures.back());
    add(fmt::format("learned, {:.3f}", summarise(reached).mean), 0, learned);
    lesson.table(table,
                 "Held-out scenes, both ways together. Loss: the mean of the last 20 steps; " +
                     averaged_over(std::size_t(seeds)) + ".");
    LinePlot plot{.title = "The learned temperature", .x_label = "step", .y_label = "τ"};
    for (std::size_t i = 0; i < learned.trained.size(); ++i) {
        Series line{.name = fmt::format("seed {}", i + 1), .y = learned.trained[i].temperatures};
        for (std::size_t step = 1; step <= line.y.size(); ++step) line.x.push_back(double(step));
        plot.series.push_back(line);
    }
    lesson.show("temperature", plot, "The temperature during training.");
    if (lesson.quick()) return;
    lesson.claim("learned-over-1",
                 "finding: recall at 1 with the learned temperature minus that with 1",
                 mean[0] - mean[1], at_least(0.55));
    lesson.claim("learned-over-0-01", "finding: the same minus that with 0.01",
                 mean[0] - mean[0.01], at_least(0.2));
    lesson.claim("learned-over-0-1", "finding: the same minus that with 0.1", mean[0] - mean[0.1],
                 between(-0.2, 0.1));
}

//! {if all learned-over-1 > 0.5 and learned-over-0-01 > 0.25} {full run} At $\tau = 1$ the loss
//! comes close to its bound, and yet the recall at 1 is lower than with the learned temperature by
//! {learned-over-1:2}. The likely reason is in the gradient: the softmax is so flat that a near
//! miss gets hardly more weight than any other of the 63 negatives. At $\tau = 0.01$ the softmax is
//! too sharp, and the recall is lower by {learned-over-0-01:2}. Between the two there is a wide
//! range of good values. {if learned-over-0-1 < 0} The learned temperature finds a good one without
//! a search, but not the best: $\tau = 0.1$ did better in {count learned-over-0-1 < 0} runs, by {0
//! - learned-over-0-1:2}. Note that losses at different temperatures cannot be compared with each
//! other; recall can.
//!
//! ## Spoken and written digits
//!
//! Nothing in the loss is about words. With `--data` the pictures are handwritten digits (MNIST),
//! and with `--sounds` the other modality is people who say them, as log-mel frames read by the
//! Conformer of lesson {speech}. A pair is any picture and any recording of the same digit. The
//! test uses new pictures and a speaker who is not in training.
//!
//! {no results} There are only ten digits, so false negatives are now the rule: in a batch of 64 a
//! pair meets about $63/10 = 6.3$ others of its own digit. The loss calls six right answers wrong,
//! and it cannot become small. If all pairs of a digit have equal scores, a row with $k$ false
//! negatives has at best the loss $\ln(1 + k)$. We train once like this, and once with false
//! negatives taken out of the softmax, which needs the labels (Khosla et al. 2020) and so is not
//! possible for captions from the web.
//!
//! When we tried it with MNIST and the recordings of lesson {speech}, the two losses were far
//! apart, but the false negatives cost at most three points in any direction of retrieval. Pictures
//! are named better by the recordings of a stranger than recordings by pictures.
void spoken_digits(Lesson& lesson, const std::string& sounds, int steps, int seeds) {
    std::vector<Recording> recordings = read_recordings(sounds);
    const std::vector<Recording> test_sounds = take_last_speaker(recordings);
    const Images training = read_digits(lesson.options().data, "train", side);
    const Images all_test = read_digits(lesson.options().data, "t10k", side);
    lesson.heading("Spoken and written digits");
    const Images test = range(all_test, 0, std::min(all_test.size(), 1000));
    check(training.pixels.size(1) == side && training.pixels.size(2) == side,
          "--data: pictures of {} x {} pixels; expected 28 x 28", training.pixels.size(1),
          training.pixels.size(2));
    std::vector<int> labels;
    for (const Recording& r : test_sounds) labels.push_back(r.label);
    lesson.say("{} recordings for training, {} of the speaker {} for the test; {} and {} pictures.",
               recordings.size(), test_sounds.size(), test_sounds[0].speaker,
               number(training.size()), number(test.size()));
    Table table({"softmax over", "loss", "recording at 1", "picture at 1", "zero-shot accuracy"});
    std::map<bool, double> accuracy;
    Rng counting(lesson.seed());
    const double lowest = lowest_loss(64, counting);
    for (const bool masked : {false, true}) {
        std::vector<double> loss, recording, picture, named;
        for (int seed = 0; seed < seeds; ++seed) {
            Rng rng(100 * lesson.seed() + std::uint64_t(seed));
            const TrainedDigits trained =
                train_digits(training, recordings, {.steps = steps, .mask_twins = masked}, rng);
            const Tensor a = trained.model.of_pictures(test.pixels),
                         b = trained.model.of_recordings(test_sounds);
            const Tensor cosines = matmul(a, transpose(b));
            recording.push_back(recall_at(cosines, 1, test.labels, labels));
            picture.push_back(recall_at(transpose(cosines), 1, labels, test.labels));
            const Indices answers = nearest(a, class_vectors(b, labels, 10));
            double right = 0;
            for (int i = 0; i < test.size(); ++i)
                right += answers[i] == test.labels[std::size_t(i)];
            named.push_back(right / test.size());
            const std::size_t last = std::min<std::size_t>(20, trained.losses.size());
            loss.push_back(
                summarise({trained.losses.end() - std::ptrdiff_t(last), trained.losses.end()})
                    .mean);
            if (seed == 0 && !masked) {
                lesson.say(
                    "A pair met {:.2f} false negatives in its batch; the lowest possible loss "
                    "with them is {:.3f}.",
                    trained.twins, lowest);
                std::vector<double> by_digit(100), count(100);
                const std::vector<double> c = cosines.to_vector();
                for (int i = 0; i < test.size(); ++i)
                    for (std::size_t j = 0; j < labels.size(); ++j) {
                        const std::size_t cell =
                            std::size_t(test.labels[std::size_t(i)] * 10 + labels[j]);
                        by_digit[cell] += c[std::size_t(i) * labels.size() + j];
                        ++count[cell];
                    }
                HeatMap map{.title = "written and spoken digits",
                            .values = by_digit,
                            .row_axis = "written",
                            .column_axis = "spoken",
                            .low = -1,
                            .value_name = "mean cosine"};
                for (std::size_t cell = 0; cell < 100; ++cell)
                    map.values[cell] /= std::max(1.0, count[cell]);
                for (int digit = 0; digit < 10; ++digit) {
                    map.row_labels.push_back(fmt::format("{}", digit));
                    map.column_labels.push_back(fmt::format("{}", digit));
                }
                lesson.show("digits", map,
                            "Mean cosine of new pictures with recordings of the new speaker.");
            }
        }
        accuracy[masked] = summarise(named).mean;
        table.add({masked ? "other digits only" : "the whole batch", mean_and_spread(loss, 2),
                   mean_and_spread(recording), mean_and_spread(picture), mean_and_spread(named)});
    }
    table.row("guessing", "", 0.1, 0.1, 0.1);
    lesson.table(table,
                 "New pictures and a new speaker. Recall counts any pair of the same digit as "
                 "right. Zero-shot: each digit's class is the mean of its recordings; " +
                     averaged_over(std::size_t(seeds)) + ".");
    lesson.claim("own-recordings",
                 "finding: pictures classified by the recordings of a new speaker, the whole batch",
                 accuracy[false], at_least(lesson.quick() ? 0.15 : 0.4));
}

}  // namespace

}  // namespace heed::lesson28

//! ## What this does not show
//!
//! Our pictures are drawn by a program and our captions have 18 words. CLIP's strength is that
//! captions from the web speak about everything, and nothing of that can be seen here. Zero-shot
//! means less than it seems to say: our held-out scenes are new combinations of known signs and
//! words. A sign whose name occurs in no caption cannot be named, because the vector of the word
//! has not been trained. The captions are always right and say everything that there is to say; on
//! the web many do not fit their picture. The comparison of batch sizes is at one number of pairs,
//! and 25,600 is few: with ten times as many the large batch would have enough steps, and the order
//! could change.
//!
//! Sources: Radford et al., "Learning transferable visual models from natural language supervision"
//! (2021), sections 2.3 and 3.1; Oord, Li and Vinyals, "Representation learning with contrastive
//! predictive coding" (2018), section 2.3; Wang and Liu, "Understanding the behaviour of
//! contrastive loss" (2021), for the temperature and the negatives that are nearest; Yuksekgonul et
//! al., "When and why vision-language models behave like bags-of-words, and what to do about it?"
//! (2023); Khosla et al., "Supervised contrastive learning" (2020), for pairs of the same class in
//! a batch; Alayrac et al., "Flamingo: a visual language model for few-shot learning" (2022); Liu
//! et al., "Visual instruction tuning" (2023), for LLaVA.
//!
//! ## Summary
//!
//! 1. Two encoders map two modalities into one space. Attraction alone makes all vectors equal.
//! 2. The contrastive loss asks, for each row and each column of the table of cosines, who the
//!    partner is.
//! 3. A caption then serves as the name of a class, also of a class without examples, if its words
//!    are known.
//! 4. The loss teaches what distinguishes the pairs of a batch, and no more: without near misses
//!    the order of the words may stay unread.
//! 5. The temperature decides how much the nearest wrong captions count. It can be learned.
//!
//! ## Try this next
//!
//! 1. `--pairs 102400`: what do four times as many pairs do to two phrasings, and to the batch of
//!    256?
//! 2. In `data.cpp`, let `is_held_out` hold out every scene with a ring. Which part of the caption
//!    does the network still get right?
//! 3. `--data mnist --sounds recordings`: the MNIST files and the Free Spoken Digit Dataset.
using namespace heed;
using namespace heed::lesson28;

int main(int argc, char** argv) {
    Lesson lesson({.number = 28,
                   .name = "two_modalities",
                   .title = "How do words meet pictures?",
                   .question =
                       "Two encoders learn which picture belongs to which caption. Can they "
                       "then name what they have never seen, and do they read word order?",
                   .data = "a folder with MNIST's four files, for --sounds",
                   .data_is = DataIs::folder,
                   .own_data = "drawn pictures of two signs, with captions"});
    Training how{.pairs = 0};
    int seeds = 0, steps = 0;
    std::string sounds;
    lesson.option("--pairs", how.pairs, "pairs seen in each training (25600; quick 6400)");
    lesson.option("--seeds", seeds, "training runs of each kind (2; quick 1)");
    lesson.option("--steps", steps, "with --data: steps of training (600; quick 20)");
    lesson.input_file("--sounds", sounds,
                      "with --data: a folder of WAV, FLAC or Ogg files named DIGIT_SPEAKER_NUMBER");
    return lesson.run(argc, argv, [&] {
        if (how.pairs == 0) how.pairs = lesson.quick() ? 6400 : 25'600;
        if (seeds == 0) seeds = lesson.quick() ? 1 : 2;
        if (steps == 0) steps = lesson.quick() ? 20 : 600;
        check(lesson.options().data.empty() == sounds.empty(),
              "--data (pictures of digits) and --sounds (recordings) are needed together");
        if (!sounds.empty()) return spoken_digits(lesson, sounds, steps, seeds);
        check(how.pairs >= 256, "--pairs: expected at least 256, got {}", how.pairs);

        const Prediction zero = lesson.predict(
            "720 captions, of which 160 describe scenes that were never in training. For which "
            "share of new pictures of these 160 scenes is the right caption the nearest? "
            "(Guessing: 0.001.)",
            within(0.1).from(0, 1));
        const Prediction order = lesson.predict(
            "Captions may begin with either sign. \"A pale ring left of a dark plus\" or \"a dark "
            "plus left of a pale ring\": which share does the network get right? (Guessing: 0.5.)",
            within(0.05).from(0, 1));
        const Prediction batch =
            lesson.predict("Every training sees the same number of pairs. Which batch is best?",
                           std::vector<std::string>{"16", "64", "256"});
        const Data data = draw_data(lesson.quick(), Phrasing::one, lesson.seed());
        show_pairs(lesson, data);
        attraction(lesson, data, how);
        compare_with_the_others(lesson);
        const Runs runs = before_and_after(lesson, data, how, seeds);
        zero_shot(lesson, data, how, runs, zero);
        read_or_count(lesson, data, runs, how, seeds, order);
        batch_size(lesson, data, how, runs, seeds, batch);
        temperature(lesson, data, how, runs, seeds);
    });
}
