#include "nn/saved/safetensors.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "autograd/ops/shape_ops.h"
#include "nn/saved/header.h"
#include "nn/saved/input_file.h"

namespace heed {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors files are little-endian");

using Json = nlohmann::ordered_json;  // for writing; header.h reads
constexpr uint64_t length_bytes = 8, largest_header = 100'000'000;

// --- reading ------------------------------------------------------------------------------------

// IEEE half precision: 1 sign bit, 5 of exponent (bias 15), 10 of fraction.
float from_half(uint16_t half) {
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    float value;
    if (exponent == 0)
        value = std::ldexp(static_cast<float>(fraction), -24);
    else if (exponent == 31)
        value = fraction ? std::numeric_limits<float>::quiet_NaN()
                         : std::numeric_limits<float>::infinity();
    else
        value = std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
    return half >> 15 ? -value : value;
}

// bfloat16 is the upper half of a float.
float from_bfloat(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }

// The whole number as a double. Beyond 2^53 doubles are further apart than 1.
double from_whole(int64_t number, const TensorEntry& entry, const std::string& path) {
    constexpr int64_t most = int64_t{1} << 53;
    if (number < -most || number > most)
        throw InputError(fmt::format(
            "{}: '{}': expected whole numbers that float64 can hold, at most 2^53 in size, found {}",
            path, excerpt(entry.name), number));
    return static_cast<double>(number);
}

// Where the bytes come from: puts the next `count` of them at `to`.
using ReadBytes = std::function<void(void* to, uint64_t count)>;

Tensor read_tensor(const TensorEntry& entry, const ReadBytes& read, const std::string& path) {
    const uint64_t width = width_of_dtype(entry.dtype), bytes = entry.end - entry.begin;
    Tensor x = empty(entry.shape, width == 8 ? Dtype::float64 : Dtype::float32);
    if (bytes == 0) return x;
    if (width == 2) {
        std::vector<uint16_t> halves(bytes / 2);
        read(halves.data(), bytes);
        std::transform(halves.begin(), halves.end(), x.edit<float>(),
                       entry.dtype == "F16" ? from_half : from_bfloat);
        return x;
    }
    void* to = width == 8 ? static_cast<void*>(x.edit<double>()) : x.edit<float>();
    read(to, bytes);
    if (entry.dtype == "I64") {
        double* numbers = x.edit<double>();
        for (uint64_t i = 0; i < bytes / 8; ++i)
            numbers[i] = from_whole(std::bit_cast<int64_t>(numbers[i]), entry, path);
    }
    return x;
}

Safetensors read_safetensors(uint64_t size, const ReadBytes& read, const std::string& path) {
    if (size < length_bytes)
        throw InputError(fmt::format(
            "{}: byte 0: expected the length of the header in 8 bytes, found {} bytes in all; is "
            "the file cut short?",
            path, size));
    uint64_t header_size = 0;
    read(&header_size, length_bytes);
    if (header_size > std::min(largest_header, size - length_bytes))
        throw InputError(fmt::format(
            "{}: byte 0: expected the length of the header, at most {}, found {}; is this a "
            "safetensors file, and complete?",
            path, std::min(largest_header, size - length_bytes), header_size));
    std::string text(header_size, ' ');
    read(text.data(), header_size);

    SafetensorsHeader header = parse_header(text, size - length_bytes - header_size, path);
    Safetensors file;
    file.metadata = std::move(header.metadata);
    for (const TensorEntry& entry : header.tensors)
        file.tensors.push_back({entry.name, read_tensor(entry, read, path)});
    return file;
}

// --- writing ------------------------------------------------------------------------------------

// Writes the numbers of x in row-major order.
void write_numbers(std::ofstream& out, const Tensor& x) {
    const Tensor all = contiguous(detach(x));
    with_dtype(x.dtype(), [&]<class T>(T) {
        out.write(reinterpret_cast<const char*>(all.data<T>()),
                  static_cast<std::streamsize>(all.numel() * sizeof(T)));
    });
}

int width_of(const Parameter& p) { return p.tensor.dtype() == Dtype::float64 ? 8 : 4; }

}  // namespace

const Tensor* Safetensors::find(const std::string& name) const {
    for (const Parameter& p : tensors)
        if (p.name == name) return &p.tensor;
    return nullptr;
}

Safetensors load_safetensors(const std::string& path) {
    std::error_code problem;
    if (std::filesystem::is_directory(path, problem))
        throw InputError(fmt::format("{}: expected a file, found a folder", path));
    const uint64_t size = std::filesystem::file_size(path, problem);
    if (problem) throw InputError(fmt::format("{}: cannot be read: {}", path, problem.message()));
    std::ifstream in(path, std::ios::binary);
    if (!in.is_open())
        throw InputError(fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
    const auto read = [&](void* to, uint64_t count) {
        in.read(static_cast<char*>(to), static_cast<std::streamsize>(count));
        if (!in) throw InputError(fmt::format("{}: cannot be read to its end", path));
    };
    return read_safetensors(size, read, path);
}

Safetensors parse_safetensors(std::string_view bytes, const std::string& name) {
    const auto read = [rest = bytes](void* to, uint64_t count) mutable {
        std::memcpy(to, rest.data(), count);
        rest.remove_prefix(count);
    };
    return read_safetensors(bytes.size(), read, name);
}

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

    const std::string unfinished = path + ".tmp";
    std::ofstream out(unfinished, std::ios::binary | std::ios::trunc);
    check(out.is_open(), "{}: cannot be written", unfinished);
    const uint64_t length = text.size();
    out.write(reinterpret_cast<const char*>(&length), length_bytes);
    out << text;
    for (const Parameter& p : all) write_numbers(out, p.tensor);
    out.close();
    std::error_code problem;
    if (out) std::filesystem::rename(unfinished, path, problem);
    if (out && !problem) return;
    std::error_code ignored;
    std::filesystem::remove(unfinished, ignored);
    fail("{}: writing failed{}", path, problem ? ": " + problem.message() : "; is the disk full?");
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

}  // namespace

void assign_from(const Safetensors& file, const std::string& path,
                 const std::vector<Parameter>& targets, Numbers numbers) {
    struct Source {
        const Tensor* tensor;
        std::string name;
    };
    std::map<const Tensor::Body*, Source> sources;
    std::map<std::string, const Tensor*> offered;
    for (const Parameter& p : file.tensors) offered[p.name] = &p.tensor;

    // Find each target in the file, by any of its names.
    std::set<std::string> known;
    for (const Parameter& target : targets) {
        known.insert(target.name);
        const auto found = offered.find(target.name);
        if (found == offered.end()) continue;
        const Tensor& x = *found->second;
        check(x.shape() == target.tensor.shape(), "{}: '{}': expected shape {}, found {}", path,
              target.name, target.tensor.shape(), x.shape());
        if (numbers == Numbers::finite)
            check_finite(x, target.tensor.dtype(), target.name, path);
        const auto [first, fresh] =
            sources.try_emplace(target.tensor.body(), Source{&x, target.name});
        check(fresh || same_numbers(*first->second.tensor, x),
              "{}: '{}' and '{}' are one tied tensor in the model, but differ in the file", path,
              first->second.name, target.name);
    }

    std::vector<std::string> missing, unexpected;
    for (const Parameter& target : targets)
        if (!sources.count(target.tensor.body())) missing.push_back(target.name);
    for (const Parameter& p : file.tensors)
        if (!known.count(p.name)) unexpected.push_back(p.name);
    check(missing.empty() || unexpected.empty(),
          "{}: not a file of this model: it lacks {} and has {} instead", path, listed(missing),
          listed(unexpected));
    check(missing.empty(), "{}: lacks {}", path, listed(missing));
    check(unexpected.empty(), "{}: has {}, which the model does not", path, listed(unexpected));

    for (const Parameter& target : targets) {
        Tensor x = target.tensor;
        x.assign(to_dtype(*sources.at(x.body()).tensor, x.dtype()));
    }
}

}  // namespace heed
