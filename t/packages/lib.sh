# What the programs of t/packages share: roots that have nothing.

tests=${tests:-0}
release=${PROMPT_DEBIAN:-bookworm}

die() {
    echo "Bail out! $*"
    exit 1
}

# base FILE: a Debian ($release) with nothing but apt and certificates, a week
# old at most.  These are of priority "standard", so a Debian that is installed
# has them; the configurations of the documents name them, and nginx -t reads
# them there.
base() {
    local mirror=http://deb.debian.org

    [ -z "$(find "$1" -mtime -7 2>/dev/null)" ] || return 0

    mmdebstrap --quiet --format=tar --variant=minbase \
        --include=ca-certificates "$release" "$1.new" \
        "deb $mirror/debian $release main" \
        "deb $mirror/debian $release-updates main" \
        "deb $mirror/debian-security $release-security main"
    mv "$1.new" "$1"
}

# fresh FILE ROOT: that Debian, in ROOT
fresh() {
    rm -rf "$2"
    mkdir -p "$2"
    tar -xpf "$1" -C "$2"
}

# in_root ROOT COMMAND...: there, with nothing of this environment
in_root() {
    chroot "$1" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
        LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        ${certificates:+NODE_EXTRA_CA_CERTS=/etc/host-certificates.pem} \
        "${@:2}"
}

# online ROOT COMMAND...: the same with this host's network, whose certificates
# npm may need (that of apt is plain).  Packages that came once lie in
# $work/archives.  Processes and mounts end with the command.
online() {
    local root=$1 certificates=/etc/ssl/certs/ca-certificates.crt
    shift

    mkdir -p "$work/archives"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    cp $certificates "$root/etc/host-certificates.pem"

    export root work certificates
    export -f in_root
    unshare --mount --pid --fork --kill-child=KILL bash -ec '
        mount -t proc proc "$root/proc"
        mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
        mount --bind "$work/archives" "$root/var/cache/apt/archives"
        in_root "$root" "$@"' online "$@"

    rm "$root/etc/resolv.conf" "$root/etc/host-certificates.pem"
}

# fetch ROOT: what the document installs of Debian's, for later without network
fetch() {
    # a machine has systemd
    online "$1" sh -ec 'apt-get -q update
        apt-get -q -y --no-install-recommends install systemd
        apt-get -q -y --download-only install /root/*.deb
        apt-get -q -y --download-only install postgresql redis-server openssl \
            curl'
    cp "$work"/archives/*.deb "$1/var/cache/apt/archives/"
}

# machine ROOT: in namespaces of its own, a machine that has a loopback alone;
# services are started as there, by their init scripts
machine() {
    ip link set lo up
    mount -t proc proc "$1/proc"
    mount -t tmpfs -o mode=755 tmpfs "$1/run"
    mount -t tmpfs tmpfs "$1/dev/shm"
    mkdir -p "$1/run/lock"
    printf '#!/bin/sh\nexit 0\n' > "$1/usr/sbin/policy-rc.d"
    chmod 755 "$1/usr/sbin/policy-rc.d"
}

# install_as_written: in $root, with the commands of $root/root/install.sh, which
# the document has; what it found is in $root/root/session
install_as_written() {
    local rc

    # what promptctl user password asks for, and the session's variables
    { cat "$root/root/install.sh"
      printf 'printf "id=%%s\\nkey=%%s\\n" "$id" "$key" > /root/session\n'
    } > "$root/root/all.sh"
    echo 'a long password of alice' \
        | in_root "$root" timeout 900 bash /root/all.sh \
            > "$work/install.log" 2>&1
    rc=$?

    [ $rc -eq 0 ] || tail -n 30 "$work/install.log"
    return $rc
}

# source_to DIR: what belongs to the project
source_to() {
    mkdir -p "$1"
    { git ls-files -z --cached --others --exclude-standard 2>/dev/null \
        || find . \( -path ./build -o -name node_modules -o -name .git \) \
            -prune -o -type f -print0; } \
        | while IFS= read -r -d '' file; do
            [ ! -f "$file" ] || printf '%s\0' "$file"
        done | tar -cf - --null -T - | tar -xf - -C "$1"
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
