# Finds out what is missing to build heed, and installs it with apt, dnf, pacman or brew. A part of
# ./heed, which reads this file only before it configures a build folder.

# The first compiler that is new enough: GCC 12, Clang 14, or later.
compiler() {
    for cxx in ${CXX:-c++ g++ clang++ g++-14 g++-13 g++-12 clang++-16 clang++-15 clang++-14}; do
        "$cxx" -E -P -x c++ - 2>/dev/null <<'EOF' | grep -q good && echo "$cxx" && return
#if __clang_major__ >= 14 || (!defined __clang__ && __GNUC__ >= 12)
good
#endif
EOF
    done
    return 1
}

# What is missing, by the names in the table below. The compiler finds out which headers exist.
missing() {
    command -v cmake >/dev/null || echo cmake
    command -v ninja >/dev/null || command -v make >/dev/null || echo ninja
    compiler >/dev/null || echo compiler
    include=$(! command -v brew >/dev/null || echo "-I$(brew --prefix)/include")
    "$(compiler || echo c++)" $include -E -P -x c++ - 2>/dev/null <<'EOF' ||
#if !__has_include(<fmt/format.h>)
fmt
#endif
#if !__has_include(<catch2/catch.hpp>) && !__has_include(<catch2/catch_all.hpp>)
catch2
#endif
#if !__has_include(<nlohmann/json.hpp>)
json
#endif
#if !__has_include(<CLI/CLI.hpp>)
cli11
#endif
#if !__has_include(<zlib.h>)
zlib
#endif
#if !__has_include(<fftw3.h>)
fftw
#endif
#if !__has_include(<md4c.h>)
md4c
#endif
#if !__has_include(<benchmark/benchmark.h>)
benchmark
#endif
EOF
        echo fmt catch2 json cli11 zlib fftw md4c benchmark
    [ "$preset" != web ] || command -v em-config >/dev/null || echo emscripten
}

# The name of its package.
package() {
    while read -r name apt dnf pacman brew; do
        [ "$name" = "$1" ] || continue
        case $manager in
            apt-get) echo "$apt" ;;
            dnf) echo "$dnf" ;;
            pacman) echo "$pacman" ;;
            brew) echo "$brew" ;;
            *) echo "$name" ;;
        esac
    done <<EOF
cmake     cmake               cmake                   cmake          cmake
ninja     ninja-build         ninja-build             ninja          ninja
compiler  $(command -v g++ >/dev/null && echo g++-12 || echo g++)  gcc-c++  gcc  llvm
fmt       libfmt-dev          fmt-devel               fmt            fmt
catch2    catch2              catch-devel             catch2         catch2
json      nlohmann-json3-dev  json-devel              nlohmann-json  nlohmann-json
cli11     libcli11-dev        cli11-devel             cli11          cli11
zlib      zlib1g-dev          zlib-devel              zlib           zlib
fftw      libfftw3-dev        fftw-devel              fftw           fftw
md4c      libmd4c-dev         md4c-devel              md4c           md4c
benchmark libbenchmark-dev    google-benchmark-devel  benchmark      google-benchmark
emscripten emscripten         emscripten              emscripten     emscripten
EOF
}

# Installs what is missing; Google Benchmark only if the benchmarks are built.
install_missing() {
    manager=none
    for name in brew pacman dnf apt-get; do
        ! command -v $name >/dev/null || manager=$name
    done
    packages=
    for name in $(missing); do
        [ "$name$1" = benchmark- ] || packages="$packages $(package "$name")"
    done
    [ -n "$packages" ] || return 0

    case $manager in
        apt-get)
            # An installation that was killed half-way must be finished first; another one may be at work.
            wait="-o DPkg::Lock::Timeout=600"
            line="dpkg --configure -a; apt-get $wait update"
            line="$line; apt-get $wait install -y --no-install-recommends$packages"
            ;;
        dnf) line="dnf install -y$packages" ;;
        pacman)
            line="pacman -S --needed --noconfirm$packages"
            line="$line || pacman -Sy --needed --noconfirm$packages"
            ;;
        brew) line="brew install$packages" ;;
        none) fail "missing, and no known package manager to install it:$packages" ;;
    esac
    if [ -z "${HEED_NO_INSTALL:-}" ] && { [ "$(id -u)" = 0 ] || [ $manager = brew ]; }; then
        sudo=
    elif [ -z "${HEED_NO_INSTALL:-}" ] && command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
        sudo=sudo
    else
        why="this user may not install them"
        [ -z "${HEED_NO_INSTALL:-}" ] || why="HEED_NO_INSTALL is set"
        say "some packages are missing, and $why; run this line once:"
        sudo=$(command -v sudo >/dev/null && echo sudo sh -c || echo su -c)
        printf "%s '%s'\n" "$sudo" "$line" >&2
        exit 2
    fi
    interrupted=
    trap 'interrupted=1; say "stopping as soon as the installation is complete"' INT TERM HUP
    say "installing$packages ($manager)"
    shielded $sudo env DEBIAN_FRONTEND=noninteractive \
        $(! command -v setsid >/dev/null || echo setsid --wait) \
        sh -c "trap '' INT TERM HUP; $line" || {
        tail -n 20 "$build/install.log" >&2
        fail "the installation failed. The command was: $line"
    }
    trap - INT TERM HUP
    [ -z "$interrupted" ] || fail "the packages are installed; stopped, as you asked"
}

# Runs a command that must not be interrupted half-way, with its output in install.log. Ctrl-C does
# not reach it: it is in a session of its own, and this shell, whose trap only notes that it was asked
# to stop, waits for its end.
shielded() {
    "$@" >"$build/install.log" 2>&1 </dev/null 9>&- &
    status=0
    while :; do
        wait $! && status=0 || status=$?
        kill -0 $! 2>/dev/null || break # the wait was not ended by a signal
    done
    return $status
}
