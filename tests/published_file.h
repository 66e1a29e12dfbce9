// Published models, which are not part of the tree.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

// A file of the folder that HEED_MODELS names, or of one in it; empty: there is none.
inline std::string published_file(const std::string& name_ends) {
    namespace fs = std::filesystem;
    const char* folder = std::getenv("HEED_MODELS");
    if (folder && fs::is_directory(folder))
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (entry.path().string().ends_with(name_ends)) return entry.path().string();
    return "";
}
