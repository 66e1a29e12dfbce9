#include "lessons/course/pages/pages.h"

#include <set>

#include "autograd/base/error.h"

namespace heed::course {

std::string_view page_file(std::string_view name) {
    const auto file = page_files().find(name);
    check(file != page_files().end(), "pages: there is no file {}", name);
    return file->second;
}

std::string fill(std::string_view page, const std::map<std::string_view, std::string>& values) {
    std::string out;
    std::set<std::string_view> used;
    for (std::size_t open; (open = page.find("{{")) != std::string_view::npos;) {
        const std::size_t close = page.find("}}", open);
        check(close != std::string_view::npos, "template: expected }}}} after {}",
              page.substr(open, 20));
        const std::string_view name = page.substr(open + 2, close - open - 2);
        const auto value = values.find(name);
        check(value != values.end(), "template: {{{{{}}}}} has no value", name);
        out += page.substr(0, open);
        out += value->second;
        used.insert(name);
        page.remove_prefix(close + 2);
    }
    for (const auto& [name, value] : values)
        check(used.contains(name), "template: there is no {{{{{}}}}}", name);
    return out += page;
}

}  // namespace heed::course
