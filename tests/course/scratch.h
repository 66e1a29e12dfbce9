// A temporary folder for one test, and another HEED_HOME.
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/error_of.h"

struct Scratch {
    std::string path;

    Scratch() {
        std::string name = (std::filesystem::temp_directory_path() / "heed_XXXXXX").string();
        path = mkdtemp(name.data());
    }
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    std::string file(const std::string& name, const std::string& bytes) const {
        std::ofstream(path + "/" + name, std::ios::binary) << bytes;
        return path + "/" + name;
    }
};

// HEED_HOME for a while.
struct WithHome {
    std::string before = std::getenv("HEED_HOME") ? std::getenv("HEED_HOME") : "";
    explicit WithHome(const std::string& path) { setenv("HEED_HOME", path.c_str(), 1); }
    ~WithHome() { setenv("HEED_HOME", before.c_str(), 1); }
    WithHome(const WithHome&) = delete;
};
