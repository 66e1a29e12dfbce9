#include "nn/saved/safetensors.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "autograd/ops/shape_ops.h"

namespace heed {
namespace {

static_assert(std::endian::native == std::endian::little, "safetensors files are little-endian");

using Json = nlohmann::ordered_json;
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

struct Entry {
    std::string name, dtype;
    Shape shape;
    uint64_t begin, end;  // byte offsets into the data after the header
};

uint64_t width_of(const std::string& dtype) {
    if (dtype == "F64" || dtype == "I64") return 8;
    if (dtype == "F32") return 4;
    return dtype == "F16" || dtype == "BF16" ? 2 : 0;
}

// An entry of the header: {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}.
Entry parse_entry(const std::string& path, const std::string& name, const Json& json) {
    const auto is_list = [&](const char* key) {
        if (!json.is_object() || !json.contains(key) || !json[key].is_array()) return false;
        return std::all_of(json[key].begin(), json[key].end(),
                           [](const Json& j) { return j.is_number_unsigned(); });
    };
    check(is_list("shape") && is_list("data_offsets") && json["data_offsets"].size() == 2 &&
              json.contains("dtype") && json["dtype"].is_string(),
          "{}: malformed header: '{}' needs a dtype, a shape and two data_offsets, found {}", path,
          name, json.dump());
    Entry entry{name, json["dtype"], {}, json["data_offsets"][0], json["data_offsets"][1]};
    const uint64_t width = width_of(entry.dtype);
    check(width > 0, "{}: '{}': dtype {} is not supported, expected F64, F32, F16, BF16 or I64", path,
          name, entry.dtype);
    check(json["shape"].size() <= max_axes, "{}: '{}': {} axes are too many, at most {}", path,
          name, json["shape"].size(), int{max_axes});
    uint64_t bytes = width;
    for (uint64_t size : json["shape"]) {
        constexpr uint64_t limit = uint64_t{1} << 48;
        check(size <= limit && (size == 0 || bytes <= limit / size),
              "{}: '{}': shape {} is too large", path, name, json["shape"].dump());
        entry.shape.push(static_cast<int64_t>(size));
        bytes *= size;
    }
    check(entry.begin <= entry.end && entry.end - entry.begin == bytes,
          "{}: '{}': {} of shape {} takes {} bytes, its data_offsets are [{}, {}]", path, name,
          entry.dtype, entry.shape, bytes, entry.begin, entry.end);
    return entry;
}

Tensor to_tensor(const Entry& entry, const std::vector<char>& bytes) {
    Tensor x = empty(entry.shape, width_of(entry.dtype) == 8 ? Dtype::float64 : Dtype::float32);
    if (entry.dtype == "I64") {
        double* to = x.edit<double>();
        for (std::size_t i = 0; i < bytes.size(); i += 8) {
            int64_t number;
            std::memcpy(&number, &bytes[i], 8);
            *to++ = static_cast<double>(number);
        }
        return x;
    }
    if (width_of(entry.dtype) > 2) {
        void* to = entry.dtype == "F64" ? static_cast<void*>(x.edit<double>()) : x.edit<float>();
        if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
        return x;
    }
    float* to = x.edit<float>();
    for (std::size_t i = 0; i < bytes.size(); i += 2) {
        uint16_t bits;
        std::memcpy(&bits, &bytes[i], 2);
        *to++ = entry.dtype == "F16" ? from_half(bits) : from_bfloat(bits);
    }
    return x;
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
    const uint64_t file_size = std::filesystem::file_size(path, problem);
    check(!problem, "{}: cannot be read: {}", path, problem.message());
    std::ifstream in(path, std::ios::binary);
    check(in.is_open(), "{}: cannot be opened", path);

    uint64_t header_size = 0;
    check(file_size >= length_bytes, "{}: cut short: {} bytes are too few for a safetensors file",
          path, file_size);
    in.read(reinterpret_cast<char*>(&header_size), length_bytes);
    check(header_size <= largest_header, "{}: not a safetensors file: a header of {} bytes", path,
          header_size);
    check(header_size <= file_size - length_bytes,
          "{}: cut short, or not a safetensors file: a header of {} bytes in a file of {}", path,
          header_size, file_size);
    std::string text(header_size, ' ');
    in.read(text.data(), static_cast<std::streamsize>(header_size));
    Json header;
    try {
        header = Json::parse(text);
    } catch (const Json::exception& error) {
        fail("{}: malformed header: {}", path, error.what());
    }
    check(header.is_object(), "{}: malformed header: expected a JSON object", path);

    Safetensors file;
    std::vector<Entry> entries;
    for (const auto& [name, json] : header.items()) {
        if (name != "__metadata__") {
            entries.push_back(parse_entry(path, name, json));
            continue;
        }
        check(json.is_object(), "{}: malformed header: __metadata__ is not an object", path);
        for (const auto& [key, value] : json.items()) {
            check(value.is_string(), "{}: malformed header: metadata '{}' is not a string", path,
                  key);
            file.metadata[key] = value;
        }
    }

    // Read the tensors, which must fill the rest of the file without gaps or overlaps.
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
    });
    uint64_t at = 0;
    std::vector<char> bytes;
    for (const Entry& entry : entries) {
        check(entry.begin == at, "{}: '{}': begins at byte {} of the data, expected {}", path,
              entry.name, entry.begin, at);
        at = entry.end;
        check(at <= file_size - length_bytes - header_size,
              "{}: cut short: '{}' ends at byte {} of the data, there are {}", path, entry.name, at,
              file_size - length_bytes - header_size);
        bytes.resize(entry.end - entry.begin);
        in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        check(in.good(), "{}: reading '{}' failed", path, entry.name);
        file.tensors.push_back({entry.name, to_tensor(entry, bytes)});
    }
    check(at == file_size - length_bytes - header_size,
          "{}: {} bytes are left over after the last tensor", path,
          file_size - length_bytes - header_size - at);
    return file;
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

bool same_numbers(const Tensor& a, const Tensor& b) {
    return a.shape() == b.shape() && a.to_vector() == b.to_vector();
}

}  // namespace

void assign_from(const Safetensors& file, const std::string& path,
                 const std::vector<Parameter>& targets) {
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
