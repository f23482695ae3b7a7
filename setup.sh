#!/usr/bin/env bash
# Installs what is missing (Debian 12, Ubuntu), configures and builds. Says little unless something fails.
#
#   ./setup.sh            builds the program: build/release/waitstate; says at its end what was left out, and why
#   ./setup.sh PRESET     builds a preset of CMakePresets.json: dev, bench, asan, tsan, coverage, fuzz
#   ./setup.sh test       builds dev and runs the tests that protect a change
#   ./setup.sh test all   runs all tests of dev, then those of asan and tsan; not again what has just passed `test`
#   ./setup.sh format     formats the C++ sources, the page's and, where ruff is installed, the Python ones
#
# The tests end with a table of their stages: how long each took, and how many seconds it computed on all cores together.
# A compiler cache (ccache) is used where there is one.
# JOBS limits the parallel compilers (default: as many as memory and cores allow). PYTHON names the interpreter to use.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

packages=(
  g++ cmake ninja-build
  libfmt-dev libcli11-dev nlohmann-json3-dev libboost-graph-dev libarchive-dev libpugixml-dev zlib1g-dev libdeflate-dev
  libprotozero-dev
  libopen-trace-format2-dev libgtest-dev librapidcheck-dev libbenchmark-dev
  python3 python3-jsonschema python3-otf2 python3-six  # python3-otf2 imports six without depending on it
  python3-dev python3-numpy pybind11-dev
)
python_tests="python3-pytest python3-hypothesis python3-pandas python3-networkx mypy python3-pip python3-setuptools python3-wheel"
# The recorder serves both MPIs, Fortran programs that use them, and OpenMP programs whose runtime tells what it does.
recorder="openmpi-bin libopenmpi-dev mpich libmpich-dev gfortran clang libomp-dev"
# Every system takes the same version of clang-format and clang-tidy: other versions lay out and find other things.
checks="git clang-format-14 clang-tidy-14"
clang="clang libclang-rt-dev"  # the thread sanitizer, and fuzzers
pages="groff-base zsh"  # man pages and completions
exports="otf2-tools"  # otf2-print reads archives that are exported
browser="chromium chromium-driver python3-selenium python3-matplotlib"  # the page of HTML reports, and plots
declare -A packages_of=(
  [dev]="$python_tests $checks $pages $exports $browser $recorder"
  [test]="$python_tests $checks $pages $exports $browser $recorder"
  [test all]="$python_tests $checks $pages $exports $browser $recorder $clang"
  [format]="$checks"
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

# Runs a command and notes for the table at the end how long it took, and for how many seconds it computed on all cores
# together, which other work on the machine does not change.
stages=()
closing_lines=()
stage() {
  local name=$1 begin=$SECONDS computed
  computed=$(core_seconds)
  "${@:2}"
  note_stage "$name" $((SECONDS - begin)) $(($(core_seconds) - computed))
}
note_stage() { stages+=("$(printf '%7d s %9d s   %s' "$2" "$3" "$1")"); }

# Prints for how many seconds all commands that have ended have computed.
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

# A check builds the page of HTML reports again and compares it with the one that is there. Without npm it says that it was
# skipped.
get_page_tools() {
  local page=src/report/page
  if command -v npm >/dev/null && [ ! -d "$page/node_modules" ]; then
    (cd "$page" && timeout 120 npm ci --silent --no-fund --no-audit) >/dev/null 2>&1 || rm -rf "$page/node_modules"
  fi
}

# Paths are relative to the root of the clone, so that objects of one clone serve another.
use_compiler_cache() {
  command -v ccache >/dev/null || return 0
  export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER:-ccache}
  export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD} CCACHE_NOHASHDIR=${CCACHE_NOHASHDIR:-1}
}

# Tests that find no folder of dev compile many sources at a time and without debug information, which takes less than half
# the time; a folder that is there stays as it is. `./setup.sh dev` compiles each source alone, to change one after the other.
quick_build=(-DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=40 "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -D_GLIBCXX_ASSERTIONS")
unity_for_dev=()
build() {
  local preset=$1 cache=build/$1/CMakeCache.txt options=()
  case $preset in
    release) options=(-DCMAKE_UNITY_BUILD=ON) ;;  # for users, who compile everything once: half the time
    dev)
      if [ ! -e "$cache" ] || grep -q '^CMAKE_UNITY_BUILD:.*=ON$' "$cache"; then
        options=("${unity_for_dev[@]}")
      fi
      ;;
  esac
  echo "setup: building $preset with $python and $jobs jobs"
  quietly cmake --preset "$preset" -DPython3_EXECUTABLE="$python" "${options[@]}"
  quietly cmake --build --preset "$preset" --parallel "$jobs" "${@:2}"
}

# Prints what cmake could not build for want of something that is not installed.
say_what_is_left_out() {
  local list=build/$1/left_out.txt
  [ ! -s "$list" ] || { echo "setup: left out:" && sed 's/^/  /' "$list"; }
}

# Runs the tests of a preset; further arguments are for ctest. One more runs than there are cores, since tests of the recorder
# wait for timers half of their time. The thread sanitizer needs addresses where it expects them; newer kernels spread them too
# widely.
run_tests() {
  local preset=$1 runner=()
  if [ "$preset" = tsan ] && setarch "$(uname -m)" -R true 2>/dev/null; then
    runner=(setarch "$(uname -m)" -R)
  fi
  "${runner[@]}" ctest --preset "$preset" --parallel "$((jobs + 1))" "${@:2}" | tee "build/$preset/ctest.log"
  closing_lines+=("$preset: $(grep '% tests passed' "build/$preset/ctest.log" | tail -n 1)")
}

# Prints a digest of all sources as they are; fails where there is no git to list them.
digest_of_sources() {
  { git rev-parse HEAD && git diff HEAD && git ls-files --others --exclude-standard -z | xargs -0r sha256sum; } 2>/dev/null | sha256sum
}

# Prints the table of stages, the closing line of each run of ctest, and the sum of these.
close_tests() {
  note_stage all "$SECONDS" "$(core_seconds)"
  printf '%s\n' "" "     time computing   stage" "${stages[@]}" "" "${closing_lines[@]}"
  printf '%s\n' "${closing_lines[@]}" |
    awk '{ failed += $(NF - 5); all += $NF } END { print all - failed " passed, " failed " failed" }'
}

test_quickly() {
  local sources
  unity_for_dev=("${quick_build[@]}")
  sources=$(digest_of_sources) || sources=
  rm -f "$quick_passed"
  get_ruff
  get_page_tools
  stage "dev: build" build dev --target waitstate_tests
  stage "dev: quick tests" run_tests dev --label-exclude '^long$'
  [ -z "$sources" ] || echo "$sources" >"$quick_passed"
  close_tests
}

# Builds what the sanitizers test, with the time that tests beside it leave over.
build_sanitizers() {
  renice -n 10 -p "$BASHPID" >/dev/null
  build tsan
  build asan
}

# The quick tests are not run again on sources that have just passed them. Tests wait for timers, processes and browsers for a
# third of their time, which is enough for most of the sanitizers' builds; those that measure times (label `alone`) run when
# these are ready.
test_everything() {
  local selection=() preset sanitizers
  unity_for_dev=("${quick_build[@]}")
  get_ruff
  get_page_tools
  if [ -s "$quick_passed" ] && [ "$(digest_of_sources)" = "$(cat "$quick_passed")" ]; then
    selection=(--label-regex '^long$')
  fi
  stage "dev: build" build dev
  set -m  # a process group of its own, which can be ended as a whole
  build_sanitizers &
  sanitizers=$!
  set +m
  # shellcheck disable=SC2064  # the number as it is now
  trap "kill -- -$sanitizers 2>/dev/null || true" EXIT
  stage "dev: ${selection:+long }tests" run_tests dev "${selection[@]}" --label-exclude '^alone$'
  stage "tsan and asan: rest of their builds" wait "$sanitizers"
  trap - EXIT
  stage "dev: ${selection:+long }tests that run alone" run_tests dev "${selection[@]}" --label-regex '^alone$'
  for preset in asan tsan; do
    stage "$preset: tests" run_tests "$preset"
  done
  close_tests
}

# Formats all sources whose format a check looks at; says which it could not format, and why.
format_sources() {
  packages=(git clang-format-14 python3)
  install_packages
  python3 -B tests/checks/cpp_format.py . --write
  if command -v ruff >/dev/null; then
    ruff check --quiet --fix --config .ruff.toml .
  else
    echo "setup: Python is left as it is: no ruff here"
  fi
  get_page_tools
  if [ -d src/report/page/node_modules ]; then
    npm run --silent --prefix src/report/page format -- --log-level warn
  else
    echo "setup: the page is left as it is: no npm here, or it could not install the formatter"
  fi
}

main() {
  local what="${*:-release}"
  quick_passed=build/dev/quick_passed
  if [ "$what" = format ]; then
    format_sources
    return
  fi
  [ $# -le 1 ] || [ "$what" = "test all" ] ||
    fail "expected one argument at most, a preset of CMakePresets.json, test or format; or: test all"
  read -r -a preset_packages <<<"${packages_of[$what]:-}"
  packages+=("${preset_packages[@]}")
  stage "packages" install_packages
  find_python
  use_compiler_cache
  jobs=${JOBS:-$(job_count)}
  case $what in
    test) test_quickly ;;
    "test all") test_everything ;;
    *)
      cmake --list-presets 2>/dev/null | grep -q "^  \"$what\"" || fail "no preset $what; see: cmake --list-presets"
      build "$what"
      say_what_is_left_out "$what"
      ;;
  esac
}

main "$@"
