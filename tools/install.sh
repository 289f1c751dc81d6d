#!/bin/bash
#
# Installs what make has built into the places where the distribution's nginx
# looks.  DESTDIR is put before every path, PREFIX (/usr/local) is for
# promptctl, the manual and the dashboard, where there is one.

set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
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

put() {
    install -D -m "$1" "$2" "$dest$3"
    echo "  $dest$3"
}

put 644 "$root/$B/ngx_http_prompt_module.so" "$modules/ngx_http_prompt_module.so"
put 755 "$root/$B/promptctl" "$prefix/bin/promptctl"
put 644 "$root/docs/promptctl.1" "$prefix/share/man/man1/promptctl.1"

# names of files have the hash of their content: those of an older one go
if [ -f "$root/$B/dashboard/manifest" ]; then
    share=$dest$prefix/share/prompt/dashboard
    rm -rf "$share"
    (cd "$root/$B/dashboard" && find . -type f -exec \
        install -D -m 644 '{}' "$share/{}" \;)
    echo "  $share"
fi

# Debian loads what modules-enabled has; elsewhere the sample says load_module
if [ -d /usr/share/nginx/modules-available ]; then
    mkdir -p "$dest/usr/share/nginx/modules-available" \
             "$dest$etc/modules-enabled"
    echo "load_module modules/ngx_http_prompt_module.so;" \
        > "$dest/usr/share/nginx/modules-available/mod-http-prompt.conf"
    ln -sf /usr/share/nginx/modules-available/mod-http-prompt.conf \
        "$dest$etc/modules-enabled/50-mod-http-prompt.conf"
    echo "  $dest$etc/modules-enabled/50-mod-http-prompt.conf"
    put 644 "$root/docs/nginx.conf.sample" "$etc/sites-available/prompt.sample"
else
    put 644 "$root/docs/nginx.conf.sample" "$etc/prompt.conf.sample"
fi
