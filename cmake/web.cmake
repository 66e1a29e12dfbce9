# heed for browsers (preset web): the three libraries, the figures that readers can change, and a part of
# the tests, compiled to WebAssembly by emscripten. It has 128-bit SIMD and one thread.
#
#   bin/heed.js         what pages load (lessons/web/main.cpp), one file with the module inside
#   bin/heed_tests.js   the tests, for Node
include(cmake/core.cmake)

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

    # The figures, and of their lessons the sources of the headers that they include, and these include.
    file(GLOB figures CONFIGURE_DEPENDS lessons/*_*/live*.cpp)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${figures})
    set(parts)
    set(unread ${figures})
    while(unread)
        list(POP_FRONT unread file)
        file(STRINGS ${file} headers REGEX "^#include \"lessons/(w?[0-9])")
        list(TRANSFORM headers REPLACE ".*\"(.+)\\.h\"" "${PROJECT_SOURCE_DIR}/\\1")
        foreach(part IN LISTS headers)
            if(NOT part IN_LIST parts)
                list(APPEND parts ${part})
                list(APPEND unread ${part}.h)
            endif()
        endforeach()
    endwhile()
    list(TRANSFORM parts APPEND ".cpp")
    foreach(source IN LISTS parts)
        if(NOT EXISTS ${source})
            list(REMOVE_ITEM parts ${source})
        endif()
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

    heed_core_tests(heed_web_tests)
    target_link_options(heed_web_tests PRIVATE -sENVIRONMENT=node -sNODERAWFS=1
        -sMAXIMUM_MEMORY=4GB -sEXIT_RUNTIME=1 -sEXPORTED_RUNTIME_METHODS=ENV
        "SHELL:--pre-js ${PROJECT_SOURCE_DIR}/tests/node_environment.js")
endfunction()
