// Convolution, pooling, picking by integers, slices, running sums, sorting and einsum against slow,
// obvious loops: values and gradients, over random shapes, options, memory layouts and axes, negative
// ones included. (Rows are in tests/autograd/kernels/test_row_oracles.cpp.)
#include <map>
#include <optional>

#include "tests/autograd/oracle.h"

namespace heed {
namespace {

// A multilinear function as the list of its terms: y[out] += c x0[i0] x1[i1] ... The same list gives the
// gradients, dx0[i0] += c g[out] x1[i1] ...
class Terms {
  public:
    Terms(const std::vector<Tensor>& inputs, const Tensor& weights) : g_(weights.to_vector()) {
        y.resize(g_.size());
        for (const Tensor& x : inputs) {
            x_.push_back(x.to_vector());
            gradients.emplace_back(x.numel());
        }
    }
    void add(int64_t out, const std::vector<int64_t>& in, double c = 1) {
        double product = c;
        for (std::size_t k = 0; k < in.size(); ++k) product *= x_[k][in[k]];
        y[out] += product;
        for (std::size_t k = 0; k < in.size(); ++k) {
            double others = c * g_[out];
            for (std::size_t j = 0; j < in.size(); ++j)
                if (j != k) others *= x_[j][in[j]];
            gradients[k][in[k]] += others;
        }
    }
    double x(int64_t i) const { return x_[0][i]; }

    std::vector<double> y;
    std::vector<std::vector<double>> gradients;

  private:
    std::vector<std::vector<double>> x_;
    std::vector<double> g_;
};

// The row-major number of an index.
int64_t flat(const Shape& shape, const Axes& index) {
    int64_t number = 0;
    for (int i = 0; i < shape.count; ++i) number = number * shape[i] + index[i];
    return number;
}

struct Draw {
    Rng rng;
    explicit Draw(uint64_t seed) : rng(seed) {}
    int64_t number(int64_t low, int64_t high) {
        return low + static_cast<int64_t>(rng.below(high - low + 1));
    }
    Shape shape(int low_axes, int high_axes, int64_t low = 1) {
        Shape all;
        for (int64_t axes = number(low_axes, high_axes); axes > 0; --axes) all.push(number(low, 5));
        return all;
    }
    // One of the axes, counted from the front and from the back.
    int axis_of(const Shape& shape) {
        return static_cast<int>(number(-shape.count, shape.count - 1));
    }
    Indices indices(const Shape& shape, int64_t below) {
        std::vector<int> values(shape.numel());
        for (int& value : values) value = static_cast<int>(number(0, below - 1));
        return Indices(values, shape);
    }
    // Random numbers in a random memory layout; with ties, small whole numbers, many of them equal.
    Tensor tensor(const Shape& shape, Dtype dtype, bool ties = false) {
        Tensor x = draw(shape, dtype, rng.below(1 << 30), -2, 2);
        if (ties) x = round(x);
        const std::vector<NamedLayout> layouts = layouts_of(x);
        return detach(layouts[rng.below(layouts.size())].x).set_requires_grad();
    }
};

int from_front(int axis, const Shape& shape) { return axis < 0 ? axis + shape.count : axis; }

// f(inputs) has the values and the gradients that loop(terms) adds up.
template <class F, class Loop>
void agrees(Draw& d, const std::vector<Tensor>& inputs, const Shape& result, F f, Loop loop) {
    const Tensor y = f(inputs);
    REQUIRE(to_string(y.shape()) == to_string(result));
    const Tensor g = detach(d.tensor(result, y.dtype()));
    Terms terms(inputs, g);
    loop(terms);
    const double tolerance = 30 * rounding(y.dtype());
    require_close(y, terms.y, tolerance);
    for (bool again : {false, true}) {
        const std::vector<Tensor> gradients = grad(f(inputs), inputs, again, g);
        for (std::size_t k = 0; k < inputs.size(); ++k)
            require_close(gradients[k], terms.gradients[k], tolerance);
    }
}

// check(draw, dtype) `count` times, with other random numbers each time.
template <class Check>
void repeat(int count, Check check) {
    for (int i = 0; i < count; ++i)
        for (Dtype dtype : both_dtypes) {
            INFO("case " << i << " in " << name_of(dtype));
            Draw d(1000 * i + 7);
            check(d, dtype);
        }
}

TEST_CASE("conv2d and conv1d equal the plain loops, values and gradients", "[oracle]") {
    repeat(60, [](Draw& d, Dtype dtype) {
        const bool flat_image = d.number(0, 1);  // conv1d: an image one pixel high
        const auto pick = [&](int64_t low, int64_t high, int64_t if_flat) {
            const int64_t drawn = d.number(low, high);
            return flat_image ? if_flat : drawn;
        };
        const int64_t groups = d.number(1, 3), batch = d.number(1, 3);
        const int64_t in = d.number(1, 2), out = d.number(1, 2);  // channels of a group
        const Size2d kernel(pick(1, 3, 1), d.number(1, 3)), stride(pick(1, 3, 1), d.number(1, 3));
        const Size2d padding(pick(0, 2, 0), d.number(0, 2)),
            dilation(pick(1, 2, 1), d.number(1, 2));
        const int64_t height = pick(5, 8, 1), width = d.number(5, 8);
        const int64_t rows =
            (height + 2 * padding.height - dilation.height * (kernel.height - 1) - 1) /
                stride.height +
            1;
        const int64_t columns =
            (width + 2 * padding.width - dilation.width * (kernel.width - 1) - 1) / stride.width +
            1;
        const auto shaped = [&](int64_t b, int64_t c, int64_t h, int64_t w) {
            return flat_image ? Shape{b, c, w} : Shape{b, c, h, w};
        };
        const Shape image{batch, groups * in, height, width},
            weights{groups * out, in, kernel.height, kernel.width};
        const Shape result{batch, groups * out, rows, columns};
        const std::vector<Tensor> inputs{
            d.tensor(shaped(batch, groups * in, height, width), dtype),
            d.tensor(shaped(groups * out, in, kernel.height, kernel.width), dtype)};
        const Tensor bias = d.tensor({groups * out}, dtype);
        const auto convolve = [&](const std::vector<Tensor>& x, const Tensor& b) {
            if (flat_image)
                return conv1d(x[0], x[1], b, {stride.width, padding.width, dilation.width, groups});
            return conv2d(x[0], x[1], b, {stride, padding, dilation, groups});
        };
        agrees(
            d, inputs, shaped(batch, groups * out, rows, columns),
            [&](const std::vector<Tensor>& x) { return convolve(x, Tensor()); },
            [&](Terms& terms) {
                each_index(result, [&](const Axes& y) {
                    each_index({in, kernel.height, kernel.width}, [&](const Axes& k) {
                        const int64_t row =
                            y[2] * stride.height + k[1] * dilation.height - padding.height;
                        const int64_t column =
                            y[3] * stride.width + k[2] * dilation.width - padding.width;
                        if (row < 0 || row >= height || column < 0 || column >= width) return;
                        terms.add(flat(result, y),
                                  {flat(image, {y[0], y[1] / out * in + k[0], row, column}),
                                   flat(weights, {y[1], k[0], k[1], k[2]})});
                    });
                });
            });
        agrees(
            d, {bias}, shaped(batch, groups * out, rows, columns),
            [&](const std::vector<Tensor>& b) {
                return convolve(inputs, b[0]) - convolve(inputs, Tensor());
            },
            [&](Terms& terms) {
                each_index(result, [&](const Axes& y) { terms.add(flat(result, y), {y[1]}); });
            });
    });
}

TEST_CASE("pooling equals the plain loops, values and gradients", "[oracle]") {
    repeat(60, [](Draw& d, Dtype dtype) {
        const bool largest = d.number(0, 1), sequence = d.number(0, 1);
        const Size2d kernel(sequence ? 1 : d.number(1, 3), d.number(1, 3));
        const Size2d padding(d.number(0, kernel.height / 2), d.number(0, kernel.width / 2));
        Size2d stride(sequence ? 1 : d.number(0, 3), d.number(0, 3));
        if (stride.height == 0 || stride.width == 0) stride = sequence ? Size2d(1, 0) : Size2d(0);
        const Size2d step(stride.height ? stride.height : kernel.height,
                          stride.width ? stride.width : kernel.width);
        const Shape image{d.number(1, 2), d.number(1, 3), sequence ? 1 : d.number(3, 7),
                          d.number(3, 7)};
        const Shape result{image[0], image[1],
                           (image[2] + 2 * padding.height - kernel.height) / step.height + 1,
                           (image[3] + 2 * padding.width - kernel.width) / step.width + 1};
        const auto shaped = [&](const Shape& s) { return sequence ? Shape{s[0], s[1], s[3]} : s; };
        agrees(
            d, {d.tensor(shaped(image), dtype, largest)}, shaped(result),
            [&](const std::vector<Tensor>& x) {
                const Pool1dOptions one{stride.width, padding.width};
                if (sequence)
                    return largest ? max_pool1d(x[0], kernel.width, one)
                                   : avg_pool1d(x[0], kernel.width, one);
                const Pool2dOptions both{stride, padding};
                return largest ? max_pool2d(x[0], kernel, both) : avg_pool2d(x[0], kernel, both);
            },
            [&](Terms& terms) {
                each_index(result, [&](const Axes& y) {
                    std::optional<int64_t> best;  // the first of the largest pixels
                    each_index({kernel.height, kernel.width}, [&](const Axes& k) {
                        const int64_t row = y[2] * step.height + k[0] - padding.height;
                        const int64_t column = y[3] * step.width + k[1] - padding.width;
                        if (row < 0 || row >= image[2] || column < 0 || column >= image[3]) return;
                        const int64_t pixel = flat(image, {y[0], y[1], row, column});
                        if (!largest)
                            terms.add(flat(result, y), {pixel},
                                      1.0 / static_cast<double>(kernel.height * kernel.width));
                        else if (!best || terms.x(pixel) > terms.x(*best))
                            best = pixel;
                    });
                    if (best) terms.add(flat(result, y), {*best});
                });
            });
    });
}

TEST_CASE("adaptive pooling equals the plain loops, values and gradients", "[oracle]") {
    repeat(20, [](Draw& d, Dtype dtype) {
        const Size2d parts(d.number(1, 3), d.number(1, 3)), part(d.number(1, 3), d.number(1, 3));
        const Shape image{d.number(1, 2), d.number(1, 3), parts.height * part.height,
                          parts.width * part.width};
        const Shape result{image[0], image[1], parts.height, parts.width};
        agrees(
            d, {d.tensor(image, dtype)}, result,
            [&](const std::vector<Tensor>& x) { return adaptive_avg_pool2d(x[0], parts); },
            [&](Terms& terms) {
                each_index(image, [&](const Axes& x) {
                    terms.add(flat(result, {x[0], x[1], x[2] / part.height, x[3] / part.width}),
                              {flat(image, x)},
                              1.0 / static_cast<double>(part.height * part.width));
                });
            });
    });
}

TEST_CASE("gather, scatter_add, index_select, index_add and embedding equal the plain loops",
          "[oracle]") {
    repeat(60, [](Draw& d, Dtype dtype) {
        const Shape shape = d.shape(1, 4);
        const int axis = d.axis_of(shape), a = from_front(axis, shape);
        Shape picked = shape;  // longer or shorter along the axis, shorter along the others
        for (int i = 0; i < shape.count; ++i)
            picked[i] = i == a ? d.number(1, 6) : d.number(1, shape[i]);
        const Indices indices = d.indices(picked, shape[a]);
        const auto source = [&](Axes index) {
            index[a] = indices[flat(picked, index)];
            return flat(shape, index);
        };
        agrees(
            d, {d.tensor(shape, dtype)}, picked,
            [&](const std::vector<Tensor>& x) { return gather(x[0], axis, indices); },
            [&](Terms& terms) {
                each_index(picked, [&](const Axes& y) { terms.add(flat(picked, y), {source(y)}); });
            });
        agrees(
            d, {d.tensor(picked, dtype)}, shape,
            [&](const std::vector<Tensor>& x) { return scatter_add(shape, axis, indices, x[0]); },
            [&](Terms& terms) {
                each_index(picked, [&](const Axes& x) { terms.add(source(x), {flat(picked, x)}); });
            });

        const Indices slices = d.indices({d.number(1, 6)}, shape[a]);
        Shape chosen = shape;
        chosen[a] = slices.count();
        const auto whole = [&](Axes index) {
            index[a] = slices[index[a]];
            return flat(shape, index);
        };
        agrees(
            d, {d.tensor(shape, dtype)}, chosen,
            [&](const std::vector<Tensor>& x) { return index_select(x[0], axis, slices); },
            [&](Terms& terms) {
                each_index(chosen, [&](const Axes& y) { terms.add(flat(chosen, y), {whole(y)}); });
            });
        agrees(
            d, {d.tensor(chosen, dtype)}, shape,
            [&](const std::vector<Tensor>& x) { return index_add(shape, axis, slices, x[0]); },
            [&](Terms& terms) {
                each_index(chosen, [&](const Axes& x) { terms.add(whole(x), {flat(chosen, x)}); });
            });

        const Shape table{d.number(1, 5), d.number(1, 20)};
        const Indices ids = d.indices({d.number(1, 3), d.number(1, 4)}, table[0]);
        const Shape rows{ids.shape()[0], ids.shape()[1], table[1]};
        agrees(
            d, {d.tensor(table, dtype)}, rows,
            [&](const std::vector<Tensor>& x) { return embedding(x[0], ids); },
            [&](Terms& terms) {
                each_index(rows, [&](const Axes& y) {
                    terms.add(flat(rows, y), {flat(table, {ids.at({y[0], y[1]}), y[2]})});
                });
            });
    });
}

TEST_CASE("slice, flip, roll, pad, repeat and concat equal the plain loops", "[oracle]") {
    repeat(60, [](Draw& d, Dtype dtype) {
        const Shape shape = d.shape(1, 4);
        const int axis = d.axis_of(shape), a = from_front(axis, shape);
        const int64_t n = shape[a];
        const auto moved = [&](const Shape& result, auto f, auto source) {
            agrees(
                d, {d.tensor(shape, dtype)}, result,
                [&](const std::vector<Tensor>& x) { return f(x[0]); },
                [&](Terms& terms) {
                    each_index(result, [&](Axes y) {
                        const int64_t to = flat(result, y), from = source(y[a]);
                        if (from < 0 || from >= n) return;
                        y[a] = from;
                        terms.add(to, {flat(shape, y)});
                    });
                });
        };
        const auto resized = [&](int64_t size) {
            Shape result = shape;
            result[a] = size;
            return result;
        };
        const int64_t begin = d.number(0, n - 1), end = d.number(begin, n), step = d.number(1, 3);
        const int64_t first = d.number(0, 1) ? begin : begin - n;  // counted from the back
        moved(
            resized((end - begin + step - 1) / step),
            [&](const Tensor& x) { return slice(x, axis, first, end, step); },
            [&](int64_t i) { return begin + i * step; });
        moved(
            shape, [&](const Tensor& x) { return flip(x, axis); },
            [&](int64_t i) { return n - 1 - i; });
        const int64_t shift = d.number(-7, 7);
        moved(
            shape, [&](const Tensor& x) { return roll(x, shift, axis); },
            [&](int64_t i) { return ((i - shift) % n + n) % n; });
        const int64_t before = d.number(0, 2), after = d.number(0, 2);
        moved(
            resized(before + n + after),
            [&](const Tensor& x) { return pad(x, axis, before, after); },
            [&](int64_t i) { return i - before; });
        const int64_t count = d.number(1, 3);
        moved(
            resized(n * count), [&](const Tensor& x) { return repeat_interleave(x, count, axis); },
            [&](int64_t i) { return i / count; });
        moved(
            resized(n * 2),
            [&](const Tensor& x) {
                return concat({x, flip(x, axis)}, axis);
            },
            [&](int64_t i) { return i < n ? i : 2 * n - 1 - i; });
    });
}

TEST_CASE("cumsum along every axis, and sorted values, equal the plain loops", "[oracle]") {
    repeat(60, [](Draw& d, Dtype dtype) {
        const Shape shape = d.shape(1, 4);
        const int axis = d.axis_of(shape), a = from_front(axis, shape);
        agrees(
            d, {d.tensor(shape, dtype)}, shape,
            [&](const std::vector<Tensor>& x) { return cumsum(x[0], axis); },
            [&](Terms& terms) {
                each_index(shape, [&](Axes index) {
                    const int64_t out = flat(shape, index);
                    for (; index[a] >= 0; --index[a]) terms.add(out, {flat(shape, index)});
                });
            });

        const bool falling = d.number(0, 1);
        const int64_t k = d.number(1, shape[a]);
        Shape first = shape;
        first[a] = k;
        // An element's rank is the number of elements that come before it.
        const auto ranked = [&](Terms& terms, const Shape& result) {
            each_index(shape, [&](const Axes& index) {
                int64_t rank = 0;
                Axes other = index;
                for (other[a] = 0; other[a] < shape[a]; ++other[a]) {
                    const double x = terms.x(flat(shape, index)), y = terms.x(flat(shape, other));
                    rank += (falling ? y > x : y < x) || (y == x && other[a] < index[a]);
                }
                Axes to = index;
                to[a] = rank;
                if (rank < result[a]) terms.add(flat(result, to), {flat(shape, index)});
            });
        };
        const Tensor x = d.tensor(shape, dtype, true);
        agrees(
            d, {x}, shape,
            [&](const std::vector<Tensor>& in) { return sort(in[0], axis, falling).values; },
            [&](Terms& terms) { ranked(terms, shape); });
        agrees(
            d, {x}, first,
            [&](const std::vector<Tensor>& in) { return topk(in[0], k, axis, falling).values; },
            [&](Terms& terms) { ranked(terms, first); });
        require_close(gather(x, axis, argsort(x, axis, falling)), sort(x, axis, falling).values, 0);
    });
}

TEST_CASE("einsum equals one loop over all letters, values and gradients", "[oracle]") {
    const char* formulas[] = {"ij,jk->ik",       "ij,kj->ki",       "bij,bjk->bik",
                              "bhqd,bhkd->bhqk", "bqhd,bkhd->bhqk", "i,j->ij",
                              "i,i->",           "ijk->ki",         "ij->",
                              "iji->j",          "ii->i",           "ij,jk,kl->il",
                              "b,bi,bij->bj",    "ijk,jk->ik",      "ij,ij->ji",
                              "ii,ij->j",        "ab,cd->dbca"};
    int number = 0;
    for (const std::string formula : formulas)
        repeat(4, [&](Draw& seeded, Dtype dtype) {
            Draw d(seeded.rng.below(1 << 30) + number++);
            INFO(formula);
            // The letters and their sizes; then the axes of each operand and of the result.
            std::map<char, int64_t> sizes;
            std::vector<std::string> parts{""};
            for (char c : formula.substr(0, formula.find('-')))
                c == ',' ? parts.push_back("") : parts.back().push_back(c);
            const std::string kept = formula.substr(formula.find('>') + 1);
            std::string letters;
            Shape all;
            for (const std::string& part : parts)
                for (char c : part)
                    if (sizes.emplace(c, d.number(1, 4)).second) {
                        letters.push_back(c);
                        all.push(sizes[c]);
                    }
            const auto shape_of = [&](const std::string& part) {
                Shape shape;
                for (char c : part) shape.push(sizes[c]);
                return shape;
            };
            std::vector<Tensor> inputs;
            for (const std::string& part : parts) inputs.push_back(d.tensor(shape_of(part), dtype));
            agrees(
                d, inputs, shape_of(kept),
                [&](const std::vector<Tensor>& x) { return einsum(formula, x); },
                [&](Terms& terms) {
                    each_index(all, [&](const Axes& index) {
                        const auto at_letters = [&](const std::string& part) {
                            Axes own;
                            for (char c : part) own.push(index[static_cast<int>(letters.find(c))]);
                            return flat(shape_of(part), own);
                        };
                        std::vector<int64_t> in;
                        for (const std::string& part : parts) in.push_back(at_letters(part));
                        terms.add(at_letters(kept), in);
                    });
                });
        });
}

}  // namespace
}  // namespace heed
