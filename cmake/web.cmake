# heed for browsers (preset web): the three libraries, the figures that readers can change, and a part of
# the tests, compiled to WebAssembly by emscripten. It has 128-bit SIMD and one thread.
#
#   bin/heed.js         what pages load (lessons/web/main.cpp), one file with the module inside
#   bin/heed_tests.js   the tests, for Node
#
# The headers of fmt, nlohmann-json and Catch2 are those of the system. Compilers for another machine
# must not see the folder they are in, which holds the system's own headers too; so links to these three
# are put into a folder.
set(web_headers ${PROJECT_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${web_headers})
foreach(header fmt/format.h nlohmann/json.hpp catch2)
    get_filename_component(folder ${header} DIRECTORY)
    if(NOT folder)
        set(folder ${header})
    endif()
    find_path(${folder}_INCLUDE NAMES ${header} PATHS /usr/include /usr/local/include /opt/homebrew/include
        NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
    file(CREATE_LINK ${${folder}_INCLUDE}/${folder} ${web_headers}/${folder} SYMBOLIC)
endforeach()
add_library(web_fmt INTERFACE)
target_include_directories(web_fmt SYSTEM INTERFACE ${web_headers})
target_compile_definitions(web_fmt INTERFACE FMT_HEADER_ONLY)
add_library(fmt::fmt ALIAS web_fmt)
add_library(web_json INTERFACE)
add_library(nlohmann_json::nlohmann_json ALIAS web_json)
add_library(web_threads INTERFACE)
add_library(Threads::Threads ALIAS web_threads)

# Called when the libraries are defined.
function(heed_web_programs)
    set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
    # Where Debian has the modules of Node that emscripten needs; a Node from elsewhere does not look there.
    set_property(GLOBAL PROPERTY RULE_LAUNCH_LINK "${CMAKE_COMMAND} -E env NODE_PATH=/usr/share/nodejs")
    add_link_options(-fexceptions -O2 -sSINGLE_FILE=1 -sALLOW_MEMORY_GROWTH=1 -sTOTAL_STACK=5MB
        -sINITIAL_MEMORY=64MB -sFORCE_FILESYSTEM=1)

    # This folder is configured (./heed): for which root, with which tools.
    file(GENERATE OUTPUT heed.ready CONTENT
        "${PROJECT_SOURCE_DIR}\n${CMAKE_COMMAND}\n${CMAKE_CXX_COMPILER}\n0\n")

    # Of what the lessons share: what draws, and what makes data. Not what reads files or the command
    # line, and not what needs a library that is not there.
    set(shared)
    foreach(room course/figures course/live course/pages course/terminal material/corpora material/translation)
        file(GLOB room_sources CONFIGURE_DEPENDS lessons/${room}/*.cpp)
        list(APPEND shared ${room_sources})
    endforeach()
    list(APPEND shared ${PROJECT_SOURCE_DIR}/lessons/material/read/text_data.cpp)
    list(FILTER shared EXCLUDE REGEX "/(pair_files|figure_html|web_module|keys|live_line|process)\\.cpp$")

    # The figures, and of their lessons the sources of the headers they include.
    file(GLOB figures CONFIGURE_DEPENDS lessons/[0-9][0-9]_*/live.cpp)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${figures})
    set(parts)
    foreach(figure IN LISTS figures)
        file(STRINGS ${figure} headers REGEX "^#include \"lessons/[0-9]")
        list(TRANSFORM headers REPLACE ".*\"(.+)\\.h\"" "${PROJECT_SOURCE_DIR}/\\1.cpp")
        foreach(source IN LISTS headers)
            if(EXISTS ${source})
                list(APPEND parts ${source})
            endif()
        endforeach()
    endforeach()

    add_executable(heed_web ${shared} ${figures} ${parts} lessons/web/main.cpp)
    include(cmake/embed.cmake)
    heed_embed_pages(heed_web)
    target_compile_options(heed_web PRIVATE -Os)  # small: the work is in the libraries
    target_link_libraries(heed_web PRIVATE heed_attention heed_flags nlohmann_json::nlohmann_json)
    target_link_options(heed_web PRIVATE -sENVIRONMENT=worker
        "-sEXPORTED_RUNTIME_METHODS=ccall,FS" -sEXPORTED_FUNCTIONS=_heed_answer
        "SHELL:--extern-pre-js ${PROJECT_SOURCE_DIR}/lessons/web/before.js"
        "SHELL:--extern-post-js ${PROJECT_SOURCE_DIR}/lessons/web/after.js")
    set_target_properties(heed_web PROPERTIES OUTPUT_NAME heed
        LINK_DEPENDS "${PROJECT_SOURCE_DIR}/lessons/web/before.js;${PROJECT_SOURCE_DIR}/lessons/web/after.js")

    # The core of the tests: operations, gradient check, laws. The other tests need threads, other
    # programs, or what reads files. test_accuracy needs a long double whose functions are more exact than
    # those of double; here they are the same ones.
    set(tests tests/main.cpp)
    foreach(room autograd/backward autograd/check autograd/kernels autograd/ops autograd/record
            autograd/tensor gradcheck attention/efficient attention/fused attention/graph attention/hard
            attention/heads attention/laws attention/scores)
        file(GLOB room_tests CONFIGURE_DEPENDS tests/${room}/*.cpp)
        list(APPEND tests ${room_tests})
    endforeach()
    list(FILTER tests EXCLUDE REGEX
        "gradcheck/main|_command|_complete|_page|test_threads|test_extreme_sizes|test_accuracy")
    add_executable(heed_web_tests EXCLUDE_FROM_ALL ${tests})
    target_compile_options(heed_web_tests PRIVATE -O1)
    target_compile_definitions(heed_web_tests PRIVATE HEED_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
        HEED_BUILD_DIR="${PROJECT_BINARY_DIR}")
    target_link_libraries(heed_web_tests PRIVATE heed_attention heed_flags nlohmann_json::nlohmann_json)
    target_link_options(heed_web_tests PRIVATE -sENVIRONMENT=node -sNODERAWFS=1
        -sEXIT_RUNTIME=1 -sEXPORTED_RUNTIME_METHODS=ENV
        "SHELL:--pre-js ${PROJECT_SOURCE_DIR}/tests/node_environment.js")
    set_target_properties(heed_web_tests PROPERTIES OUTPUT_NAME heed_tests)
endfunction()
