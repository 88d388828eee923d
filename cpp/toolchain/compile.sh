#!/usr/bin/env bash
# CMake's compiler launcher: `compile.sh ROOT COMPILER ARGUMENT...` compiles through ccache, so that all clones on a
# machine share objects: paths below ROOT are hashed relative to the build folder.
set -euo pipefail
export CCACHE_BASEDIR=$1 CCACHE_NOHASHDIR=1 CCACHE_COMPILERTYPE=clang
# In depend mode a miss costs no second preprocessing, which would double its time.
export CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1 CCACHE_DEPEND=1
shift

if [[ $* != *' -emit-pch '* ]]; then
  args=()
  for arg; do
    # CMake also names the header by an absolute path; the precompiled one suffices.
    if [[ $arg == "$CCACHE_BASEDIR"/*/cmake_pch.hxx && ${args[-2]} == -include ]]; then
      unset 'args[-1]' 'args[-1]' 'args[-1]' # -Xclang -include -Xclang
    else
      args+=("$arg")
    fi
  done
  exec ccache "${args[@]}"
fi

# A precompiled header holds absolute paths, so each clone makes its own. ccache reads its checksum instead, which is
# that of its options and its preprocessed text.
"$@"
preprocess=() pch=
for ((i = 1; i <= $#; ++i)); do
  case ${!i} in
    -emit-pch) unset 'preprocess[-1]' ;; # with the -Xclang before it
    -o | -MF | -MT)
      ((++i))
      [[ ${*:i-1:1} != -o ]] || pch=${!i}
      ;;
    -c | -MD) ;;
    *) preprocess+=("${!i}") ;;
  esac
done
sum=$({
  printf '%s\n' "${preprocess[@]//$CCACHE_BASEDIR/}"
  "${preprocess[@]}" -E -dD -P
} | sha256sum)
printf '%s\n' "$sum" >"$pch.sum"
