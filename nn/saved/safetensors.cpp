#include "nn/saved/safetensors.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "autograd/base/input_file.h"
#include "autograd/base/whole_file.h"
#include "autograd/ops/shape/shape_ops.h"
#include "nn/saved/header.h"

namespace heed {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors files are little-endian");

using Json = nlohmann::ordered_json;

// Writes the numbers of x in row-major order.
void write_numbers(WholeFile& out, const Tensor& x) {
    const Tensor all = contiguous(detach(x));
    with_dtype(x.dtype(), [&]<class T>(T) { out.write(all.data<T>(), all.numel() * sizeof(T)); });
}

int width_of(const Parameter& p) { return p.tensor.dtype() == Dtype::float64 ? 8 : 4; }

}  // namespace

void save_safetensors(const std::string& path, const Safetensors& file) {
    // float64 before float32, so that every number lies at a multiple of its size.
    std::vector<Parameter> all = file.tensors;
    std::stable_sort(all.begin(), all.end(), [](const Parameter& a, const Parameter& b) {
        return width_of(a) > width_of(b);
    });
    Json header = Json::object();
    if (!file.metadata.empty()) header["__metadata__"] = file.metadata;
    int64_t at = 0;
    for (const Parameter& p : all) {
        check(p.name != "__metadata__" && !header.contains(p.name),
              "{}: there are two tensors named '{}'", path, p.name);
        const int64_t end = at + p.tensor.numel() * width_of(p);
        header[p.name] = {
            {"dtype", width_of(p) == 8 ? "F64" : "F32"},
            {"shape", std::vector<int64_t>(p.tensor.shape().begin(), p.tensor.shape().end())},
            {"data_offsets", {at, end}}};
        at = end;
    }
    std::string text;
    try {
        text = header.dump();
    } catch (const Json::exception&) {
        fail("{}: a name or a text in the metadata is not UTF-8", path);
    }
    text.resize((text.size() + 7) / 8 * 8, ' ');

    WholeFile out(path);
    const uint64_t length = text.size();
    out.write(&length, header_length_bytes);
    out.write(text.data(), text.size());
    for (const Parameter& p : all) write_numbers(out, p.tensor);
    out.replace();
}

// --- from a file into a model -------------------------------------------------------------------

namespace {

// "'a', 'b', 'c' and 4 more"
std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t most = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
        text += (i > 0 ? ", '" : "'") + names[i] + "'";
    if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
    return text;
}

// Equal bit by bit as numbers; two NaN count as equal.
bool same_numbers(const Tensor& a, const Tensor& b) {
    if (a.shape() != b.shape()) return false;
    const std::vector<double> x = a.to_vector(), y = b.to_vector();
    return std::equal(x.begin(), x.end(), y.begin(), [](double u, double v) {
        return u == v || (std::isnan(u) && std::isnan(v));
    });
}

// Element 7 of shape [2, 5] is [1, 2].
Shape index_of(int64_t element, const Shape& shape) {
    Shape index = shape;
    for (int axis = shape.dim() - 1; axis >= 0; --axis) {
        index[axis] = element % shape[axis];
        element /= shape[axis];
    }
    return index;
}

// Throws unless the squares of all numbers are finite in the dtype they are to be converted to.
void check_finite(const Tensor& x, Dtype to, const std::string& name, const std::string& path) {
    const double most = to == Dtype::float32 ? 0x1p63 : 0x1p511;
    with_dtype(x.dtype(), [&]<class T>(T) {
        const Tensor all = contiguous(detach(x));
        const T* values = all.data<T>();
        for (int64_t i = 0; i < all.numel(); ++i)
            if (!(std::fabs(static_cast<double>(values[i])) <= most))
                throw InputError(fmt::format(
                    "{}: '{}': element {}: expected a number that is finite, and its square too "
                    "(at most {:.1e} in size), found {}",
                    path, excerpt(name), index_of(i, x.shape()), most, values[i]));
    });
}

// A tensor of the file, and the name under which it was found.
struct Source {
    const Tensor* tensor;
    std::string name;
};
using Sources = std::map<const Tensor::Body*, Source>;  // by the target's tensor

// Finds each target in the file, by any of its names.
Sources sources_of(const Safetensors& file, const std::string& path,
                   const std::vector<Parameter>& targets, Numbers numbers) {
    std::map<std::string, const Tensor*> offered;
    for (const Parameter& p : file.tensors) offered[p.name] = &p.tensor;
    Sources sources;
    for (const Parameter& target : targets) {
        const auto found = offered.find(target.name);
        if (found == offered.end()) continue;
        const Tensor& x = *found->second;
        check(x.shape() == target.tensor.shape(), "{}: '{}': expected shape {}, found {}", path,
              target.name, target.tensor.shape(), x.shape());
        if (numbers == Numbers::finite) check_finite(x, target.tensor.dtype(), target.name, path);
        const auto [first, fresh] =
            sources.try_emplace(target.tensor.body(), Source{&x, target.name});
        check(fresh || same_numbers(*first->second.tensor, x),
              "{}: '{}' and '{}' are one tied tensor in the model, but differ in the file", path,
              first->second.name, target.name);
    }
    return sources;
}

// Throws for what the file lacks, and for what it has and the model does not.
void check_same_names(const Safetensors& file, const std::string& path,
                      const std::vector<Parameter>& targets, const Sources& sources) {
    std::set<std::string> known;
    std::vector<std::string> missing, unexpected;
    for (const Parameter& target : targets) {
        known.insert(target.name);
        if (!sources.count(target.tensor.body())) missing.push_back(target.name);
    }
    for (const Parameter& p : file.tensors)
        if (!known.count(p.name)) unexpected.push_back(p.name);
    check_names(path, missing, unexpected);
}

}  // namespace

void check_names(const std::string& path, const std::vector<std::string>& missing,
                 const std::vector<std::string>& unexpected) {
    if (!missing.empty() && !unexpected.empty())
        fail("{}: not a file of this model: it lacks {} and has {} instead", path, listed(missing),
             listed(unexpected));
    if (!missing.empty()) fail("{}: lacks {}", path, listed(missing));
    if (!unexpected.empty()) fail("{}: has {}, which the model does not", path, listed(unexpected));
}

void assign_from(const Safetensors& file, const std::string& path,
                 const std::vector<Parameter>& targets, Numbers numbers) {
    const Sources sources = sources_of(file, path, targets, numbers);
    check_same_names(file, path, targets, sources);
    for (const Parameter& target : targets) {
        Tensor x = target.tensor;
        x.assign(to_dtype(*sources.at(x.body()).tensor, x.dtype()));
    }
}

}  // namespace heed
