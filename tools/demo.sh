#!/bin/bash
#
# demo.sh up              the whole service from nothing, on 127.0.0.1 and
#                         PROMPT_PORT (8080); where it runs already, says so
# demo.sh down [--quiet]  stops it; the data stays in build/demo until `make
#                         clean', and the next up goes on with it
#
# All is below build/demo: PostgreSQL and Redis (unix sockets), nginx with a
# configuration of its own, env (how to reach them, with the key, and with the
# password for the dashboard).  With OPENAI_API_KEY the sample prompt goes to
# OPENAI_BASE_URL (default https://api.openai.com/v1) and OPENAI_MODEL
# (gpt-4o-mini); else to the module's own stand-in, prompt_echo.

set -euo pipefail
umask 022

root=$(cd "$(dirname "$0")/.." && pwd)
demo=${PROMPT_DEMO:-$root/build/demo}
conf=$demo/nginx.conf
env=$demo/env
port=${PROMPT_PORT:-8080}
email=demo@example.com
nginx=${PROMPT_NGINX:-}

die() {
    echo "demo: $*" >&2
    exit 1
}

nginx_pid() {
    local pid

    [ -f "$demo/nginx.pid" ] || return 1
    pid=$(cat "$demo/nginx.pid" 2>/dev/null) || return 1
    [ -n "$pid" ] && grep -qsaF "$conf" "/proc/$pid/cmdline" && echo "$pid"
}

running() {
    nginx_pid >/dev/null && "$root/tools/services.sh" running "$demo"
}

find_nginx() {
    [ -n "$nginx" ] || nginx=$(PATH=$PATH:/usr/sbin:/usr/local/sbin \
        command -v nginx) || die "no nginx here; \`make deps' installs it"
}

port_free() {
    ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null
}

# worker_user: root's workers are nobody where nobody can reach the sockets
worker_user() {
    [ "$(id -u)" -eq 0 ] || return 0

    if runuser -u nobody -- test -x "$demo" -a -r "$root/build" 2>/dev/null
    then
        echo "user nobody nogroup;"
    else
        echo "user root;"
    fi
}

secret() {
    head -c 18 /dev/urandom | base64 | tr '+/' '-_'
}

promptctl() {
    PROMPT_DATABASE_URL=$database PROMPT_REDIS=$redis \
        "$root/build/promptctl" "$@"
}

# database: the first time roles, schema, a user and a key
database() {
    local password

    . "$demo/env.services"

    redis=unix:$SERVICES_REDIS

    if [ -f "$env" ]; then
        . "$env"
        database=$PROMPT_DATABASE_URL
        key=$PROMPT_API_KEY
        user_password=${PROMPT_PASSWORD:-}
        promptctl migrate --grant prompt_app
        may_sign_in
        return
    fi

    password=$(secret)

    psql -X -q "$SERVICES_PG" <<END || die "PostgreSQL could not be set up"
CREATE ROLE prompt_owner LOGIN PASSWORD '$password';
CREATE ROLE prompt_app LOGIN PASSWORD '$password';
CREATE DATABASE prompt OWNER prompt_owner;
REVOKE TEMPORARY ON DATABASE prompt FROM PUBLIC;
END

    (umask 077; echo "$password" > "$demo/password")

    database="postgresql://prompt_owner:$password@/prompt?host=$(
        echo "$SERVICES_PG_HOST" | sed 's/%/%25/g; s/ /%20/g')"

    promptctl migrate --grant prompt_app
    promptctl user add $email --name Demo >/dev/null
    key=$(promptctl key add $email --name demo)
    user_password=
    may_sign_in
}

# may_sign_in: gives the demo's user a password, the first time
may_sign_in() {
    [ -z "$user_password" ] || return 0

    user_password=$(secret)
    echo "$user_password" | promptctl user password $email 2>/dev/null \
        || die "the password of $email could not be set"
}

write_env() {
    (umask 077; cat > "$env.new") <<END
export PROMPT_URL='http://127.0.0.1:$port/graphql'
export PROMPT_API_KEY='$key'
export PROMPT_DATABASE_URL='$database'
export PROMPT_REDIS='$redis'
export PROMPT_EMAIL='$email'
export PROMPT_PASSWORD='$user_password'
END
    mv "$env.new" "$env"
}

# provider: its model, location and price
provider() {
    local base=${OPENAI_BASE_URL:-https://api.openai.com/v1}

    if [ -z "${OPENAI_API_KEY:-}" ]; then
        model=echo
        price="input=0.15 output=0.60"
        location="prompt_echo;"
        return
    fi

    model=${OPENAI_MODEL:-gpt-4o-mini}
    price=

    case "$OPENAI_API_KEY$base$model" in
        *[!A-Za-z0-9._~:/+=@-]*)
            die "a character in OPENAI_API_KEY, OPENAI_BASE_URL or" \
                "OPENAI_MODEL that cannot go into nginx's configuration"
        ;;
    esac

    [ "$model" != gpt-4o-mini ] || price="input=0.15 output=0.60"

    location="proxy_pass ${base%/}/chat/completions;
            proxy_set_header Authorization \"Bearer $OPENAI_API_KEY\";
            proxy_http_version 1.1;
            proxy_set_header Connection \"\";
            proxy_set_header Accept-Encoding \"\";
            proxy_ignore_client_abort on;
            proxy_read_timeout 60s;"

    case $base in
        https:*)
            location="$location
            proxy_ssl_server_name on;"

            if [ -f /etc/ssl/certs/ca-certificates.crt ]; then
                location="$location
            proxy_ssl_verify on;
            proxy_ssl_verify_depth 5;
            proxy_ssl_trusted_certificate /etc/ssl/certs/ca-certificates.crt;"
            fi
        ;;
    esac
}

write_conf() {
    local password people= dashboard=$root/build/dashboard

    password=$(cat "$demo/password")

    if [ -f "$dashboard/manifest" ]; then
        people="location = /session { prompt_session; }
        location /dashboard/ { prompt_dashboard $dashboard; }
        location = /console { prompt_console path=$dashboard; }"
    fi

    mkdir -p "$demo/tmp"
    provider

    # the file may hold the provider's key
    (umask 077; cat > "$conf") <<END
# made by tools/demo.sh
load_module $root/build/ngx_http_prompt_module.so;

$(worker_user)
worker_processes 2;
pid $demo/nginx.pid;
error_log $demo/error.log info;

events {
    worker_connections 1024;
}

http {
    access_log $demo/access.log;
    client_body_temp_path $demo/tmp/body;
    proxy_temp_path $demo/tmp/proxy;
    fastcgi_temp_path $demo/tmp/fastcgi;
    uwsgi_temp_path $demo/tmp/uwsgi;
    scgi_temp_path $demo/tmp/scgi;

    client_max_body_size 8m;

    prompt_postgres "host=$SERVICES_PG_HOST user=prompt_app
                     password=$password dbname=prompt";
    prompt_redis $redis;

    prompt_provider demo /_provider/demo timeout=60s;
    prompt_model $model provider=demo $price;
    prompt_default_model $model;

    # each key or session, and what a project may have
    limit_req_zone \$prompt_credential zone=callers:1m rate=50r/s;
    limit_req_status 429;
    prompt_quota prompts=1000 versions=1000 bytes=100m;

    # a name that somebody else has bound to this address
    server {
        listen 127.0.0.1:$port default_server;
        return 403;
    }

    server {
        listen 127.0.0.1:$port;
        server_name 127.0.0.1 localhost;

        # beyond this machine an API key wants TLS:
        # listen 443 ssl;
        # ssl_certificate     /etc/ssl/certs/prompts.example.com.pem;
        # ssl_certificate_key /etc/ssl/private/prompts.example.com.key;

        location = /v1 {
            limit_req zone=callers burst=100 nodelay;
            prompt_graphql;
        }

        location = /graphql {
            limit_req zone=callers burst=100 nodelay;
            prompt_graphql;
        }

        location /openai/v1/ {
            limit_req zone=callers burst=100 nodelay;
            prompt_openai;
        }

        location = /mcp {
            limit_req zone=callers burst=100 nodelay;
            prompt_mcp;
        }

        location = /health  { prompt_health; }
        location = /metrics { prompt_metrics; allow 127.0.0.1; deny all; }
        $people

        location = /_provider/demo {
            internal;
            $location
        }
    }
}
END
}

start_nginx() {
    find_nginx

    if ! "$nginx" -e "$demo/error.log" -p "$demo" -c "$conf" \
        2>"$demo/start.log"
    then
        port_free || port_taken
        cat "$demo/start.log" >&2
        die "nginx does not start"
    fi
}

port_taken() {
    die "port $port of this machine is taken by another program;" \
        "try another one: PROMPT_PORT=$((port + 1)) make demo"
}

# ask DOCUMENT VARIABLES: one GraphQL request, the answer on standard output
ask() {
    curl -sS --noproxy '*' --max-time 90 -H "Authorization: Bearer $key" \
        -H 'Content-Type: application/json' \
        -d "{\"query\":\"$1\",\"variables\":$2}" \
        "http://127.0.0.1:$port/graphql"
}

# member NAME: of JSON on standard input, the first string of that name
member() {
    sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" | head -n 1
}

# sample: the prompt that is executed, made where it does not exist
sample() {
    local answer

    answer=$(ask '{ promptByName(name: \"summarize-in-one-line\") { id versions { version } } }' '{}')
    prompt=$(echo "$answer" | member id)

    if [ -z "$prompt" ]; then
        answer=$(ask 'mutation($input: CreatePromptInput!) { createPrompt(input: $input) { id } }' \
            '{"input":{"name":"Summarize in one line","category":"SUMMARIZATION","description":"The sample of make demo"}}')
        prompt=$(echo "$answer" | member id)
        [ -n "$prompt" ] || die "createPrompt was answered: $answer"
    fi

    case $answer in
        *'"version":'*) return ;;
    esac

    answer=$(ask 'mutation($input: CreatePromptVersionInput!) { createPromptVersion(input: $input) { version } }' \
        "{\"input\":{\"promptId\":\"$prompt\",\"content\":\"Summarize in one line, for {{audience}}:\\n\\n{{text}}\",\"params\":{\"temperature\":0.2,\"max_tokens\":200},\"inputSchema\":{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"},\"audience\":{\"type\":\"string\",\"default\":\"everybody\"}},\"required\":[\"text\"]}}}")

    case $answer in
        *'"version":'*) ;;
        *) die "createPromptVersion was answered: $answer" ;;
    esac
}

execute() {
    local query='mutation($id: ID!, $input: JSON!) { executePrompt(promptId: $id, input: $input) { output latencyMs tokenIn tokenOut costUsd executionId versionUsed } }'
    local variables="{\"id\":\"$prompt\",\"input\":{\"text\":\"nginx can serve a whole prompt management service by itself.\"}}"
    local answer

    answer=$(ask "$query" "$variables")

    echo "Request:"
    echo "  POST http://127.0.0.1:$port/graphql"
    echo "  {\"query\":\"$query\",\"variables\":$variables}"
    echo
    echo "Answer:"
    echo "  $answer"
    echo

    case $answer in
        *'"output":'*) ;;
        *) die "the sample prompt could not be executed; see $demo/error.log" ;;
    esac
}

in_the_browser() {
    if [ -f "$root/build/dashboard/manifest" ]; then
        cat <<END

In the browser: ${PROMPT_URL%/graphql}/dashboard/
  e-mail    ${PROMPT_EMAIL:-}
  password  ${PROMPT_PASSWORD:-}
GraphQL by hand: ${PROMPT_URL%/graphql}/console
  (it takes that sign-in, or the key: PROMPT_API_KEY in build/demo/env)
END
    else
        echo "There are no pages for people: the dashboard could not be built."
    fi
}

# other_protocols: a command, a program and a configuration, a line each
other_protocols() {
    local url=${PROMPT_URL%/graphql} variables='"text": "Some long text."'

    cat <<END
As OpenAI's API, by hand and by its library (pip install openai), and for a
client of MCP:

  curl -sS $url/openai/v1/responses -H "Authorization: Bearer \$PROMPT_API_KEY" -H 'Content-Type: application/json' -d '{"prompt": {"id": "summarize-in-one-line", "variables": {$variables}}}'
  python3 -c 'import openai, os; print(openai.OpenAI(base_url="$url/openai/v1", api_key=os.environ["PROMPT_API_KEY"]).responses.create(prompt={"id": "summarize-in-one-line", "variables": {$variables}}).output_text)'
  {"mcpServers": {"prompts": {"type": "http", "url": "$url/mcp", "headers": {"Authorization": "Bearer ${PROMPT_API_KEY:-}"}}}}
END
}

how_to_go_on() {
    cat <<END
It runs on $PROMPT_URL
(health and metrics: ${PROMPT_URL%/graphql}/health, ${PROMPT_URL%/graphql}/metrics).
$(in_the_browser)

To go on:

  . build/demo/env
  build/promptctl prompts
  build/promptctl run summarize-in-one-line -i text='Some long text.'
  curl -H "Authorization: Bearer \$PROMPT_API_KEY" \\
      -H 'Content-Type: application/json' \\
      -d '{"query":"{ me { email } prompts { name } }"}' \$PROMPT_URL

$(other_protocols)

The configuration is build/demo/nginx.conf, the log build/demo/error.log.
\`make down' stops everything.
END
}

up() {
    case $port in
        '' | *[!0-9]*) die "PROMPT_PORT is no number: $port" ;;
    esac

    if [ -f "$env" ] && running; then
        . "$env"
        echo "The demo runs already."
        how_to_go_on
        return
    fi

    [ ! -f "$demo/nginx.pid" ] || stop_nginx
    port_free || port_taken

    mkdir -p "$demo"
    # env is what users source; that of the services stands aside
    "$root/tools/services.sh" start "$demo" --durable --private \
        --env="$demo/env.services"

    database
    write_conf
    write_env
    start_nginx
    . "$env"

    sample
    execute
    how_to_go_on
}

stop_nginx() {
    local pid i

    pid=$(nginx_pid) || { rm -f "$demo/nginx.pid"; return 0; }

    kill -QUIT "$pid" 2>/dev/null || true

    for i in $(seq 100); do
        nginx_pid >/dev/null || return 0
        sleep 0.1
    done

    kill -TERM "$pid" 2>/dev/null || true
    sleep 1
    rm -f "$demo/nginx.pid"
}

down() {
    local was=

    if nginx_pid >/dev/null || "$root/tools/services.sh" running "$demo"; then
        was=1
    fi

    [ ! -d "$demo" ] || {
        stop_nginx
        "$root/tools/services.sh" stop "$demo" --keep
    }

    if [ "${1:-}" != --quiet ]; then
        if [ -n "$was" ]; then
            echo "The demo is stopped; its data is in build/demo."
        else
            echo "No demo is running."
        fi
    fi
}

case ${1:-} in
    up)   up ;;
    down) down "${2:-}" ;;
    *)
        echo "usage: demo.sh up|down" >&2
        exit 2
    ;;
esac
