#include "tests/fuzz/harness.h"

#include <stdexcept>

#include "autograd/base/utf8.h"

namespace heed::fuzz {

void wrong(const std::string& what) { throw std::logic_error(what); }

void check_message(const std::string& message) {
    if (!message.starts_with(file)) wrong("the message does not begin with the file: " + message);
    if (message.size() > 2000)
        wrong("the message has " + std::to_string(message.size()) + " bytes");
    for (std::string_view rest = message; !rest.empty();) {
        if (rest[0] >= 0x20 && rest[0] < 0x7F) {
            rest.remove_prefix(1);
            continue;
        }
        const Utf8Point point = utf8_first(rest);
        if (point.bytes == 0 || !is_printable(point.value)) wrong("unprintable: " + message);
        rest.remove_prefix(static_cast<std::size_t>(point.bytes));
    }
}

std::string as_lines(std::string_view bytes) {
    if (bytes.substr(0, 3) == "\xEF\xBB\xBF") bytes.remove_prefix(3);
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (bytes[i] != '\r')
            text += bytes[i];
        else if (i + 1 == bytes.size())
            text += '\n';
        else if (bytes[i + 1] != '\n')
            text += '\r';
    }
    return text;
}

}  // namespace heed::fuzz
