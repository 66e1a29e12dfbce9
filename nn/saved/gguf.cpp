#include "nn/saved/gguf.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "autograd/base/bit_cast.h"
#include "autograd/base/half.h"
#include "autograd/base/input_file.h"
#include "autograd/base/mapped_file.h"
#include "autograd/kernels/quantised.h"

namespace heed {
namespace {

// --- blocks -------------------------------------------------------------------------------------

// 256 weights in 8 groups of 32: w = (d s) q - (m t), q in 0 .. 15; s and t are 6 bits for each group.
struct BlockQ4K {
    std::uint16_t scale, minimum;
    std::uint8_t scales[12];
    std::uint8_t q[128];

    void unpack(float* w) const {
        for (int group = 0; group < 8; ++group) {
            int s, t;
            if (group < 4) {
                s = scales[group] & 63;
                t = scales[group + 4] & 63;
            } else {
                s = (scales[group + 4] & 15) | (scales[group - 4] >> 6) << 4;
                t = scales[group + 4] >> 4 | (scales[group] >> 6) << 4;
            }
            const float d = from_half(scale) * static_cast<float>(s),
                        m = from_half(minimum) * static_cast<float>(t);
            // Two groups share 32 bytes: the first has the lower halves, the second the upper ones.
            const std::uint8_t* bytes = q + 32 * (group / 2);
            for (int i = 0; i < 32; ++i)
                *w++ = d * static_cast<float>(group % 2 ? bytes[i] >> 4 : bytes[i] & 15) - m;
        }
    }
};

// 256 weights in 16 groups of 16: w = (d s) (q - 32), q of 6 bits: 4 in `low`, 2 in `high`.
struct BlockQ6K {
    std::uint8_t low[128], high[64];
    std::int8_t scales[16];
    std::uint16_t scale;

    void unpack(float* w) const {
        const float d = from_half(scale);
        for (int i = 0; i < 256; ++i) {
            const int half = i / 128, quarter = i % 128 / 32, j = i % 32;
            const int low_byte = low[64 * half + 32 * (quarter % 2) + j];
            const int low_bits = quarter < 2 ? low_byte & 15 : low_byte >> 4;
            const int high_bits = high[32 * half + j] >> 2 * quarter & 3;
            *w++ = d * static_cast<float>(scales[i / 16]) *
                   static_cast<float>((low_bits | high_bits << 4) - 32);
        }
    }
};
static_assert(sizeof(BlockQ4K) == 144 && sizeof(BlockQ6K) == 210);

struct TypeInfo {
    GgufType type;
    std::uint32_t code;  // in files
    const char* name;
    std::int64_t weights, bytes;  // of a block
};
// In the order of GgufType.
constexpr TypeInfo types[] = {
    {GgufType::f32, 0, "F32", 1, 4},        {GgufType::f16, 1, "F16", 1, 2},
    {GgufType::bf16, 30, "BF16", 1, 2},     {GgufType::q8_0, 8, "Q8_0", 32, 34},
    {GgufType::q4_0, 2, "Q4_0", 32, 18},    {GgufType::q4_1, 3, "Q4_1", 32, 20},
    {GgufType::q4_k, 12, "Q4_K", 256, 144}, {GgufType::q6_k, 14, "Q6_K", 256, 210},
};

const TypeInfo& info_of(GgufType type) { return types[static_cast<int>(type)]; }

template <class Block>
void unpack_large(std::string_view bytes, float* w) {
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(Block), w += 256) {
        Block block;
        std::memcpy(&block, bytes.data() + at, sizeof(Block));
        block.unpack(w);
    }
}

std::optional<BlockFormat> format_of(GgufType type) {
    switch (type) {
        case GgufType::q8_0:
            return BlockFormat::q8_0;
        case GgufType::q4_0:
            return BlockFormat::q4_0;
        case GgufType::q4_1:
            return BlockFormat::q4_1;
        default:
            return std::nullopt;
    }
}

// Blocks of 8 and 4 bits begin with a number of two bytes. A file may put them at an odd byte, where no
// such number may be read: then they are moved.
bool stands_at_an_odd_byte(const void* blocks) {
    return reinterpret_cast<std::uintptr_t>(blocks) % alignof(BlockQ8_0) != 0;
}

void unpack(GgufType type, std::string_view bytes, float* w) {
    const auto halves = [&](const auto& number) {
        for (std::size_t i = 0; i < bytes.size(); i += 2) {
            std::uint16_t bits;
            std::memcpy(&bits, bytes.data() + i, 2);
            *w++ = number(bits);
        }
    };
    if (type == GgufType::f32)
        std::memcpy(w, bytes.data(), bytes.size());
    else if (type == GgufType::f16)
        halves(from_half);
    else if (type == GgufType::bf16)
        halves([](std::uint16_t bits) { return bit_cast<float>(std::uint32_t{bits} << 16); });
    else if (type == GgufType::q4_k)
        unpack_large<BlockQ4K>(bytes, w);
    else if (type == GgufType::q6_k)
        unpack_large<BlockQ6K>(bytes, w);
    else {
        std::vector<unsigned char> moved;
        const auto* blocks = reinterpret_cast<const unsigned char*>(bytes.data());
        if (stands_at_an_odd_byte(blocks)) {
            moved.assign(blocks, blocks + bytes.size());
            blocks = moved.data();
        }
        unpack_blocks(*format_of(type), blocks,
                      static_cast<std::int64_t>(bytes.size()) / info_of(type).bytes, w);
    }
}

// --- the head of the file -----------------------------------------------------------------------

constexpr std::uint64_t most_axes = 4, most_numbers = std::uint64_t{1} << 44,
                        most_name_bytes = 65535, default_alignment = 32;

// Reads one value after the other, and no byte beyond the end.
class Cursor {
  public:
    Cursor(const std::string& path, std::string_view bytes) : path_(path), bytes_(bytes) {}

    std::uint64_t at() const { return at_; }
    std::uint64_t left() const { return bytes_.size() - at_; }
    // The setting whose value is read now, which messages name; empty: none.
    void about(const std::string& setting) {
        about_ = setting.empty() ? "" : excerpt(setting) + ": ";
    }

    // `what` is read: "the number of tensors".
    template <class T>
    T get(const char* what) {
        expect(sizeof(T), what);
        begin_ = at_;
        T x;
        std::memcpy(&x, bytes_.data() + at_, sizeof(T));
        at_ += sizeof(T);
        return x;
    }
    std::string text(const char* what, std::uint64_t most) {
        const std::uint64_t begin = at_;
        const auto length = get<std::uint64_t>(what);
        if (length > most) fail("{}: expected at most {} bytes, found {}", what, most, length);
        expect(length, what);
        at_ += length;
        begin_ = begin;
        return std::string(bytes_.substr(at_ - length, length));
    }
    void expect(std::uint64_t count, const char* what) {
        if (count > left())
            throw InputError(fmt::format(
                "{}: the file ends too early, as after a stopped download: byte {}: {}expected {} "
                "of {} bytes, found {} bytes up to the end",
                path_, at_, about_, what, count, left()));
    }
    // What was read last is wrong, or what was read from `byte` on.
    template <class... Args>
    [[noreturn]] void fail(fmt::format_string<Args...> text, Args&&... args) const {
        fail_at(begin_, text, std::forward<Args>(args)...);
    }
    template <class... Args>
    [[noreturn]] void fail_at(std::uint64_t byte, fmt::format_string<Args...> text,
                              Args&&... args) const {
        throw InputError(fmt::format("{}: byte {}: {}{}", path_, byte, about_,
                                     fmt::format(text, std::forward<Args>(args)...)));
    }

  private:
    const std::string& path_;
    std::string_view bytes_;
    std::string about_;
    std::uint64_t at_ = 0, begin_ = 0;  // where the next value begins, and the last one
};

// The codes of GGUF for a value's type.
enum class Kind : std::uint32_t {
    u8,
    i8,
    u16,
    i16,
    u32,
    i32,
    f32,
    truth,
    text,
    list,
    u64,
    i64,
    f64
};

std::int64_t whole_from(Cursor& in, Kind kind) {
    const char* what = "a whole number";
    switch (kind) {
        case Kind::u8:
            return in.get<std::uint8_t>(what);
        case Kind::i8:
            return in.get<std::int8_t>(what);
        case Kind::u16:
            return in.get<std::uint16_t>(what);
        case Kind::i16:
            return in.get<std::int16_t>(what);
        case Kind::u32:
            return in.get<std::uint32_t>(what);
        case Kind::i32:
            return in.get<std::int32_t>(what);
        case Kind::truth: {
            const auto x = in.get<std::uint8_t>(what);
            if (x > 1) in.fail("expected a truth value, 0 or 1, found {}", x);
            return x;
        }
        case Kind::u64: {
            const auto x = in.get<std::uint64_t>(what);
            if (x > std::uint64_t{INT64_MAX}) in.fail("expected less than 2^63, found {}", x);
            return static_cast<std::int64_t>(x);
        }
        default:
            return in.get<std::int64_t>(what);
    }
}

double number_from(Cursor& in, Kind kind) {
    return kind == Kind::f32 ? double{in.get<float>("a number")} : in.get<double>("a number");
}

GgufValue value_from(Cursor& in) {
    const auto kind_of = [&] {
        const auto code = in.get<std::uint32_t>("the kind of a value");
        if (code > static_cast<std::uint32_t>(Kind::f64))
            in.fail("expected the kind of a value, 0 to 12, found {}", code);
        return static_cast<Kind>(code);
    };
    const Kind kind = kind_of();
    if (kind == Kind::text) return in.text("a text", in.left());
    if (kind == Kind::f32 || kind == Kind::f64) return number_from(in, kind);
    if (kind != Kind::list) return whole_from(in, kind);

    const Kind each = kind_of();
    if (each == Kind::list) in.fail("expected a list of numbers or texts, found a list of lists");
    const auto count = in.get<std::uint64_t>("the length of a list");
    // The least that so many values take.
    const std::uint64_t width = each == Kind::text                                            ? 8
                                : each == Kind::u8 || each == Kind::i8 || each == Kind::truth ? 1
                                : each == Kind::u16 || each == Kind::i16                      ? 2
                                : each == Kind::u64 || each == Kind::i64 || each == Kind::f64 ? 8
                                                                                              : 4;
    if (count > in.left() / width)
        in.fail("expected a list of at most {} values, found {}; is the file cut short?",
                in.left() / width, count);
    const auto list = [&](const auto& next) {
        std::vector<std::decay_t<decltype(next())>> values;
        values.reserve(count);
        for (std::uint64_t i = 0; i < count; ++i) values.push_back(next());
        return values;
    };
    if (each == Kind::text) return list([&] { return in.text("a text", in.left()); });
    if (each == Kind::f32 || each == Kind::f64) return list([&] { return number_from(in, each); });
    return list([&] { return whole_from(in, each); });
}

GgufTensor tensor_from(Cursor& in) {
    GgufTensor tensor;
    tensor.name = in.text("the name of a tensor", most_name_bytes);
    const auto axes = in.get<std::uint32_t>("the number of axes");
    if (axes > most_axes)
        in.fail("'{}': expected at most {} axes, found {}", excerpt(tensor.name), most_axes, axes);
    std::vector<std::int64_t> sizes;
    std::uint64_t count = 1;
    for (std::uint32_t i = 0; i < axes; ++i) {
        const auto size = in.get<std::uint64_t>("a size");
        if (size == 0 || size > most_numbers / count)
            in.fail(
                "'{}': expected sizes of at least 1 and at most 2^44 numbers, found a size of {}",
                excerpt(tensor.name), size);
        count *= size;
        sizes.push_back(static_cast<std::int64_t>(size));
    }
    std::reverse(sizes.begin(), sizes.end());  // the file begins with the contiguous axis
    for (const std::int64_t size : sizes) tensor.shape.push(size);

    const auto code = in.get<std::uint32_t>("the type of a tensor");
    const TypeInfo* info = std::find_if(std::begin(types), std::end(types),
                                        [&](const TypeInfo& t) { return t.code == code; });
    if (info == std::end(types))
        in.fail(
            "'{}': expected numbers of type F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q4_K or Q6_K, found "
            "type {}",
            excerpt(tensor.name), code);
    tensor.type = info->type;
    const std::int64_t row = sizes.empty() ? 1 : sizes.back();
    if (row % info->weights != 0)
        in.fail("'{}': expected rows of a multiple of {} numbers for {}, found {}",
                excerpt(tensor.name), info->weights, info->name, row);
    tensor.bytes =
        count / static_cast<std::uint64_t>(info->weights) * static_cast<std::uint64_t>(info->bytes);
    tensor.begin = in.get<std::uint64_t>("the offset of a tensor");
    return tensor;
}

}  // namespace

std::string name_of(GgufType type) { return info_of(type).name; }

Gguf::Gguf(std::string path, std::string_view bytes, std::shared_ptr<const void> owner)
    : path_(std::move(path)), bytes_(bytes), owner_(std::move(owner)) {
    Cursor in(path_, bytes_);
    if (in.left() < 4 || in.get<std::uint32_t>("GGUF") != 0x46554747)
        throw InputError(path_ + ": byte 0: expected the letters GGUF; is this a GGUF file?");
    const auto version = in.get<std::uint32_t>("the version");
    if (version != 2 && version != 3)
        in.fail("expected version 2 or 3, little-endian, found {}", version);
    const auto tensors = in.get<std::uint64_t>("the number of tensors");
    const auto settings = in.get<std::uint64_t>("the number of settings");
    constexpr std::uint64_t counts = 8;  // where they stand
    if (tensors > in.left() / 24 || settings > in.left() / 13)
        in.fail_at(
            counts,
            "expected at most {} tensors and {} settings, found {} and {}; is the file cut short?",
            in.left() / 24, in.left() / 13, tensors, settings);

    for (std::uint64_t i = 0; i < settings; ++i) {
        const std::uint64_t begin = in.at();
        const std::string name = in.text("the name of a setting", most_name_bytes);
        in.about(name);
        GgufValue value = value_from(in);
        in.about("");
        if (!settings_.emplace(name, std::move(value)).second)
            in.fail_at(begin, "the setting '{}' occurs twice, expected once", excerpt(name));
    }
    for (std::uint64_t i = 0; i < tensors; ++i) {
        const std::uint64_t begin = in.at();
        GgufTensor tensor = tensor_from(in);
        if (!index_.emplace(tensor.name, i).second)
            in.fail_at(begin, "the tensor '{}' occurs twice, expected once", excerpt(tensor.name));
        tensors_.push_back(std::move(tensor));
    }
    place_tensors(in.at());
}

// The data begin at the next multiple of the alignment behind the head, and each tensor at the next one behind
// the tensor before it. Bytes that belong to no tensor, or to two, are the sign of a wrong size or type.
void Gguf::place_tensors(std::uint64_t head) {
    const auto alignment = static_cast<std::uint64_t>(
        has("general.alignment") ? whole("general.alignment") : std::int64_t{default_alignment});
    if (alignment < 1 || alignment > 1 << 20)
        throw InputError(
            fmt::format("{}: general.alignment: expected at least 1 and at most 2^20, found {}",
                        path_, alignment));
    const std::uint64_t data = (head + alignment - 1) / alignment * alignment;
    const std::uint64_t size = bytes_.size();
    std::uint64_t next = 0;  // where a tensor begins, behind the head
    for (GgufTensor& tensor : tensors_) {
        if (data > size || tensor.begin > size - data || tensor.bytes > size - data - tensor.begin)
            throw InputError(fmt::format(
                "{}: '{}': expected {} bytes of data from {} bytes behind the head on, found the end "
                "of the file; is it cut short?",
                path_, excerpt(tensor.name), tensor.bytes, tensor.begin));
        if (tensor.begin != next)
            throw InputError(fmt::format(
                "{}: '{}': expected its data where those of the tensor before it end, {} bytes behind the "
                "head, found {}",
                path_, excerpt(tensor.name), next, tensor.begin));
        next = (tensor.begin + tensor.bytes + alignment - 1) / alignment * alignment;
        tensor.begin += data;
    }
    if (data < size && size - data > next)
        throw InputError(
            fmt::format("{}: expected the end of the file behind the last tensor, found {} "
                        "bytes that belong to none",
                        path_, size - data - next));
}

Gguf Gguf::open(const std::string& path) {
    const std::shared_ptr<const MappedFile> file = MappedFile::open(path);
    return {path, file->bytes(), file};
}

Gguf Gguf::parse(std::string_view bytes, const std::string& name) { return {name, bytes, nullptr}; }

// --- settings -----------------------------------------------------------------------------------

template <class Kind>
const Kind& Gguf::setting(const std::string& name, const char* kind) const {
    const auto found = settings_.find(name);
    if (found == settings_.end())
        throw InputError(fmt::format("{}: expected the setting {}, found none", path_, name));
    const Kind* value = std::get_if<Kind>(&found->second);
    if (!value)
        throw InputError(
            fmt::format("{}: {}: expected {}, found another kind of value", path_, name, kind));
    return *value;
}

std::int64_t Gguf::whole(const std::string& name) const {
    return setting<std::int64_t>(name, "a whole number");
}
double Gguf::number(const std::string& name) const { return setting<double>(name, "a number"); }
const std::string& Gguf::text(const std::string& name) const {
    return setting<std::string>(name, "a text");
}
const std::vector<std::string>& Gguf::texts(const std::string& name) const {
    return setting<std::vector<std::string>>(name, "a list of texts");
}
const std::vector<std::int64_t>& Gguf::wholes(const std::string& name) const {
    return setting<std::vector<std::int64_t>>(name, "a list of whole numbers");
}
const std::vector<double>& Gguf::numbers(const std::string& name) const {
    return setting<std::vector<double>>(name, "a list of numbers");
}

// --- tensors ------------------------------------------------------------------------------------

const GgufTensor* Gguf::find(const std::string& name) const {
    const auto found = index_.find(name);
    return found == index_.end() ? nullptr : &tensors_[found->second];
}

const GgufTensor& Gguf::known(const std::string& name) const {
    const GgufTensor* found = find(name);
    if (!found)
        throw InputError(fmt::format("{}: expected the tensor '{}', found none", path_, name));
    return *found;
}

Tensor Gguf::tensor(const std::string& name) const {
    const GgufTensor& entry = known(name);
    Tensor x = empty(entry.shape);
    unpack(entry.type, bytes_.substr(entry.begin, entry.bytes), x.edit<float>());
    return x;
}

bool Gguf::is_matrix(const GgufTensor& tensor) {
    return tensor.shape.count == 2 && format_of(tensor.type).has_value();
}

QuantisedMatrix Gguf::matrix(const std::string& name) const {
    const GgufTensor& entry = known(name);
    if (!is_matrix(entry))
        throw InputError(
            fmt::format("{}: '{}': expected a matrix of Q8_0, Q4_0 or Q4_1, found {} of shape {}",
                        path_, excerpt(name), name_of(entry.type), entry.shape));
    const auto* first = reinterpret_cast<const unsigned char*>(bytes_.data()) + entry.begin;
    const BlockFormat format = *format_of(entry.type);
    const int64_t rows = entry.shape[0], columns = entry.shape[1];
    if (stands_at_an_odd_byte(first) || !owner_)
        return {format, rows, columns, std::vector<unsigned char>(first, first + entry.bytes)};
    return {format, rows, columns, SharedBytes({owner_, first}, static_cast<int64_t>(entry.bytes))};
}

}  // namespace heed
