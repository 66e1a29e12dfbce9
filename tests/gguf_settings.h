// The settings of a GGUF file, made by a test.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

template <class T>
void put(std::string& file, T x) {
    file.append(reinterpret_cast<const char*>(&x), sizeof(T));
}
inline void put_text(std::string& file, std::string_view text) {
    put(file, std::uint64_t{text.size()});
    file += text;
}

class GgufWriter {
  public:
    // A text, a std::uint32_t, a std::int32_t or a float; or a vector of one of them.
    template <class T>
    void set(std::string_view name, const T& value) {
        ++count_;
        put_text(settings_, name);
        put(settings_, kind_of<T>());
        put_value(value);
    }
    // The file up to the index of this many tensors.
    std::string head(std::uint64_t tensors = 0) const {
        std::string file = "GGUF";
        put(file, std::uint32_t{3});
        put(file, tensors);
        put(file, count_);
        return file + settings_;
    }

  private:
    template <class T>
    static std::uint32_t kind_of() {
        if constexpr (std::is_same_v<T, std::uint32_t>) return 4;
        if constexpr (std::is_same_v<T, std::int32_t>) return 5;
        if constexpr (std::is_same_v<T, float>) return 6;
        if constexpr (std::is_same_v<T, std::string>) return 8;
        return 9;
    }
    template <class T>
    void put_value(const T& value) {
        put(settings_, value);
    }
    void put_value(const std::string& text) { put_text(settings_, text); }
    template <class T>
    void put_value(const std::vector<T>& list) {
        put(settings_, kind_of<T>());
        put(settings_, std::uint64_t{list.size()});
        for (const T& each : list) put_value(each);
    }

    std::uint64_t count_ = 0;
    std::string settings_;
};
