// UTF-8: valid and invalid bytes (the cases of RFC 3629), encoding and decoding.
#include <string>
#include <vector>

#include "autograd/base/error.h"
#include "autograd/base/utf8.h"
#include "tests/catch.h"

using namespace heed;

TEST_CASE("utf8: text is cut into characters of one to four bytes", "[data]") {
    const std::vector<std::string> expected = {"나", "는", " ", "é", "I", "😀"};
    CHECK(utf8_characters("나는 éI😀") == expected);
    CHECK(utf8_characters("").empty());
    CHECK(utf8_decode("A é 한 😀") == U"A é 한 😀");
}

TEST_CASE("utf8: encoding and decoding gives back every code point", "[data]") {
    int wrong = 0;
    for (char32_t point = 0; point <= 0x10FFFF; ++point) {
        if (point >= 0xD800 && point <= 0xDFFF) continue;
        const std::string bytes = utf8_encode(point);
        const Utf8Point back = utf8_first(bytes);
        wrong += back.value != point || back.bytes != static_cast<int>(bytes.size());
    }
    CHECK(wrong == 0);
    CHECK(utf8_encode(U"한글") == "한글");
}

TEST_CASE("utf8: the first invalid byte is found", "[data][errors]") {
    CHECK(utf8_invalid_at("한국어") == std::string_view::npos);
    CHECK(utf8_invalid_at("ab\xFF") == 2);
    CHECK(utf8_invalid_at("한\x80") == 3);                 // a continuation byte alone
    CHECK(utf8_invalid_at("\xC0\xAF") == 0);               // overlong /
    CHECK(utf8_invalid_at("\xE0\x80\xAF") == 0);           // overlong, three bytes
    CHECK(utf8_invalid_at("\xF0\x80\x80\xAF") == 0);       // overlong, four bytes
    CHECK(utf8_invalid_at("\xED\xA0\x80") == 0);           // a surrogate
    CHECK(utf8_invalid_at("\xF4\x90\x80\x80") == 0);       // above U+10FFFF
    CHECK(utf8_invalid_at("\xED\x95") == 0);               // cut short at the end
    CHECK(utf8_invalid_at("\xED\x95x") == 0);              // cut short in the middle
    CHECK(utf8_invalid_at("x\xF8\x88\x80\x80\x80") == 1);  // five bytes are no longer allowed
}

TEST_CASE("utf8: errors name the byte and its offset", "[data][errors]") {
    std::string message;
    try {
        utf8_decode("ab\xFF");
    } catch (const Error& error) {
        message = error.what();
    }
    CHECK(message == "not valid UTF-8: byte 0xFF at offset 2");
    CHECK_THROWS_AS(utf8_encode(0xD800), Error);
    CHECK_THROWS_AS(utf8_encode(0x110000), Error);
}
