#include "nn/saved/reader.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "autograd/base/bit_cast.h"
#include "autograd/base/files.h"
#include "autograd/base/half.h"
#include "nn/saved/header.h"

namespace heed {
namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "safetensors files are little-endian");

constexpr uint64_t largest_header = 100'000'000;

// bfloat16 is the upper half of a float.
float from_bfloat(uint16_t bits) { return bit_cast<float>(uint32_t{bits} << 16); }

// The whole number as a double. Beyond 2^53 doubles are further apart than 1.
double from_whole(int64_t number, const TensorEntry& entry, const std::string& path) {
    constexpr int64_t most = int64_t{1} << 53;
    if (number < -most || number > most)
        throw InputError(fmt::format(
            "{}: '{}': expected whole numbers that float64 can hold, at most 2^53 in size, found "
            "{}",
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
            numbers[i] = from_whole(bit_cast<int64_t>(numbers[i]), entry, path);
    }
    return x;
}

Safetensors read_safetensors(uint64_t size, const ReadBytes& read, const std::string& path) {
    if (size < header_length_bytes)
        throw InputError(fmt::format(
            "{}: byte 0: expected the length of the header in 8 bytes, found {} bytes in all; is "
            "the file cut short?",
            path, size));
    uint64_t header_size = 0;
    read(&header_size, header_length_bytes);
    if (header_size > std::min(largest_header, size - header_length_bytes))
        throw InputError(fmt::format(
            "{}: byte 0: expected the length of the header, at most {}, found {}; is this a "
            "safetensors file, and complete?",
            path, std::min(largest_header, size - header_length_bytes), header_size));
    std::string text(header_size, ' ');
    read(text.data(), header_size);

    SafetensorsHeader header = parse_header(text, size - header_length_bytes - header_size, path);
    Safetensors file;
    file.metadata = std::move(header.metadata);
    for (const TensorEntry& entry : header.tensors)
        file.tensors.push_back({entry.name, read_tensor(entry, read, path)});
    return file;
}

}  // namespace

const Tensor* Safetensors::find(const std::string& name) const {
    for (const Parameter& p : tensors)
        if (p.name == name) return &p.tensor;
    return nullptr;
}

Safetensors load_safetensors(const std::string& path) {
    if (const std::string_view kind = kind_of_file(path); kind != "a file" && kind != "nothing")
        throw InputError(fmt::format("{}: expected a file, found {}", path, kind));
    std::error_code problem;
    const uint64_t size = std::filesystem::file_size(path, problem);
    if (problem)
        throw InputError(
            fmt::format("{}: cannot be read: {}", path, reason_of_system(problem.value())));
    std::ifstream in(path, std::ios::binary);
    if (!in.is_open())
        throw InputError(fmt::format("{}: cannot be opened: {}", path, reason_of_system(errno)));
    const auto read = [&](void* to, uint64_t count) {
        in.read(static_cast<char*>(to), static_cast<std::streamsize>(count));
        if (!in) throw InputError(fmt::format("{}: cannot be read to its end", path));
    };
    return read_safetensors(size, read, path);
}

Safetensors load_safetensors_index(const std::string& path) {
    using Json = nlohmann::json;
    const Json index = Json::parse(read_file(path), nullptr, false);
    if (index.is_discarded() || !index.is_object() || !index.contains("weight_map") ||
        !index["weight_map"].is_object())
        throw InputError(path + ": expected a JSON object with an object weight_map");
    std::set<std::string> files;
    for (const auto& [name, file] : index["weight_map"].items()) {
        // A file of this folder: nobody is sent elsewhere.
        if (!file.is_string() || file.get<std::string>().find('/') != std::string::npos)
            throw InputError(fmt::format("{}: weight_map: '{}': expected the name of a file", path,
                                         excerpt(name)));
        files.insert(file.get<std::string>());
    }
    Safetensors all;
    std::set<std::string> found;
    for (const std::string& file : files) {
        Safetensors part =
            load_safetensors((std::filesystem::path(path).parent_path() / file).string());
        for (Parameter& p : part.tensors) {
            const auto entry = index["weight_map"].find(p.name);
            if (entry == index["weight_map"].end() || *entry != file)
                throw InputError(
                    fmt::format("{}: weight_map: '{}' stands in {}, expected that here", path,
                                excerpt(p.name), file));
            found.insert(p.name);
            all.tensors.push_back(std::move(p));
        }
    }
    for (const auto& [name, file] : index["weight_map"].items())
        if (!found.count(name))
            throw InputError(fmt::format("{}: weight_map: '{}': expected it in {}, found none",
                                         path, excerpt(name), file.get<std::string>()));
    return all;
}

Safetensors parse_safetensors(std::string_view bytes, const std::string& name) {
    const auto read = [rest = bytes](void* to, uint64_t count) mutable {
        std::memcpy(to, rest.data(), count);
        rest.remove_prefix(count);
    };
    return read_safetensors(bytes.size(), read, name);
}

}  // namespace heed
