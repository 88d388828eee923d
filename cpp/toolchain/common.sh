# Shared by setup.sh and its parts. Private files live under $PREFIX, which outlives any one clone.
PREFIX=${TENURE_TOOLCHAIN_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/tenure/toolchain}
NODE_MIN=20
EMCC_MIN=3.1.69
LLVM=19

say() { printf 'toolchain: %s\n' "$*" >&2; }
fail() {
  printf 'toolchain: error: %s\n' "$*" >&2
  exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }

# at_least MINIMUM VERSION: succeeds if VERSION is MINIMUM or later.
at_least() { [[ $(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n1) == "$1" ]]; }

# download COMMAND...: runs a command that downloads, and records how long it took, for setup.sh to report.
download() {
  local start=$SECONDS status=0
  "$@" || status=$?
  echo $((SECONDS - start)) >>"$PREFIX/download_seconds"
  return $status
}

as_root() {
  if [[ $(id -u) == 0 ]]; then "$@"; else sudo -n "$@"; fi
}
can_be_root() { [[ $(id -u) == 0 ]] || sudo -n true 2>/dev/null; }

is_installed() { [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }
is_known() { [[ -n $(apt-cache --quiet=2 show "$1" 2>/dev/null | head -n1) ]]; }

# Installs the named Debian packages that are missing; without the right to do so, prints what to install.
need_packages() {
  local missing=() unknown=() package
  for package in "$@"; do is_installed "$package" || missing+=("$package"); done
  ((${#missing[@]})) || return 0
  if ! { have apt-get && can_be_root; }; then fail "please install: ${missing[*]}"; fi

  for package in "${missing[@]}"; do is_known "$package" || unknown+=("$package"); done
  if ((${#unknown[@]})); then
    say "updating the package lists"
    download as_root apt-get update -qq >"$PREFIX/apt.log" 2>&1 || fail "apt-get update failed, see $PREFIX/apt.log"
  fi
  say "installing ${missing[*]}: $(download_size "${missing[@]}") to download"
  apt_get_install "${missing[@]}" && return 0
  # Outdated package lists name versions that the mirror no longer has.
  as_root apt-get update -qq >"$PREFIX/apt.log" 2>&1 && apt_get_install "${missing[@]}" ||
    fail "could not install ${missing[*]}, see $PREFIX/apt.log"
}

# Prints the download size of packages and their dependencies, such as "143 MB".
download_size() {
  local size
  size=$(LC_ALL=C apt-get install --assume-no --no-install-recommends "$@" 2>/dev/null |
    sed -n 's/^Need to get \([^ ]* [kMG]\?B\).*/\1/p') || true
  printf '%s' "${size:-nothing}"
}

apt_get_install() {
  local install=(as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends
    -o DPkg::Lock::Timeout=300)
  download "${install[@]}" --download-only "$@" >"$PREFIX/apt.log" 2>&1 && "${install[@]}" "$@" >>"$PREFIX/apt.log" 2>&1
}

# Prints the Debian mirror that this machine already uses for its own release.
debian_mirror() {
  . /etc/os-release
  apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' |
    awk -v release="${VERSION_CODENAME:-}" '$2 == release && /debian/ { print $1; exit }'
}

# unpack_from SUITE FOLDER PACKAGE...: downloads packages of another Debian suite and unpacks them into a private
# folder. The system's own sources, lists and packages stay unchanged.
unpack_from() {
  local suite=$1 folder=$2 state=$PREFIX/apt/$1 mirror package
  shift 2
  mirror=$(debian_mirror)
  [[ -n $mirror ]] || fail "no Debian mirror among this machine's apt sources, cannot fetch: $*"
  mkdir -p "$state/lists/partial" "$state/cache/archives/partial" "$folder"
  printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s %s main\n' \
    "$mirror" "$suite" >"$state/sources.list"
  local apt=(apt-get -qq
    -o Dir::Etc::sourcelist="$state/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o Dir::State::lists="$state/lists" -o Dir::Cache="$state/cache"
    -o Acquire::Languages=none -o APT::Sandbox::User=root)
  download "${apt[@]}" update >"$PREFIX/apt.log" 2>&1 || fail "cannot read the $suite suite, see $PREFIX/apt.log"
  (cd "$state" && rm -f ./*.deb && download "${apt[@]}" download "$@") >"$PREFIX/apt.log" 2>&1 ||
    fail "cannot download from $suite: $*, see $PREFIX/apt.log"
  for package in "$state"/*.deb; do dpkg -x "$package" "$folder"; done
  rm -rf "$state"
}

build_packages() {
  have cmake || echo cmake
  have ninja || echo ninja-build
  have ccache || echo ccache
}

# Installs the build tools that every compiler needs, such as CMake.
need_build_tools() { need_packages $(build_packages); }
