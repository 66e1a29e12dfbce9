# Installing: find_package(heed), then link heed::attention; headers are <heed/attention/attention.h>.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(config ${CMAKE_INSTALL_LIBDIR}/cmake/heed)
install(TARGETS heed_autograd heed_nn heed_attention EXPORT heed
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS heed_mpi EXPORT heed-mpi  # for those who have MPI
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY autograd nn attention mpi DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/heed
    FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(EXPORT heed NAMESPACE heed:: DESTINATION ${config} FILE heed-targets.cmake)
install(EXPORT heed-mpi NAMESPACE heed:: DESTINATION ${config} FILE heed-mpi-targets.cmake)
file(CONFIGURE OUTPUT heed-config.cmake @ONLY CONTENT [[
include(CMakeFindDependencyMacro)
find_dependency(fmt)
find_dependency(Threads)
include("${CMAKE_CURRENT_LIST_DIR}/heed-targets.cmake")
if("@MPI_CXX_FOUND@")
    find_package(MPI QUIET COMPONENTS CXX)
endif()
if(MPI_CXX_FOUND OR NOT "@MPI_CXX_FOUND@")
    include("${CMAKE_CURRENT_LIST_DIR}/heed-mpi-targets.cmake")
endif()
]])
write_basic_package_version_file(heed-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
    ${PROJECT_BINARY_DIR}/heed-config.cmake ${PROJECT_BINARY_DIR}/heed-config-version.cmake
    DESTINATION ${config})

# A Debian package: cpack -G DEB in a build folder.
set(CPACK_PACKAGE_NAME libheed-dev)
set(CPACK_PACKAGE_CONTACT "the heed project <heed@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "A deep-learning engine in C++20, written to be read")
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libfmt-dev")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
include(CPack)
