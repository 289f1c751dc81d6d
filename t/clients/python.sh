#!/bin/bash
#
# python.sh DIR: a Python with OpenAI's library in DIR, from Debian's unstable
# (no other release has one that knows stored prompts), of which nothing is
# installed.  DIR/python3 is it, with the libc and libraries that came with it.
# Fails, and says why, where it cannot be had.

set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
dir=$(cd "$1" && pwd)
tmp=$dir/new

rm -rf "$tmp"
mkdir -p "$tmp/debs" "$tmp/root"
trap 'rm -rf "$tmp"' EXIT

"$root/tools/debian.sh" --whole unstable "$tmp/debs" python3-openai

for deb in "$tmp"/debs/*.deb; do
    dpkg-deb -x "$deb" "$tmp/root"
done

arch=$(basename "$(dirname "$(echo "$tmp"/root/usr/lib/*/libc.so.6)")")
loader=$(cd "$tmp/root" && find . -name 'ld-linux*' | head -n 1)
python=$(cd "$tmp/root/usr/bin" && echo python3.[0-9]*)

rm -rf "$dir/root"
mv "$tmp/root" "$dir/root"

cat > "$tmp/python3" <<END
#!/bin/sh
export PYTHONHOME='$dir/root/usr'
export PYTHONPATH='$dir/root/usr/lib/python3/dist-packages'
exec '$dir/root/$loader' --library-path '$dir/root/usr/lib/$arch' \\
    '$dir/root/usr/bin/$python' "\$@"
END

chmod 755 "$tmp/python3"
# which compiles what it reads, once
PYTHONDONTWRITEBYTECODE='' "$tmp/python3" -c 'import openai
client = openai.OpenAI(api_key="x")
client.responses, client.chat, client.models' || {
    echo "python: that of Debian's unstable does not start here" >&2
    exit 1
}
mv "$tmp/python3" "$dir/python3"
