# nginx with the prompt module, promptctl and the dashboard.
#
#     docker build -t prompt .
#
# The first stage builds the Debian packages, the second one installs them.
# packaging/docker/nginx.conf is the configuration, compose.yaml starts it with
# PostgreSQL and Redis.

ARG DEBIAN=debian:12.11-slim

FROM ${DEBIAN} AS build

SHELL ["/bin/bash", "-o", "pipefail", "-c"]

RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        build-essential ca-certificates debhelper libargon2-dev \
        libcurl4-openssl-dev libhiredis-dev libjansson-dev libpq-dev nginx \
        nginx-dev nodejs npm pkg-config \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /src
COPY . .
RUN make deb


FROM ${DEBIAN}

COPY --from=build /src/build/deb/*.deb /tmp/packages/

# certificates are for providers, curl is for the health check
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        ca-certificates curl /tmp/packages/*.deb \
    && rm -rf /var/lib/apt/lists/* /tmp/packages

COPY packaging/docker/*.conf /etc/prompt/
COPY packaging/docker/entrypoint.sh /usr/local/bin/prompt-entrypoint

# 33 is Debian's www-data; the master, too, has no other rights
USER 33:33
EXPOSE 8080 9145
STOPSIGNAL SIGQUIT

HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
    CMD ["curl", "-fsS", "-o", "/dev/null", "http://127.0.0.1:8080/health"]

ENTRYPOINT ["prompt-entrypoint"]
CMD ["nginx", "-c", "/etc/prompt/nginx.conf", "-e", "/dev/stderr"]
