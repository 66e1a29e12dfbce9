# The files of lessons/course/pages as a part of a program: heed_embed_pages(TARGET) gives the target a
# source that defines page_files() of pages.h, the bytes of each file by its name. It is written again
# when a file has changed.
function(heed_embed_pages target)
    set(folder ${PROJECT_SOURCE_DIR}/lessons/course/pages)
    file(GLOB files CONFIGURE_DEPENDS
        ${folder}/*.html ${folder}/*.css ${folder}/*.js ${folder}/*.woff2)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
    set(entries "")
    foreach(file IN LISTS files)
        get_filename_component(name ${file} NAME)
        file(SIZE ${file} size)
        file(READ ${file} bytes HEX)
        string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
        string(APPEND entries "        {\"${name}\", {\"${bytes}\", ${size}}},\n")
    endforeach()
    file(GENERATE OUTPUT page_files.cpp CONTENT
"#include \"lessons/course/pages/pages.h\"

const heed::course::PageFiles& heed::course::page_files() {
    static const PageFiles files{
${entries}    };
    return files;
}
")
    target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/page_files.cpp)
endfunction()
