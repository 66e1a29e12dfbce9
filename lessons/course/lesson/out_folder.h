// The folder that a run writes its results into. What would keep it from that at the end is found out at the
// start, before the reader reads a line: the folder cannot be made, the disk is full, another run has it.
#pragma once

#include <string>
#include <vector>

namespace heed::course {

class OutFolder {
  public:
    // Makes the folder and holds it until the run is over. Throws heed::Error, with what to do.
    explicit OutFolder(const std::string& path);
    // Removes what it has made if that is still empty.
    ~OutFolder();
    OutFolder(const OutFolder&) = delete;
    OutFolder& operator=(const OutFolder&) = delete;

  private:
    std::vector<std::string> made_;  // the innermost first
    int lock_ = -1;
};

// Whether another run holds the folder now.
bool is_written_by_another_run(const std::string& path);

// What is said then.
std::string taken(const std::string& path);

}  // namespace heed::course
