// The public functions of a library that hand a gradient on, read from the text of its headers: those
// that take tensors and return them, alone, in vectors or in structs; methods and templates as well.
// Enough C++ is understood for the headers of this project. The rules of the house ask for all functions
// and for the members of all types (test_house.cpp).
#pragma once

#include <cctype>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace heed {

// Without comments, preprocessor lines and what stands in strings.
inline std::string code_of(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text.compare(i, 2, "//") == 0 ||
            (text[i] == '#' && (out.empty() || out.back() == '\n'))) {
            while (i < text.size() && text[i] != '\n') ++i;
            out += '\n';
        } else if (text.compare(i, 2, "/*") == 0) {
            i = text.find("*/", i) + 1;
        } else if (text.compare(i, 2, "R\"") == 0) {
            const std::string end = ")" + text.substr(i + 2, text.find('(', i) - i - 2) + "\"";
            i = text.find(end, i) + end.size() - 1;
            out += "\"\"";
        } else if (text[i] == '"' ||
                   (text[i] == '\'' && (out.empty() || !std::isalnum(out.back())))) {
            const char quote = text[i];  // not the one in 1'000
            while (++i < text.size() && text[i] != quote)
                if (text[i] == '\\') ++i;
            out += {quote, quote};
        } else {
            out += text[i];
        }
    }
    return out;
}

class PublicFunctions {
  public:
    // All headers are read before anything is asked.
    void read(const std::string& header) {
        const std::string code = code_of(header);
        scopes_ = {{Scope::space, "", true}};
        std::string pending;  // since the last declaration ended
        int depth = 0;        // of parentheses
        for (std::size_t i = 0; i < code.size(); ++i) {
            const char c = std::isspace(static_cast<unsigned char>(code[i])) ? ' ' : code[i];
            depth += (c == '(') - (c == ')');
            if (depth > 0 || c == '(' || c == ')') {
                pending += c;
            } else if (c == '{') {
                open(pending);
                pending.clear();
            } else if (c == '}') {
                if (scopes_.size() > 1) scopes_.pop_back();
                pending.clear();
            } else if (c == ';') {
                declare(pending);
                pending.clear();
            } else if (c == ':' && is_access(pending)) {
                scopes_.back().visible = trimmed(pending) == "public";
                pending.clear();
            } else {
                pending += c;
            }
        }
    }

    // How many overloads there are of each: "softmax", "Linear" (its operator()), "Conv::method".
    std::map<std::string, int> overloads() const {
        const std::set<std::string> carriers = all_carriers();
        std::map<std::string, int> found;
        for (const Signature& f : signatures_) {
            if (f.result.empty()) continue;
            const bool gives =
                mentions(f.result, carriers) || f.result.find("auto") != std::string::npos;
            const bool takes = mentions(f.parameters, carriers) || carriers.count(f.owner);
            if (!gives || !takes || f.result.find('&') != std::string::npos) continue;
            if (f.name != "operator()" && f.name.rfind("operator", 0) == 0) continue;
            if (f.owner.empty())
                ++found[f.name];
            else
                ++found[f.name == "operator()" ? f.owner : f.owner + "::" + f.name];
        }
        return found;
    }

    struct Signature {
        std::string owner, result, name, parameters;  // a constructor has no result
    };
    const std::vector<Signature>& signatures() const { return signatures_; }
    // The declarations in each struct and class, one after the other: "int64_t width = 0;bool bias;".
    const std::map<std::string, std::string>& members() const { return members_; }

  private:
    struct Scope {
        enum Kind { space, type, body } kind;
        std::string name;
        bool visible;
    };

    static std::string trimmed(const std::string& text) {
        const auto first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
        return first == std::string::npos ? "" : text.substr(first, last - first + 1);
    }
    static bool is_access(const std::string& pending) {
        const std::string word = trimmed(pending);
        return word == "public" || word == "private" || word == "protected";
    }
    static bool ends_with(const std::string& text, const std::string& end) {
        return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
    }

    void open(const std::string& pending) {
        std::smatch match;
        const Scope& outer = scopes_.back();
        const bool visible = outer.visible && outer.kind != Scope::body;
        if (std::regex_search(pending, match, std::regex("\\bnamespace\\s*([\\w:]*)"))) {
            const std::string name = match[1];
            scopes_.push_back(
                {Scope::space, name, visible && !name.empty() && !ends_with(name, "detail")});
        } else if (pending.find('(') == std::string::npos &&
                   std::regex_search(
                       pending, match,
                       std::regex("\\b(struct|class) (\\w+)(?: final)?\\s*(?::(.*))?$"))) {
            const std::string name = match[2];
            if (outer.kind == Scope::space || visible) members_[name] += " " + match[3].str() + ";";
            scopes_.push_back({Scope::type, name, visible && match[1] == "struct"});
        } else {
            if (visible && pending.find('(') != std::string::npos) function(pending);
            if (outer.kind == Scope::type && pending.find('(') == std::string::npos)
                members_[outer.name] += pending + " {};";  // Tensor x = {};
            scopes_.push_back({Scope::body, "", false});
        }
    }

    void declare(const std::string& pending) {
        const Scope& scope = scopes_.back();
        std::smatch match;
        if (scope.kind == Scope::body) return;
        if (std::regex_search(pending, match, std::regex("\\busing (\\w+) = (.*)$"))) {
            members_[match[1]] += match[2].str() + ";";
        } else if (pending.find('(') != std::string::npos) {
            if (scope.visible) function(pending);
        } else if (scope.kind == Scope::type) {
            members_[scope.name] += pending + ";";
        }
    }

    void function(std::string text) {
        text = trimmed(text);
        while (text.rfind("template", 0) == 0) {  // template <...>
            std::size_t i = text.find('<'), depth = 0;
            for (; i < text.size(); ++i) {
                depth += (text[i] == '<') - (text[i] == '>');
                if (depth == 0) break;
            }
            text = trimmed(text.substr(i + 1));
        }
        const Scope& scope = scopes_.back();
        const std::string constructor = scope.name + "(";
        for (const char* word : {"explicit ", "constexpr "})
            if (text.rfind(word + constructor, 0) == 0) text = text.substr(text.find(' ') + 1);
        if (scope.kind == Scope::type && text.rfind(constructor, 0) == 0)
            signatures_.push_back({scope.name, "", scope.name, text.substr(constructor.size())});
        std::smatch match;
        static const std::regex form(
            "^((?:[^()]|\\([^()]*\\)(?=>))*?[\\s>&*])(operator\\(\\)|operator[^\\s(]+|\\w+) "
            "?\\((.*)$");
        if (!std::regex_search(text, match, form)) return;
        signatures_.push_back(
            {scope.kind == Scope::type ? scope.name : "", match[1], match[2], match[3]});
    }

    // Whether a declaration names a type that holds tensors. A function type holds none.
    static bool mentions(const std::string& declaration, const std::set<std::string>& types) {
        std::string rest = declaration;
        for (std::size_t at; (at = rest.find("function<")) != std::string::npos;) {
            std::size_t end = at + 8;
            for (int depth = 0; end < rest.size(); ++end) {
                depth += (rest[end] == '<') - (rest[end] == '>');
                if (depth == 0) break;
            }
            rest.erase(at, end - at + 1);
        }
        static const std::regex word("\\w+");
        for (std::sregex_iterator i(rest.begin(), rest.end(), word), end; i != end; ++i)
            if (types.count(i->str())) return true;
        return false;
    }

    // Tensor, and the structs and aliases that hold one.
    std::set<std::string> all_carriers() const {
        std::set<std::string> carriers{"Tensor"};
        for (std::size_t before = 0; before != carriers.size();) {
            before = carriers.size();
            for (const auto& [name, members] : members_) {
                static const std::regex declaration("[^;]+");
                for (std::sregex_iterator i(members.begin(), members.end(), declaration), end;
                     i != end; ++i)
                    if (mentions(i->str(), carriers)) carriers.insert(name);
            }
        }
        return carriers;
    }

    std::vector<Scope> scopes_;
    std::vector<Signature> signatures_;
    std::map<std::string, std::string> members_;  // of each struct; the right side of each alias
};

}  // namespace heed
