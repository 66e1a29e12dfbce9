#include "attention/transformer/pytorch.h"

#include <map>
#include <set>

#include "autograd/ops/shape/shape_ops.h"
#include "autograd/record/grad_mode.h"

namespace heed {

namespace {

// One rule: if a name contains `ours`, at the start or after a dot, that is replaced by `pytorch`.
struct Row {
    const char* ours;
    const char* pytorch;
    int part = 0, parts = 1;
};

// Encoder and decoder layers. The norm of the feed-forward network is the second of an encoder
// layer and the third of a decoder layer.
constexpr Row layer_rows[] = {
    {"attention.", "self_attn."},         {"cross_attention.", "multihead_attn."},
    {"feed_forward.hidden.", "linear1."}, {"feed_forward.output.", "linear2."},
    {"attention_norm.", "norm1."},        {"cross_attention_norm.", "norm2."},
};
constexpr Row encoder_norm{"feed_forward_norm.", "norm2."};
constexpr Row decoder_norm{"feed_forward_norm.", "norm3."};

// Multi-head attention, if queries, keys and values have one width.
constexpr Row joined_rows[] = {
    {"query.weight", "in_proj_weight", 0, 3}, {"key.weight", "in_proj_weight", 1, 3},
    {"value.weight", "in_proj_weight", 2, 3}, {"query.bias", "in_proj_bias", 0, 3},
    {"key.bias", "in_proj_bias", 1, 3},       {"value.bias", "in_proj_bias", 2, 3},
    {"output.weight", "out_proj.weight"},     {"output.bias", "out_proj.bias"},
};
// If they have not; their biases are still one tensor.
constexpr Row separate_rows[] = {
    {"query.weight", "q_proj_weight"},
    {"key.weight", "k_proj_weight"},
    {"value.weight", "v_proj_weight"},
};

// The index in the name where the rule applies; npos if it does not.
std::size_t find(const std::string& name, const Row& row) {
    const std::string piece = row.ours;
    const std::size_t at = name.find(piece);
    const bool begins = at == 0 || (at != std::string::npos && name[at - 1] == '.');
    const bool ends = piece.back() == '.' || (begins && at + piece.size() == name.size());
    return begins && ends ? at : std::string::npos;
}

bool apply(PytorchName& result, const Row& row) {
    const std::size_t at = find(result.name, row);
    if (at == std::string::npos) return false;
    result.name.replace(at, std::string(row.ours).size(), row.pytorch);
    if (row.parts > 1) {
        result.part = row.part;
        result.parts = row.parts;
    }
    return true;
}

// The name before the last `piece`: "layers.0.attention." of "layers.0.attention.query.weight".
std::string before(const std::string& name, const char* piece) {
    return name.substr(0, name.rfind(piece));
}

}  // namespace

std::vector<PytorchName> pytorch_names(const std::vector<Parameter>& all) {
    std::map<std::string, Shape> shapes;
    for (const Parameter& p : all) shapes[p.name] = p.tensor.shape();
    const auto has = [&](const std::string& name) { return shapes.count(name) > 0; };

    std::vector<PytorchName> names;
    for (const Parameter& p : all) {
        PytorchName result{p.name};
        // A layer with query, key and value is attention, and so is the output beside them.
        for (const char* last : {"query.", "key.", "value.", "output."}) {
            const std::string prefix = before(p.name, last);
            if (!has(prefix + "query.weight") || !has(prefix + "key.weight") ||
                !has(prefix + "value.weight"))
                continue;
            const Shape& query = shapes[prefix + "query.weight"];
            const bool joined =
                query == shapes[prefix + "key.weight"] && query == shapes[prefix + "value.weight"];
            bool done = false;
            if (!joined)
                for (const Row& row : separate_rows) done = done || apply(result, row);
            for (const Row& row : joined_rows) done = done || apply(result, row);
            break;
        }
        for (const Row& row : layer_rows) apply(result, row);
        const std::string layer = before(p.name, "feed_forward_norm.");
        apply(result, has(layer + "cross_attention_norm.weight") ? decoder_norm : encoder_norm);
        names.push_back(result);
    }
    return names;
}

Safetensors to_pytorch(const std::vector<Parameter>& all) {
    return to_pytorch(all, pytorch_names(all));
}

Safetensors to_pytorch(const std::vector<Parameter>& all, const std::vector<PytorchName>& names) {
    check(names.size() == all.size(),
          "to_pytorch: {} names for {} parameters; expected one for each", names.size(),
          all.size());
    const NoGrad no_grad;
    Safetensors file;
    std::map<std::string, std::vector<Tensor>> parts;
    for (std::size_t i = 0; i < all.size(); ++i) parts[names[i].name].push_back(all[i].tensor);
    for (const auto& [name, pieces] : parts)
        file.tensors.push_back({name, pieces.size() == 1 ? pieces[0] : concat(pieces, 0)});
    return file;
}

Safetensors from_pytorch(const Safetensors& file, const std::string& path,
                         const std::vector<Parameter>& all) {
    return from_pytorch(file, path, all, pytorch_names(all));
}

Safetensors from_pytorch(const Safetensors& file, const std::string& path,
                         const std::vector<Parameter>& all, const std::vector<PytorchName>& names) {
    check(names.size() == all.size(),
          "from_pytorch: {} names for {} parameters; expected one for each", names.size(),
          all.size());
    const NoGrad no_grad;
    Safetensors ours;
    ours.metadata = file.metadata;
    std::set<std::string> used, missing;
    std::set<const Tensor::Body*> filled;  // a tied tensor needs one of its names only
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Tensor* found = file.find(names[i].name);
        if (!found) continue;
        used.insert(names[i].name);
        filled.insert(all[i].tensor.body());
        const int64_t rows = found->dim() > 0 ? found->size(0) : 1, parts = names[i].parts;
        check(rows % parts == 0,
              "{}: '{}' is {}; its rows are those of query, key and value, so "
              "they must be divisible by {}",
              path, names[i].name, found->shape(), parts);
        Shape expected = all[i].tensor.shape();
        if (parts > 1) expected[0] *= parts;
        check(found->shape() == expected, "{}: '{}' (heed's '{}'): expected shape {}, found {}",
              path, names[i].name, all[i].name, expected, found->shape());
        const int64_t begin = rows / parts * names[i].part;
        ours.tensors.push_back(
            {all[i].name,
             parts == 1 ? *found : contiguous(slice(*found, 0, begin, begin + rows / parts))});
    }
    std::set<std::string> unexpected;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (!filled.count(all[i].tensor.body())) missing.insert(names[i].name);
    for (const Parameter& p : file.tensors)
        if (!used.count(p.name)) unexpected.insert(p.name);
    check_names(path, {missing.begin(), missing.end()}, {unexpected.begin(), unexpected.end()});
    return ours;
}

}  // namespace heed
