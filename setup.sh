#!/usr/bin/env bash
# Installs what is missing (Debian 12, Ubuntu), configures and builds. Says little unless something fails.
#
#   ./setup.sh            builds the program: build/release/waitstate
#   ./setup.sh PRESET     builds a preset of CMakePresets.json: dev, bench, asan, tsan, coverage, fuzz
#   ./setup.sh test       builds and tests dev, then asan and ubsan, then what has threads under tsan; says how long each took
#
# A compiler cache (ccache) is used where there is one.
# JOBS limits the parallel compilers (default: as many as memory and cores allow). PYTHON names the interpreter to use.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

packages=(
  g++ cmake ninja-build
  libfmt-dev libcli11-dev nlohmann-json3-dev libboost-graph-dev libarchive-dev libpugixml-dev zlib1g-dev libdeflate-dev
  libopen-trace-format2-dev libgtest-dev librapidcheck-dev libbenchmark-dev
  python3 python3-jsonschema python3-otf2 python3-six  # python3-otf2 imports six without depending on it
  python3-dev python3-numpy pybind11-dev
)
python_tests="python3-pytest python3-hypothesis python3-pandas python3-networkx mypy python3-pip python3-setuptools python3-wheel"
# What the recorder is for: both MPIs, a compiler of Fortran programs that use them, and one of OpenMP programs whose runtime
# tells what it does.
recorder="openmpi-bin libopenmpi-dev mpich libmpich-dev gfortran clang libomp-dev"
# clang-format and clang-tidy of one version, on every system: others lay out and find other things.
checks="git clang-format-14 clang-tidy-14"
clang="clang libclang-rt-dev"  # the thread sanitizer, and fuzzers
pages="groff-base zsh"  # man pages and completions
browser="chromium chromium-driver python3-selenium python3-matplotlib"  # the page of HTML reports, and plots
declare -A packages_of=(
  [dev]="$python_tests $checks $pages $browser $recorder"
  [test]="$python_tests $checks $pages $browser $recorder $clang"
  [tsan]="$clang"
  [bench]="otf2-tools valgrind $python_tests"
  [fuzz]="$clang llvm"
)
python_modules=(otf2 jsonschema numpy)

fail() {
  echo "setup: $*" >&2
  exit 1
}

# Runs a command quietly; shows its output only if it fails.
quietly() {
  local log status=0
  log=$(mktemp)
  "$@" >"$log" 2>&1 || status=$?
  if [ "$status" -ne 0 ]; then
    cat "$log" >&2
    rm -f "$log"
    fail "this failed with status $status: $*"
  fi
  rm -f "$log"
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

install_packages() {
  command -v dpkg-query >/dev/null || {
    echo "setup: no dpkg here, so nothing is installed; needed are, by their Debian names: ${packages[*]}" >&2
    return
  }
  local missing=() package
  for package in "${packages[@]}"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ "${#missing[@]}" -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    fail "missing packages and neither root nor sudo; ask for: apt-get install ${missing[*]}"
  fi
  echo "setup: installing ${missing[*]}"
  quietly as_root apt-get update -qq
  quietly as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

# The tests need a Python with the modules above; the first on the path is often one without them.
find_python() {
  local candidate module
  local candidates=(/usr/bin/python3 python3)
  [ -z "${PYTHON:-}" ] || candidates=("$PYTHON")
  for candidate in "${candidates[@]}"; do
    command -v "$candidate" >/dev/null || continue
    for module in "${python_modules[@]}"; do
      "$candidate" -c "import $module" 2>/dev/null || continue 2
    done
    python=$(command -v "$candidate")
    return
  done
  fail "no Python with the modules ${python_modules[*]} among: ${candidates[*]}; name one with PYTHON=..."
}

# A compiler takes up to 1.5 GB under a sanitizer.
job_count() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable:/ { print int($2 / 1500000) + 1 }' /proc/meminfo)
  echo $((cores < memory ? cores : memory))
}

# Runs a command and notes for the table at the end how long it took, and for how long it computed, which a busy machine
# does not change: a core at a time.
stages=()
stage() {
  local name=$1 begin=$SECONDS computed
  computed=$(core_seconds)
  "${@:2}"
  note_stage "$name" $((SECONDS - begin)) $(($(core_seconds) - computed))
}
note_stage() { stages+=("$(printf '%7d s %9d s   %s' "$2" "$3" "$1")"); }

# Of all commands that have ended.
core_seconds() {
  local fields
  read -r -a fields <"/proc/$$/stat" || return
  echo $(((fields[15] + fields[16]) / $(getconf CLK_TCK)))
}

# ruff has no package in Debian; npm has it for every system. Without it, the check says that it was skipped.
get_ruff() {
  if ! command -v ruff >/dev/null && command -v npm >/dev/null && [ ! -d build/ruff/node_modules ]; then
    npm install --silent --no-fund --no-audit --prefix build/ruff @astral-sh/ruff-wasm-nodejs@0.17.4 >/dev/null 2>&1 ||
      rm -rf build/ruff
  fi
}

# What builds the page of HTML reports again, to compare it with the one that is there; else the check says that it was skipped.
get_page_tools() {
  local page=src/report/page
  if command -v npm >/dev/null && [ ! -d "$page/node_modules" ]; then
    (cd "$page" && timeout 120 npm ci --silent --no-fund --no-audit) >/dev/null 2>&1 || rm -rf "$page/node_modules"
  fi
}

# Objects of one clone serve another: paths count from its root.
use_compiler_cache() {
  command -v ccache >/dev/null || return 0
  export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER:-ccache}
  export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD} CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR:-1}
}

build() {
  local preset=$1
  echo "setup: building $preset with $python and $jobs jobs"
  quietly cmake --preset "$preset" -DPython3_EXECUTABLE="$python" "${@:2}"
  quietly cmake --build --preset "$preset" --parallel "$jobs"
}

# The thread sanitizer needs addresses where it expects them; newer kernels spread them too widely.
run_tests() {
  local preset=$1 runner=()
  if [ "$preset" = tsan ] && setarch "$(uname -m)" -R true 2>/dev/null; then
    runner=(setarch "$(uname -m)" -R)
  fi
  "${runner[@]}" ctest --preset "$preset" --parallel "$jobs" | tee "build/$preset/ctest.log"
}

# Where nobody has built yet, dev compiles many sources at a time too, which takes less time; a folder stays as it is.
test_everything() {
  local preset options
  get_ruff
  get_page_tools
  for preset in dev asan tsan; do
    options=()
    [ "$preset" != dev ] || [ -e build/dev/CMakeCache.txt ] || options=(-DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=32)
    stage "$preset: build" build "$preset" "${options[@]}"
    stage "$preset: tests" run_tests "$preset"
  done
  note_stage all "$SECONDS" "$(core_seconds)"
  printf '%s\n' "" "     time computing   stage" "${stages[@]}"
  sed -n 's/^checks *= *\([0-9]*\)\.[0-9]* sec\*proc.*/of which checks of the project: \1 s, some at the same time/p' \
    build/dev/ctest.log
  # The three results together; the last line is that of the complete run.
  for preset in tsan asan dev; do
    echo "$preset:"
    grep 'tests passed' "build/$preset/ctest.log"
  done
}

main() {
  [ $# -le 1 ] || fail "one argument at most: a preset of CMakePresets.json, or test"
  local what=${1:-release}
  read -r -a preset_packages <<<"${packages_of[$what]:-}"
  packages+=("${preset_packages[@]}")
  stage "packages" install_packages
  find_python
  use_compiler_cache
  jobs=${JOBS:-$(job_count)}
  if [ "$what" = test ]; then
    test_everything
    return
  fi
  cmake --list-presets 2>/dev/null | grep -q "^  \"$what\"" || fail "no preset $what; see: cmake --list-presets"
  local options=()
  [ "$what" != release ] || options=(-DCMAKE_UNITY_BUILD=ON)  # to be used, not changed: in half the time
  build "$what" "${options[@]}"
}

main "$@"
