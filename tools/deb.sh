#!/bin/bash
#
# deb.sh DIR [VERSION]    the Debian packages of this tree in DIR, in place of
#                         those that are there; VERSION instead of that of
#                         debian/changelog
#
# They are built in a copy, DIR/src, so that the tree has none of debhelper's
# files.  The pages of prompt-dashboard are those of build/dashboard.

set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
dir=$(cd "$1" && pwd)
version=${2:-}
log=$dir/build.log

cd "$root"

# files: what belongs to the project, whether it is a clone or not
files() {
    git ls-files -z --cached --others --exclude-standard 2>/dev/null \
        || find . \( -path ./build -o -name node_modules -o -name .git \) \
            -prune -o -type f -print0
}

rm -rf "$dir"/src "$dir"/*.deb "$dir"/*.changes "$dir"/*.buildinfo
mkdir -p "$dir/src/tree/build"

files | while IFS= read -r -d '' file; do
    [ ! -f "$file" ] || printf '%s\0' "$file"
done | tar -cf - --null -T - | tar -xf - -C "$dir/src/tree"

cp -r build/dashboard "$dir/src/tree/build/"
cd "$dir/src/tree"

[ -z "$version" ] || sed -i "1s/([^)]*)/($version)/" debian/changelog

# symbols of debuggers only where they are asked for: DEB_BUILD_OPTIONS=
export DEB_BUILD_OPTIONS=${DEB_BUILD_OPTIONS-noautodbgsym parallel=$(nproc)}

env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS dpkg-buildpackage -b -us -uc -nc \
    < /dev/null > "$log" 2>&1 || {
    tail -n 30 "$log" >&2
    echo "deb: dpkg-buildpackage failed: $log" >&2
    exit 1
}

cd "$dir"
mv src/*.deb src/*.changes src/*.buildinfo .
rm -rf src

for file in *.deb; do
    echo "  ${1%/}/$file"
done
