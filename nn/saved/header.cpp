#include "nn/saved/header.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "autograd/base/input_file.h"

namespace heed {
namespace {

using Json = nlohmann::json;

// The number of bytes of an array must fit far into 64 bits, also if one of its axes has size 0.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 48;

// Gets the header token by token. `where_` says what is open: {} the header, the entry of a tensor,
// its list of sizes or offsets, or the metadata.
class HeaderReader : public nlohmann::json_sax<Json> {
  public:
    explicit HeaderReader(const std::string& path) : path_(path) {}
    SafetensorsHeader header;

    bool null() override { return value("null"); }
    bool boolean(bool x) override { return value(x ? "true" : "false"); }
    bool number_integer(std::int64_t x) override { return value(fmt::format("{}", x)); }
    bool number_float(double, const std::string& text) override { return value(excerpt(text)); }
    bool binary(Json::binary_t&) override { return value("binary data"); }

    bool number_unsigned(std::uint64_t x) override {
        if (where_ == Where::shape) {
            if (entry_.shape.count == max_axes)
                fail_at("at most {} axes, found more", int{max_axes});
            check_at(x <= most_bytes, "a size of at most 2^48, found {}", x);
            entry_.shape.push(static_cast<std::int64_t>(x));
            return true;
        }
        if (where_ == Where::offsets) {
            check_at(offsets_ < 2, "two numbers, found more");
            (offsets_++ == 0 ? entry_.begin : entry_.end) = x;
            return true;
        }
        return value(fmt::format("{}", x));
    }

    bool string(std::string& text) override {
        if (where_ == Where::metadata) {
            header.metadata[key_] = std::move(text);
            return true;
        }
        if (where_ == Where::entry && key_ == "dtype") {
            entry_.dtype = std::move(text);
            check_at(width_of_dtype(entry_.dtype) > 0, "F64, F32, F16, BF16 or I64, found '{}'",
                     excerpt(entry_.dtype));
            return true;
        }
        return value(fmt::format("'{}'", excerpt(text)));
    }

    bool start_object(std::size_t) override {
        if (where_ == Where::outside) {
            where_ = Where::top;
        } else if (where_ == Where::top && key_ == "__metadata__") {
            where_ = Where::metadata;
        } else if (where_ == Where::top) {
            where_ = Where::entry;
            entry_ = {};
            entry_.name = tensor_;
            has_.clear();
        } else {
            return value("an object");
        }
        return true;
    }

    bool key(std::string& name) override {
        key_ = std::move(name);
        if (where_ == Where::top) {
            tensor_ = key_;
            if (!names_.insert(key_).second)
                fail_file("the name '{}' occurs twice in the header, expected once", excerpt(key_));
        } else if (where_ == Where::entry) {
            if (key_ != "dtype" && key_ != "shape" && key_ != "data_offsets")
                fail_file("'{}': expected dtype, shape and data_offsets, found '{}'",
                          excerpt(tensor_), excerpt(key_));
            if (!has_.insert(key_).second)
                fail_file("'{}': {} occurs twice, expected once", excerpt(tensor_), key_);
        } else if (header.metadata.count(key_)) {
            fail_file("metadata '{}' occurs twice, expected once", excerpt(key_));
        }
        return true;
    }

    bool end_object() override {
        if (where_ == Where::entry) {
            for (const char* needed : {"dtype", "shape", "data_offsets"})
                if (!has_.count(needed))
                    fail_file("'{}': expected dtype, shape and data_offsets, found no {}",
                              excerpt(tensor_), needed);
            check_bytes();
            header.tensors.push_back(std::move(entry_));
        }
        where_ = where_ == Where::top ? Where::outside : Where::top;
        return true;
    }

    bool start_array(std::size_t) override {
        if (where_ == Where::entry && key_ == "shape") {
            where_ = Where::shape;
        } else if (where_ == Where::entry && key_ == "data_offsets") {
            where_ = Where::offsets;
            offsets_ = 0;
        } else {
            return value("a list");
        }
        return true;
    }

    bool end_array() override {
        check_at(where_ != Where::offsets || offsets_ == 2, "two numbers, found {}", offsets_);
        where_ = Where::entry;
        return true;
    }

    bool parse_error(std::size_t position, const std::string& last,
                     const nlohmann::detail::exception&) override {
        fail_file("byte {}: expected a header in JSON, found '{}'",
                  header_length_bytes + position - 1, excerpt(last));
    }

  private:
    enum class Where { outside, top, metadata, entry, shape, offsets };

    template <class... Args>
    [[noreturn]] void fail_file(fmt::format_string<Args...> text, Args&&... args) {
        throw InputError(path_ + ": " + fmt::format(text, std::forward<Args>(args)...));
    }

    // "weights.safetensors: 'x': shape: expected ..."
    template <class... Args>
    [[noreturn]] void fail_at(fmt::format_string<Args...> text, Args&&... args) {
        const std::string field =
            where_ == Where::outside    ? "header"
            : where_ == Where::metadata ? fmt::format("metadata '{}'", excerpt(key_))
            : where_ == Where::top      ? fmt::format("'{}'", excerpt(key_))
                                        : fmt::format("'{}': {}", excerpt(tensor_), key_);
        fail_file("{}: expected {}", field, fmt::format(text, std::forward<Args>(args)...));
    }
    template <class... Args>
    void check_at(bool holds, fmt::format_string<Args...> text, Args&&... args) {
        if (!holds) fail_at(text, std::forward<Args>(args)...);
    }

    // A value where none of its kind is expected.
    [[noreturn]] bool value(const std::string& found) {
        const char* expected = where_ == Where::outside    ? "a JSON object"
                               : where_ == Where::top      ? "a JSON object"
                               : where_ == Where::metadata ? "a text"
                               : where_ == Where::shape    ? "whole numbers, 0 or more"
                               : where_ == Where::offsets  ? "whole numbers, 0 or more"
                               : key_ == "dtype"           ? "a text"
                                                           : "a list of whole numbers";
        fail_at("{}, found {}", expected, found);
    }

    // That the offsets span as many bytes as the numbers take.
    void check_bytes() {
        std::uint64_t product = width_of_dtype(entry_.dtype);
        bool none = false;
        for (const std::int64_t size : entry_.shape) {
            const auto n = static_cast<std::uint64_t>(size);
            none = none || n == 0;
            if (n > 1 && product > most_bytes / n)
                fail_file("'{}': shape: expected an array of at most 2^48 bytes, found {}",
                          excerpt(tensor_), entry_.shape);
            product *= std::max<std::uint64_t>(n, 1);
        }
        const std::uint64_t bytes = none ? 0 : product;
        if (entry_.begin > entry_.end || entry_.end - entry_.begin != bytes)
            fail_file("'{}': data_offsets: expected {} bytes for {} of shape {}, found [{}, {}]",
                      excerpt(tensor_), bytes, entry_.dtype, entry_.shape, entry_.begin,
                      entry_.end);
    }

    const std::string& path_;
    Where where_ = Where::outside;
    std::string key_, tensor_;  // the last key, and the last one of the header itself
    TensorEntry entry_;
    int offsets_ = 0;
    std::set<std::string> names_, has_;
};

}  // namespace

std::uint64_t width_of_dtype(std::string_view dtype) {
    if (dtype == "F64" || dtype == "I64") return 8;
    if (dtype == "F32") return 4;
    return dtype == "F16" || dtype == "BF16" ? 2 : 0;
}

SafetensorsHeader parse_header(std::string_view json, std::uint64_t data_bytes,
                               const std::string& path) {
    HeaderReader reader(path);
    Json::sax_parse(json.begin(), json.end(), &reader);
    SafetensorsHeader header = std::move(reader.header);

    // Sorted by their offsets, the tensors must fill the data.
    std::stable_sort(header.tensors.begin(), header.tensors.end(),
                     [](const TensorEntry& a, const TensorEntry& b) {
                         return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
                     });
    std::uint64_t at = 0;
    for (const TensorEntry& entry : header.tensors) {
        const auto expect = [&](bool holds, const char* what, std::uint64_t expected,
                                std::uint64_t found) {
            if (!holds)
                throw InputError(fmt::format("{}: '{}': data_offsets: expected {} {}, found {}",
                                             path, excerpt(entry.name), what, expected, found));
        };
        expect(entry.begin == at, "no gap and no overlap, so a start at byte", at, entry.begin);
        expect(entry.end <= data_bytes, "an end within the data (cut short?), at most byte",
               data_bytes, entry.end);
        at = entry.end;
    }
    if (at != data_bytes)
        throw InputError(fmt::format(
            "{}: byte {}: expected the end of the file after the last tensor, found {} bytes more",
            path, header_length_bytes + json.size() + at, data_bytes - at));
    return header;
}

}  // namespace heed
