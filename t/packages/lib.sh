# What t/packages/run and t/packages/inside share.

tests=${tests:-0}

die() {
    echo "Bail out! $*"
    exit 1
}

# in_root ROOT COMMAND...: there, with nothing of this environment
in_root() {
    chroot "$1" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
        LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "${@:2}"
}

# check WHAT COMMAND...: one test; where it fails, what the command has said
check() {
    local what=$1 out
    shift

    if out=$("$@" 2>&1); then
        echo "ok - $what"
    else
        echo "not ok - $what"
        echo "$out" | tail -n 30 | sed 's/^/# /'
        failed=1
    fi
}
