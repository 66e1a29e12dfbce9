// A zip archive in memory (APPNOTE.TXT of PKWARE, sections 4.3 and 4.4), as much of it as an ePub needs.
//
//     Zip zip;
//     zip.add("mimetype", "application/epub+zip", Zip::stored);
//     zip.add("text.html", page);
//     write_file("book.epub", zip.finish());
#pragma once

#include <string>

namespace heed::course {

class Zip {
  public:
    enum Method { stored = 0, deflated = 8 };

    // One file. Names have forward slashes; the time is always 1 January 1980, so that the same files
    // give the same bytes.
    void add(const std::string& name, const std::string& bytes, Method method = deflated);

    // The archive: all files, then the directory.
    std::string finish() const;

  private:
    std::string files_, directory_;
    int count_ = 0;
};

}  // namespace heed::course
