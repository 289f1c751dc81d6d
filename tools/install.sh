#!/bin/bash
#
# install.sh            installs what make has built into the places where the
#                       distribution's nginx looks
# install.sh uninstall  takes the same files away again
#
# DESTDIR is put before every path.  PREFIX (/usr/local) is for promptctl, the
# manual, completion, the timer and the dashboard, where there is one.  The
# Debian packages are made of what this installs (debian/rules).

set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
cmd=${1:-install}
B=${B:-build}
dest=${DESTDIR:-}
prefix=${PREFIX:-/usr/local}
nginx=${PROMPT_NGINX:-}

[ -n "$nginx" ] || nginx=$(PATH=$PATH:/usr/sbin:/usr/local/sbin \
    command -v nginx) || { echo "install: no nginx here" >&2; exit 1; }

# configured NAME DEFAULT: the value of nginx's configure option
configured() {
    local value

    value=$("$nginx" -V 2>&1 | tr ' ' '\n' | sed -n "s/^--$1=//p" | tail -n 1)
    echo "${value:-$2}"
}

base=$(configured prefix /usr/local/nginx)
conf=$(configured conf-path conf/nginx.conf)
modules=$(configured modules-path modules)

case $conf in /*) ;; *) conf=$base/$conf ;; esac
case $modules in /*) ;; *) modules=$base/$modules ;; esac

etc=$(dirname "$conf")

# put MODE FILE PATH: the file there, or the file there no more
put() {
    if [ "$cmd" = uninstall ]; then
        [ -e "$dest$3" ] || [ -L "$dest$3" ] || return 0
        rm -f "$dest$3"
    else
        install -D -m "$1" "$2" "$dest$3"
    fi

    echo "  $dest$3"
}

# keep MODE FILE PATH: as put, but what an administrator has changed stays
keep() {
    [ ! -f "$dest$3" ] || cmp -s "$2" "$dest$3" || return 0
    put "$@"
}

# names of files have the hash of their content: those of an older one go
put_dashboard() {
    local share=$dest$prefix/share/prompt-dashboard

    [ "$cmd" = uninstall ] || [ -f "$root/$B/dashboard/manifest" ] || return 0
    [ "$cmd" != uninstall ] || [ -d "$share" ] || return 0

    rm -rf "$share"
    [ "$cmd" = uninstall ] || (cd "$root/$B/dashboard" && find . -type f -exec \
        install -D -m 644 '{}' "$share/{}" \;)
    echo "  $share"
}

# the units name promptctl where it is installed; distributions have their own
# units in /lib, whatever the prefix of the rest
put_units() {
    local units=$prefix/lib/systemd/system unit from

    [ "$prefix" != /usr ] || units=/lib/systemd/system
    from=$(mktemp -d)

    for unit in "$root"/packaging/systemd/promptctl-prune.*; do
        sed "s|/usr/bin/promptctl|$prefix/bin/promptctl|" "$unit" \
            > "$from/${unit##*/}"
        put 644 "$from/${unit##*/}" "$units/${unit##*/}"
    done

    rm -rf "$from"
    keep 600 "$root/packaging/systemd/promptctl.default" /etc/default/promptctl
}

# what is copied and changed; in the packages debian/*.examples have it
put_examples() {
    local examples=$prefix/share/doc/ngx_http_prompt_module/examples file

    for file in docs/nginx.conf.sample docs/log-format.conf \
        monitoring/prometheus/prompt.rules.yml monitoring/grafana/prompt.json
    do
        put 644 "$root/$file" "$examples/${file#docs/}"
    done
}

# Debian's nginx loads what modules-enabled has, a folder of nginx-common's own;
# elsewhere the sample says load_module
put_conf() {
    local sample=$root/docs/nginx.conf.sample from
    local available=/usr/share/nginx/modules-available/mod-http-prompt.conf
    local enabled=$etc/modules-enabled/50-mod-http-prompt.conf

    if [ ! -d "${enabled%/*}" ]; then
        put 644 "$sample" "$etc/prompt.conf.sample"
        return
    fi

    from=$(mktemp)
    echo "load_module modules/ngx_http_prompt_module.so;" > "$from"
    put 644 "$from" "$available"
    rm -f "$from"

    if [ "$cmd" = uninstall ]; then
        put - - "$enabled"
    else
        mkdir -p "$dest${enabled%/*}"
        ln -sf "$available" "$dest$enabled"
        echo "  $dest$enabled"
    fi

    put 644 "$sample" "$etc/sites-available/prompt.sample"
}

case $cmd in
    install | uninstall) ;;
    *)
        echo "usage: install.sh [install|uninstall]" >&2
        exit 2
    ;;
esac

put 644 "$root/$B/ngx_http_prompt_module.so" "$modules/ngx_http_prompt_module.so"
put 755 "$root/$B/promptctl" "$prefix/bin/promptctl"

for page in "$root/docs/promptctl.1" "$root/$B/ngx_http_prompt_module.5"; do
    put 644 "$page" "$prefix/share/man/man${page##*.}/${page##*/}"
done

# bash looks for a file of the command's name, zsh for one with a _
for file in "$root"/completion/*; do
    case $file in
        *.bash)
            name=${file##*/}
            put 644 "$file" \
                "$prefix/share/bash-completion/completions/${name%.bash}"
        ;;
        */_*)
            put 644 "$file" "$prefix/share/zsh/vendor-completions/${file##*/}"
        ;;
    esac
done

put_units
put_dashboard
put_examples
put_conf
