// heed's half of tests/parity/random_cases.py: computes the cases of a safetensors file, and writes values
// and gradients to another one.
//
//     heed_parity GIVEN MADE
//
// The metadata of GIVEN hold the number of cases as "count", and for each case, under its number, a
// line: the operation, its arguments, "|", and how each input lies in memory:
//
//     softmax axis=1 | t:0:1/s:2:1:8:3 -         t: transpose, s: slice, e: expand, f: flip, -: as it is
//
// The tensors of case 7 are "7.x.0", "7.x.1", ... (inputs), "7.n.0", ... (integers), "7.p.<name>"
// (parameters, under PyTorch's names) and "7.g", the weights of the sum that is differentiated. MADE
// gets "7.y", "7.d.x.0", ... and "7.d.p.<name>"; for a case that throws the message, as metadata.
#include <cstdio>
#include <map>
#include <sstream>

#include "attention/attention.h"
#include "attention/transformer/pytorch.h"

namespace heed {
namespace {

struct Case {
    std::string name;
    std::map<std::string, std::string> arguments;
    std::vector<Tensor> x;  // inputs, as views of the leaves
    std::vector<Indices> n;
    Safetensors given_parameters;
    Safetensors parameter_gradients;  // filled by with_model()
    Tensor covector;
    Dtype dtype = Dtype::float64;

    bool has(const std::string& key) const { return arguments.count(key) > 0; }
    const std::string& word(const std::string& key) const {
        check(has(key), "{}: no argument '{}'", name, key);
        return arguments.at(key);
    }
    double number(const std::string& key) const { return std::stod(word(key)); }
    int integer(const std::string& key) const { return std::stoi(word(key)); }
    bool flag(const std::string& key) const { return integer(key) != 0; }
    AxesOrAll axes() const {
        AxesOrAll all;
        std::istringstream list(word("axes"));
        for (std::string axis; std::getline(list, axis, ',');) all.push(std::stoi(axis));
        return all;
    }
    Reduction reduction() const {
        const std::string& how = word("reduction");
        return how == "mean" ? Reduction::mean : how == "sum" ? Reduction::sum : Reduction::none;
    }
    Tensor optional(std::size_t i) const { return i < x.size() ? x[i] : Tensor(); }
    // Integers as a mask of the given dtype.
    Tensor mask(std::size_t i) const {
        const std::vector<int> v(n.at(i).begin(), n.at(i).end());
        return tensor(std::vector<double>(v.begin(), v.end()), n[i].shape(), dtype);
    }
};

// Runs a model with the case's parameters, and keeps their gradients.
template <Module M, class Call>
Tensor with_model(Case& c, M model, const Call& call) {
    to_dtype(model, c.dtype);
    const std::vector<Parameter> all = named_parameters(model);
    assign_from(from_pytorch(c.given_parameters, "the case", all), "the case", all);
    const Tensor y = call(std::as_const(model));
    std::vector<Tensor> leaves;
    for (const Parameter& p : all) leaves.push_back(p.tensor);
    const std::vector<Tensor> gradients = grad(y, leaves, false, reshape(c.covector, y.shape()));
    std::vector<Parameter> named;
    for (std::size_t i = 0; i < all.size(); ++i) named.push_back({all[i].name, gradients[i]});
    c.parameter_gradients = to_pytorch(named);
    return y;
}

Tensor recurrent(Case& c) {
    const std::map<std::string, CellKind> kinds{{"rnn_tanh", CellKind::rnn_tanh},
                                                {"rnn_relu", CellKind::rnn_relu},
                                                {"gru", CellKind::gru},
                                                {"lstm", CellKind::lstm}};
    const CellKind kind = kinds.at(c.word("kind"));
    Rng rng(1);
    const Recurrent model(
        kind, c.integer("width"), c.integer("hidden"),
        {.layers = c.integer("layers"), .bidirectional = c.flag("both"), .bias = c.flag("bias")},
        rng);
    std::vector<RecurrentState> initial;
    if (c.flag("initial"))
        for (int64_t i = 0; i < c.x[1].size(0); ++i)
            initial.push_back(
                {select(c.x[1], 0, i), kind == CellKind::lstm ? select(c.x[2], 0, i) : Tensor()});
    return with_model(c, model, [&](const Recurrent& layer) {
        const RecurrentOutput out = layer(c.x[0], c.n.empty() ? Indices() : c.n[0], initial);
        std::vector<Tensor> parts{reshape(out.output, {-1})};
        if (c.flag("final"))
            for (bool cell : {false, true})
                for (const RecurrentState& state : out.states)
                    if (!cell || kind == CellKind::lstm)
                        parts.push_back(reshape(cell ? state.cell : state.hidden, {-1}));
        return concat(parts, 0);
    });
}

Tensor multi_head(Case& c) {
    Rng rng(1);
    const bool bias = c.flag("bias");
    const MultiHead model({.width = c.integer("width"),
                           .heads = c.integer("heads"),
                           .key_width = c.integer("kdim"),
                           .value_width = c.integer("vdim"),
                           .bias = bias,
                           .output_bias = bias},
                          rng);
    return with_model(c, model, [&](const MultiHead& layer) {
        return layer(
            c.x[0], c.x[1], c.x[2],
            {.mask = c.n.empty() ? Tensor() : padding_mask(c.n[0], c.x[1].size(1), c.dtype)});
    });
}

TransformerOptions transformer_options(const Case& c) {
    return {.width = c.integer("width"),
            .heads = c.integer("heads"),
            .hidden = c.integer("hidden"),
            .pre_norm = c.flag("pre"),
            .activation = c.has("gelu") && c.flag("gelu") ? Activation::gelu : Activation::relu};
}
Tensor encoder_layer(Case& c) {
    Rng rng(1);
    return with_model(c, TransformerEncoderLayer(transformer_options(c), rng),
                      [&](const TransformerEncoderLayer& layer) {
                          return layer(c.x[0], {.causal = c.flag("causal")});
                      });
}
Tensor decoder_layer(Case& c) {
    Rng rng(1);
    return with_model(c, TransformerDecoderLayer(transformer_options(c), rng),
                      [&](const TransformerDecoderLayer& layer) {
                          const Tensor mask = padding_mask(c.n[0], c.x[1].size(1), c.dtype);
                          return layer(c.x[0], c.x[1], {.causal = true, .memory_mask = mask});
                      });
}

using Run = Tensor (*)(Case&);
const std::map<std::string, Run> operations{
    {"neg", [](Case& c) { return neg(c.x[0]); }},
    {"exp", [](Case& c) { return exp(c.x[0]); }},
    {"log", [](Case& c) { return log(c.x[0]); }},
    {"sqrt", [](Case& c) { return sqrt(c.x[0]); }},
    {"rsqrt", [](Case& c) { return rsqrt(c.x[0]); }},
    {"square", [](Case& c) { return square(c.x[0]); }},
    {"abs", [](Case& c) { return abs(c.x[0]); }},
    {"sign", [](Case& c) { return sign(c.x[0]); }},
    {"sin", [](Case& c) { return sin(c.x[0]); }},
    {"cos", [](Case& c) { return cos(c.x[0]); }},
    {"tanh", [](Case& c) { return tanh(c.x[0]); }},
    {"sigmoid", [](Case& c) { return sigmoid(c.x[0]); }},
    {"relu", [](Case& c) { return relu(c.x[0]); }},
    {"softplus", [](Case& c) { return softplus(c.x[0]); }},
    {"erf", [](Case& c) { return erf(c.x[0]); }},
    {"gelu", [](Case& c) { return gelu(c.x[0]); }},
    {"gelu_tanh", [](Case& c) { return gelu_tanh(c.x[0]); }},
    {"silu", [](Case& c) { return silu(c.x[0]); }},
    {"log1p", [](Case& c) { return log1p(c.x[0]); }},
    {"expm1", [](Case& c) { return expm1(c.x[0]); }},
    {"reciprocal", [](Case& c) { return reciprocal(c.x[0]); }},
    {"tan", [](Case& c) { return tan(c.x[0]); }},
    {"asin", [](Case& c) { return asin(c.x[0]); }},
    {"acos", [](Case& c) { return acos(c.x[0]); }},
    {"atan", [](Case& c) { return atan(c.x[0]); }},
    {"sinh", [](Case& c) { return sinh(c.x[0]); }},
    {"cosh", [](Case& c) { return cosh(c.x[0]); }},
    {"floor", [](Case& c) { return floor(c.x[0]); }},
    {"ceil", [](Case& c) { return ceil(c.x[0]); }},
    {"round", [](Case& c) { return round(c.x[0]); }},
    {"log_sigmoid", [](Case& c) { return log_sigmoid(c.x[0]); }},
    {"leaky_relu", [](Case& c) { return leaky_relu(c.x[0], c.number("slope")); }},
    {"elu", [](Case& c) { return elu(c.x[0], c.number("alpha")); }},
    {"clamp", [](Case& c) { return clamp(c.x[0], c.number("low"), c.number("high")); }},
    {"power", [](Case& c) { return pow(c.x[0], c.number("p")); }},
    {"add", [](Case& c) { return add(c.x[0], c.x[1]); }},
    {"sub", [](Case& c) { return sub(c.x[0], c.x[1]); }},
    {"mul", [](Case& c) { return mul(c.x[0], c.x[1]); }},
    {"div", [](Case& c) { return div(c.x[0], c.x[1]); }},
    {"maximum", [](Case& c) { return maximum(c.x[0], c.x[1]); }},
    {"minimum", [](Case& c) { return minimum(c.x[0], c.x[1]); }},
    {"atan2", [](Case& c) { return atan2(c.x[0], c.x[1]); }},
    {"pow", [](Case& c) { return pow(c.x[0], c.x[1]); }},
    {"logaddexp", [](Case& c) { return logaddexp(c.x[0], c.x[1]); }},
    {"sum", [](Case& c) { return sum(c.x[0], c.axes(), c.flag("keepdim")); }},
    {"mean", [](Case& c) { return mean(c.x[0], c.axes(), c.flag("keepdim")); }},
    {"amax", [](Case& c) { return max(c.x[0], c.axes(), c.flag("keepdim")); }},
    {"amin", [](Case& c) { return min(c.x[0], c.axes(), c.flag("keepdim")); }},
    {"logsumexp", [](Case& c) { return logsumexp(c.x[0], c.axes(), c.flag("keepdim")); }},
    {"var",
     [](Case& c) { return var(c.x[0], c.axes(), c.flag("keepdim"), c.integer("correction")); }},
    {"stddev",
     [](Case& c) { return stddev(c.x[0], c.axes(), c.flag("keepdim"), c.integer("correction")); }},
    {"norm", [](Case& c) { return norm(c.x[0], c.number("p"), c.axes(), c.flag("keepdim")); }},
    {"prod", [](Case& c) { return prod(c.x[0], c.integer("axis")); }},
    {"cumsum", [](Case& c) { return cumsum(c.x[0], c.integer("axis")); }},
    {"cumprod", [](Case& c) { return cumprod(c.x[0], c.integer("axis")); }},
    {"softmax", [](Case& c) { return softmax(c.x[0], c.integer("axis")); }},
    {"log_softmax", [](Case& c) { return log_softmax(c.x[0], c.integer("axis")); }},
    {"sort", [](Case& c) { return sort(c.x[0], c.integer("axis"), c.flag("descending")).values; }},
    {"topk",
     [](Case& c) {
         return topk(c.x[0], c.integer("k"), c.integer("axis"), c.flag("largest")).values;
     }},
    {"concat", [](Case& c) { return concat(c.x, c.integer("axis")); }},
    {"stack", [](Case& c) { return stack(c.x, c.integer("axis")); }},
    {"flatten", [](Case& c) { return reshape(c.x[0], {-1}); }},
    {"roll", [](Case& c) { return roll(c.x[0], c.integer("shift"), c.integer("axis")); }},
    {"tril", [](Case& c) { return tril(c.x[0], c.integer("d")); }},
    {"triu", [](Case& c) { return triu(c.x[0], c.integer("d")); }},
    {"where", [](Case& c) { return where(c.mask(0), c.x[0], c.x[1]); }},
    {"index_select", [](Case& c) { return index_select(c.x[0], c.integer("axis"), c.n[0]); }},
    {"embedding", [](Case& c) { return embedding(c.x[0], c.n[0]); }},
    {"matmul", [](Case& c) { return matmul(c.x[0], c.x[1]); }},
    {"linear", [](Case& c) { return linear(c.x[0], c.x[1], c.optional(2)); }},
    {"einsum", [](Case& c) { return einsum(c.word("formula"), c.x); }},
    {"layer_norm", [](Case& c) { return layer_norm(c.x[0], c.optional(1), c.optional(2)); }},
    {"cross_entropy",
     [](Case& c) {
         return cross_entropy(c.x[0], c.n[0],
                              {.smoothing = c.number("smoothing"), .reduction = c.reduction()});
     }},
    {"mse", [](Case& c) { return mse(c.x[0], c.x[1], c.reduction()); }},
    {"l1_loss", [](Case& c) { return l1_loss(c.x[0], c.x[1], c.reduction()); }},
    {"huber_loss", [](Case& c) { return huber_loss(c.x[0], c.x[1], 0.7, c.reduction()); }},
    {"bce_with_logits",
     [](Case& c) { return binary_cross_entropy_with_logits(c.x[0], c.x[1], c.reduction()); }},
    {"conv2d",
     [](Case& c) {
         return conv2d(c.x[0], c.x[1], c.optional(2),
                       {.stride = c.integer("stride"),
                        .padding = c.integer("padding"),
                        .dilation = c.integer("dilation"),
                        .groups = c.integer("groups")});
     }},
    {"max_pool2d",
     [](Case& c) {
         return max_pool2d(c.x[0], c.integer("kernel"),
                           {.stride = c.integer("stride"), .padding = c.integer("padding")});
     }},
    {"avg_pool2d",
     [](Case& c) {
         return avg_pool2d(c.x[0], c.integer("kernel"),
                           {.stride = c.integer("stride"), .padding = c.integer("padding")});
     }},
    {"scaled_dot_product_attention",
     [](Case& c) {
         return scaled_dot_product_attention(c.x[0], c.x[1], c.x[2],
                                             {.mask = c.n.empty() ? Tensor() : c.mask(0),
                                              .causal = c.flag("causal"),
                                              .scale = c.has("scale") ? c.number("scale") : 0});
     }},
    {"recurrent", recurrent},
    {"multi_head", multi_head},
    {"encoder_layer", encoder_layer},
    {"decoder_layer", decoder_layer},
};

// "t:0:1/s:2:1:8:3": transpose the axes 0 and 1, then slice axis 2 from 1 to 8 in steps of 3.
Tensor view(Tensor x, const std::string& steps) {
    if (steps == "-") return x;
    std::istringstream all(steps);
    for (std::string step; std::getline(all, step, '/');) {
        std::vector<int64_t> numbers;
        std::istringstream parts(step.substr(2));
        for (std::string part; std::getline(parts, part, ':');) numbers.push_back(std::stoll(part));
        const int axis = static_cast<int>(numbers.at(0));
        if (step[0] == 't') {
            x = transpose(x, axis, static_cast<int>(numbers.at(1)));
        } else if (step[0] == 's') {
            x = slice(x, axis, numbers.at(1), numbers.at(2), numbers.at(3));
        } else if (step[0] == 'e') {
            Shape shape = x.shape();
            shape[axis] = numbers.at(1);
            x = expand(x, shape);
        } else {
            check(step[0] == 'f', "unknown view '{}'", step);
            x = flip(x, axis);
        }
    }
    return x;
}

class Cases {
  public:
    Cases(const std::string& path) : given_(load_safetensors(path)) {
        for (const Parameter& p : given_.tensors) by_name_[p.name] = p.tensor;
    }
    int count() const { return std::stoi(given_.metadata.at("count")); }

    void compute(int number, Safetensors& made) const {
        const std::string prefix = fmt::format("{}.", number);
        Case c;
        std::istringstream line(given_.metadata.at(std::to_string(number)));
        line >> c.name;
        std::vector<std::string> views;
        bool in_views = false;
        for (std::string word; line >> word;) {
            if (word == "|")
                in_views = true;
            else if (in_views)
                views.push_back(word);
            else
                c.arguments[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
        }
        c.covector = by_name_.at(prefix + "g");
        c.dtype = c.covector.dtype();
        std::vector<Tensor> leaves;
        for (std::size_t i = 0; i < views.size(); ++i) {
            leaves.push_back(
                copy_of(by_name_.at(fmt::format("{}x.{}", prefix, i))).set_requires_grad());
            c.x.push_back(view(leaves[i], views[i]));
        }
        for (int i = 0; by_name_.count(fmt::format("{}n.{}", prefix, i)); ++i) {
            const Tensor integers = by_name_.at(fmt::format("{}n.{}", prefix, i));
            const std::vector<double> values = integers.to_vector();
            c.n.push_back(
                Indices(std::vector<int>(values.begin(), values.end()), integers.shape()));
        }
        for (auto p = by_name_.lower_bound(prefix + "p."); p != by_name_.end(); ++p) {
            if (p->first.compare(0, prefix.size() + 2, prefix + "p.") != 0) break;
            c.given_parameters.tensors.push_back({p->first.substr(prefix.size() + 2), p->second});
        }

        const Tensor y = operations.at(c.name)(c);
        made.tensors.push_back({prefix + "y", contiguous(detach(y))});
        const std::vector<Tensor> gradients =
            grad(y, leaves, false, reshape(c.covector, y.shape()));
        for (std::size_t i = 0; i < leaves.size(); ++i)
            made.tensors.push_back({fmt::format("{}d.x.{}", prefix, i), contiguous(gradients[i])});
        for (const Parameter& p : c.parameter_gradients.tensors)
            made.tensors.push_back({prefix + "d.p." + p.name, contiguous(p.tensor)});
    }

  private:
    Safetensors given_;
    std::map<std::string, Tensor> by_name_;
};

}  // namespace
}  // namespace heed

int main(int count, char** words) {
    if (count != 3) {
        std::fprintf(stderr, "usage: heed_parity GIVEN MADE (see tests/parity/random_cases.py)\n");
        return 2;
    }
    const heed::Cases cases(words[1]);
    heed::Safetensors made;
    for (int i = 0; i < cases.count(); ++i) {
        try {
            cases.compute(i, made);
        } catch (const std::exception& error) {
            made.metadata[std::to_string(i)] = error.what();
        }
    }
    heed::save_safetensors(words[2], made);
}
