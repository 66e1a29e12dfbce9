# For ./heed.
#
# heed.ready says that this folder is configured: for which root, with which tools, with benchmarks
# or not. run/*.rsp holds the command line that `./heed run FILE.cpp` puts around the reader's file.
# heed's headers count as system headers there: warnings are about the reader's code only. All of
# them are compiled beforehand, into run/heed.h.gch, so that only the reader's file is left to do. The
# compiler ignores them, and takes three times as long, if the options differ by one that defines a
# macro, as -pthread does; -Winvalid-pch tells.
file(GENERATE OUTPUT heed.ready CONTENT
    "${PROJECT_SOURCE_DIR}\n${CMAKE_COMMAND}\n${CMAKE_CXX_COMPILER}\n${benchmark_FOUND}\n")
string(TOUPPER "${CMAKE_BUILD_TYPE}" config)
get_target_property(run_options heed_flags INTERFACE_COMPILE_OPTIONS)
get_target_property(run_link_options heed_flags INTERFACE_LINK_OPTIONS)
list(REMOVE_ITEM run_options -Wshadow)
list(JOIN run_options " " run_options)
list(JOIN run_link_options " " run_link_options)
string(REPLACE "run_link_options-NOTFOUND" "" run_link_options "${run_link_options}")
file(GENERATE OUTPUT run/compile.rsp CONTENT
"${CMAKE_CXX20_STANDARD_COMPILE_OPTION} ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${config}} ${run_options}
-pthread -Winvalid-pch
-isystem \"${PROJECT_SOURCE_DIR}\"
\"-I$<JOIN:$<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>,\" \"-I>\"
")
# The libraries are compiled without assert(); in the reader's file it works.
file(GENERATE OUTPUT run/assert.h CONTENT "#undef NDEBUG\n#include <cassert>\n")
function(heed_precompile_for target header includes)  # ARGN: more options
    list(TRANSFORM includes REPLACE "(.+)" "#include \"\\1\"\n")
    list(JOIN includes "" includes)
    file(GENERATE OUTPUT ${header} CONTENT "${includes}")
    add_custom_command(OUTPUT ${header}.gch
        COMMAND ${CMAKE_CXX_COMPILER} @run/compile.rsp ${ARGN} -x c++-header ${header}
            -o ${header}.gch -MD -MF ${header}.d -MT ${header}.gch
        DEPENDS ${PROJECT_BINARY_DIR}/${header} ${PROJECT_BINARY_DIR}/run/compile.rsp
        DEPFILE ${PROJECT_BINARY_DIR}/${header}.d
        WORKING_DIRECTORY ${PROJECT_BINARY_DIR}
        COMMENT "Compiling heed's headers for the reader's programs"
        VERBATIM)
    add_custom_target(${target} DEPENDS ${PROJECT_BINARY_DIR}/${header}.gch)
    add_dependencies(${target} heed_attention heed_mpi)
endfunction()
heed_precompile_for(heed_run run/heed.h attention/attention.h)
set(for_judges
    attention/attention.h lessons/course/exercise/judge.h lessons/course/exercise/curve.h)
heed_precompile_for(heed_answers run/unoptimised/heed.h "${for_judges}" -O0 -g1 -D_GLIBCXX_ASSERTIONS)  # for ./heed exercise
set(mpi)  # only programs that use it load MPI's libraries
if(MPI_CXX_FOUND)
    list(TRANSFORM MPI_CXX_LIBRARIES REPLACE "(.+)" "\"\\1\"" OUTPUT_VARIABLE mpi)
    list(JOIN mpi " " mpi)
    if(NOT APPLE)
        set(mpi "-Wl,--push-state,--as-needed ${mpi} -Wl,--pop-state")
    endif()
endif()
# What judges and the reader's own engine link of the course.
add_dependencies(heed_answers heed_material heed_workshop)
file(GENERATE OUTPUT run/course.rsp CONTENT
"\"$<TARGET_FILE:heed_workshop>\" \"$<TARGET_FILE:heed_material>\" \"$<TARGET_FILE:heed_course>\"
\"${UTF8PROC_LIBRARY}\" \"${SNDFILE_LIBRARY}\" \"${MD4C_LIBRARY}\" \"$<TARGET_LINKER_FILE:ZLIB::ZLIB>\"
")
file(GENERATE OUTPUT run/link.rsp CONTENT
"${CMAKE_EXE_LINKER_FLAGS} ${run_link_options}
\"$<TARGET_FILE:heed_attention>\" \"$<TARGET_FILE:heed_mpi>\" \"$<TARGET_FILE:heed_nn>\"
\"$<TARGET_FILE:heed_autograd>\"
\"$<TARGET_LINKER_FILE:fmt::fmt>\" ${mpi}
")
