# Builds, tests and installs ngx_http_prompt_module.  GNU make.
#
#     make            the module and promptctl, in build/
#     make help       what else there is
#
# NGINX_SRC=DIR builds against the nginx source in DIR instead of the nginx
# that the distribution installed.  What takes more than a line is in tools/.

B           ?= build
NGINX_SRC   ?=
PREFIX      ?= /usr/local
DESTDIR     ?=

CC          ?= cc
HOSTCC      ?= $(CC)
AR          ?= ar
CFLAGS      ?= -O2 -g
SANITIZE    ?=
WARNINGS    ?= -Wall -Wextra -Wshadow

PKG_CONFIG  ?= pkg-config

ifneq ($(SANITIZE),)
SANFLAGS    := -fsanitize=$(SANITIZE) -fno-sanitize-recover=undefined \
               -fno-omit-frame-pointer
endif

COMPILE      = $(CC) -std=gnu11 $(WARNINGS) $(CFLAGS) $(SANFLAGS) $(CPPFLAGS) \
               -Isrc -MMD -MP
LINK         = $(CC) $(CFLAGS) $(SANFLAGS) $(LDFLAGS) -Wl,--as-needed

# plain C: no nginx, tested and fuzzed by itself
FLOORS      := syntax types values validate execute
CORE_DIRS   := src/base src/graphql $(addprefix src/graphql/,$(FLOORS)) \
               src/graphql_http src/regex src/jsonschema src/prompt \
               src/provider src/store src/trace
CORE_SRC    := $(wildcard $(addsuffix /*.c,$(CORE_DIRS)))
CORE_OBJ    := $(CORE_SRC:%.c=$(B)/obj/%.o) $(B)/obj/gen/service_schema.o \
               $(B)/obj/gen/schema_number.o
CORE        := $(B)/libprompt-core.a

# schema.graphql becomes tables: by a program that runs where it is built, which
# tests have in their library, too
SCHEMA_SRC  := $(filter-out %/main.c,$(wildcard tools/schema/*.c))
SCHEMA_DEPS := schema.graphql tools/schema/make.sh \
               $(wildcard $(addsuffix /*.[ch],tools/schema src/base \
                   $(addprefix src/graphql/,syntax types values)))

CTL_SRC     := $(wildcard src/ctl/*.c)
CTL_OBJ     := $(CTL_SRC:%.c=$(B)/obj/%.o) $(B)/obj/gen/migrations.o \
               $(B)/obj/gen/restore_sql.o
CTL         := $(B)/libpromptctl.a
CTL_PKGS    := libpq hiredis libcurl libargon2 jansson
RESTORE_SQL := $(sort $(wildcard src/ctl/restore/*.sql))
MIGRATIONS  := $(sort $(wildcard src/store/migrations/*.sql))

# releases to come, for tests: promptctl with migrations of their own, and the
# number by which a module takes itself for one of them (LD_PRELOAD)
NEXT_SQL             := $(sort $(wildcard t/fixtures/migrations/*.sql))
MIGRATIONS_contract  := $(MIGRATIONS) $(NEXT_SQL)
MIGRATIONS_expand    := $(filter-out %_contract.sql,$(MIGRATIONS_contract))
NEXT                 := $(foreach n,expand contract,$(B)/next/$n/promptctl \
                            $(B)/next/$n/schema.so)

MODULE      := $(B)/ngx_http_prompt_module.so
MODULE_SRC  := $(wildcard ngx_http_prompt_module.c src/conf/*.[ch] \
                   src/io/*.[ch] src/service/*/*.[ch] src/http/*.[ch] \
                   src/openai/*.[ch] src/mcp/*.[ch] \
                   src/metrics/*.[ch] src/store/migrations/*.sql \
                   $(addsuffix /*.[ch],$(CORE_DIRS)))

UNIT_SRC    := $(wildcard t/unit/*.c)
UNIT        := $(UNIT_SRC:t/unit/%.c=$(B)/unit/%)
DRIVER_SRC  := $(wildcard t/conformance/driver*.c)
# what driver, unit tests and fuzz targets share
TEST_OBJ    := $(patsubst %.c,$(B)/obj/%.o,$(wildcard t/lib/c/*.c) \
                   $(SCHEMA_SRC))
TEST_LIB    := $(B)/libprompt-test.a
FUZZ_SRC    := $(wildcard t/fuzz/*.c)
FUZZERS     := $(FUZZ_SRC:t/fuzz/%.c=$(B)/fuzz/%)

CTL_CFLAGS   = $(shell $(PKG_CONFIG) --cflags $(CTL_PKGS) 2>/dev/null)
CTL_LIBS     = $(shell $(PKG_CONFIG) --libs $(CTL_PKGS) 2>/dev/null)

# with NGINX_SRC tests and demo run that nginx
ifneq ($(NGINX_SRC),)
NGINX_OF_SRC       := $(B)/nginx/nginx
export PROMPT_NGINX := $(abspath $(B)/nginx/nginx)
endif

# targets that build first do so with all cores, unless told otherwise
JOBS        ?= $(shell nproc 2>/dev/null || echo 2)
PARALLEL     = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(JOBS))
SUBMAKE      = $(MAKE) --no-print-directory $(PARALLEL)

# the module looks for the dashboard where it is installed
export PROMPT_PREFIX := $(PREFIX)

export NGINX_SRC CC HOSTCC


VERSIONS    ?=

.PHONY: all help deps dashboard dashboard-budget demo down test test-long \
        build-versions test-versions test-browser pages browser picture test-llama \
        test-patroni test-valkey test-pooler soak bench growth scale fuzz asan \
         test-valgrind lint install uninstall deb test-deb rehearsal test-nginx-org \
         test-arm64 release-check test-bare clean unit core \
         driver fuzzers test-programs io-test run-asan FORCE

all: $(MODULE) $(NGINX_OF_SRC) $(B)/promptctl

help:
	@sed -n 's/^#: //p' Makefile


#: make                 build/ngx_http_prompt_module.so and build/promptctl
#: make deps            install what is missing to build, run and test
deps:
	@tools/deps.sh install build run test bench lint fuzz dashboard

#: make dashboard       the pages for people, in build/dashboard (wants node)
dashboard:
	@tools/deps.sh install dashboard
	@node dashboard/build.mjs $(B)/dashboard

#: make dashboard-budget  their sizes, against the limits
dashboard-budget: dashboard
	@node dashboard/budget.mjs $(B)/dashboard

#: make demo            the whole service from nothing, on PROMPT_PORT (8080)
demo:
	@tools/deps.sh install build run
	@$(SUBMAKE) all
	@$(SUBMAKE) dashboard || echo 'demo: without the dashboard' >&2
	@tools/demo.sh up

#: make down            stop what make demo started
down:
	@tools/demo.sh down

# what is wanted beside programs: where tests are named, a browser for its own
NAMED  = $(if $(findstring t/browser,$(T)),browser)

#: make test            the tests (T='t/prompts.t t/auth.t' for some)
test:
	@tools/deps.sh install build run test
	@$(SUBMAKE) test-programs $(if $(strip $(T)),$(NAMED),pages)
	@t/run $(T)

#: make test-long       those that load, kill, measure or need a browser
test-long:
	@tools/deps.sh install build run test
	@$(SUBMAKE) test-programs $(if $(strip $(T)),$(NAMED),browser)
	@t/run --long $(T)

#: make test-browser    the dashboard in chromium, also what takes long
test-browser:
	@tools/deps.sh install build run test
	@$(SUBMAKE) all
	@$(SUBMAKE) browser
	@PROMPT_BROWSER=all t/run $(or $(T),$(wildcard t/browser/*.t))

# what cannot be had is no error here: those tests are skipped, and say why
pages:
	+@$(SUBMAKE) dashboard || echo 'test: without the dashboard' >&2

browser: pages
	@tools/deps.sh install browser \
		|| echo 'test: without a browser' >&2

#: make picture         docs/dashboard.png, of what make demo runs
picture:
	@tools/deps.sh install browser
	@. build/demo/env && node tools/picture.mjs

#: make test-llama      a real server of a language model behind the module
test-llama:
	@tools/deps.sh install build run test
	@$(SUBMAKE) all
	@prove t/llama/llama.t

#: make build-versions  the module for the nginx and libraries of later Debians
build-versions:
	@tools/deps.sh install build run versions
	+@tools/versions.sh build $(VERSIONS)

#: make test-versions   the same, and tests there (VERSIONS='debian-13' for some)
test-versions:
	@tools/deps.sh install build run test versions
	+@$(SUBMAKE) test-programs
	+@tools/versions.sh test $(VERSIONS)

#: make test-valkey     keys and sessions with Valkey in the place of Redis
test-valkey: VERSIONS = valkey-8

#: make test-pooler     behind a later pgbouncer, with prepared statements
test-pooler: VERSIONS = pgbouncer-1.24

test-valkey test-pooler: test-versions

#: make test-patroni    three PostgreSQL under Patroni fail over under load
test-patroni:
	@tools/deps.sh install build run test patroni
	@$(SUBMAKE) all
	@prove t/patroni/failover.t

#: make soak            mixed load under harm for SOAK_MINUTES (60), by hand
soak:
	@tools/deps.sh install build run soak
	@$(SUBMAKE) all
	@node t/soak/soak.t

#: make bench           the benchmark, as ratios against bounds of the same run
bench:
	@tools/deps.sh install build run bench
	@$(SUBMAKE) all $(B)/pipeline
	@tools/bench.sh

#: make growth          cost against size, as plots in docs/growth
growth:
	@tools/deps.sh install build run bench
	@$(SUBMAKE) all
	@tools/growth.sh

#: make scale           cost as the service grows and on several hosts, for docs/scaling.md
scale:
	@tools/deps.sh install build run bench
	@$(SUBMAKE) all
	@tools/scale.sh

#: make fuzz            each fuzz target for FUZZ_SECONDS (60)
fuzz:
	@tools/deps.sh install build fuzz
	@tools/fuzz.sh

#: make asan            all tests with AddressSanitizer and UBSan, in build/asan
asan:
	@tools/deps.sh install build run test
	@$(SUBMAKE) B=build/asan SANITIZE=address,undefined \
		CFLAGS='-O1 -g' run-asan

run-asan: test-programs
	@t/run --asan $(T)

#: make test-valgrind   all tests under valgrind
test-valgrind:
	@tools/deps.sh install build run test valgrind
	@$(SUBMAKE) test-programs
	@t/run --valgrind $(T)

#: make lint            format and static checks, no warning allowed
lint:
	@tools/deps.sh install build lint
	@tools/deps.sh install dashboard || true
	@tools/lint

$(B)/ngx_http_prompt_module.5: docs/directives.md tools/man.pl
	@mkdir -p $(@D)
	tools/man.pl docs/directives.md ngx_http_prompt_module 5 > $@.tmp
	@mv $@.tmp $@

#: make install         module, promptctl, sample and man pages (DESTDIR, PREFIX),
#:                      and the dashboard where it was built
install: all $(B)/ngx_http_prompt_module.5
	@DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' B='$(B)' tools/install.sh

#: make uninstall       takes away again what make install has put there
uninstall:
	@DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' B='$(B)' \
		tools/install.sh uninstall

#: make deb             Debian packages, in build/deb (wants node)
deb:
	@tools/deps.sh install build deb
	+@$(SUBMAKE) dashboard
	@tools/deb.sh build/deb

#: make test-deb        builds and installs them in clean Debians, as the documents
#:                      say, and does what the Dockerfile does
test-deb:
	@tools/deps.sh install test-deb
	@t/packages/run

#: make rehearsal       packages: an upgrade to a release to come, under load, and back
rehearsal:
	@tools/deps.sh install build deb test-deb rehearsal
	+@$(SUBMAKE) dashboard
	@t/packages/rehearsal

#: make test-nginx-org  the module with an nginx as nginx.org builds it
test-nginx-org:
	@tools/deps.sh install build run test
	+@t/packages/nginx_org

#: make test-arm64      cross-compiled; unit tests and nginx -t by qemu
test-arm64:
	@tools/deps.sh install build arm64
	+@t/packages/arm64

#: make release-check   what a release is tried with beside the tests: packages in
#:                      clean Debians 12 and 13, nginx.org's nginx, arm64
release-check: test-deb
	@PROMPT_DEBIAN=trixie t/packages/run
	+@$(SUBMAKE) test-nginx-org
	+@$(SUBMAKE) test-arm64

#: make test-bare       the README's two commands in a Debian that has nothing
test-bare:
	@tools/deps.sh install test-deb
	@t/packages/bare

#: make clean           removes build/, after make down
clean:
	@tools/demo.sh down --quiet
	rm -rf build


# the module: nginx's own configure and Makefile, in $(B)/nginx

$(MODULE): $(B)/nginx.inputs $(MODULE_SRC) config config.make $(SCHEMA_DEPS) \
		tools/embed.sh tools/module.sh
	+tools/module.sh build $(B)

$(B)/nginx.inputs: FORCE
	@SANFLAGS='$(SANFLAGS)' CFLAGS='$(CFLAGS)' LDFLAGS='$(LDFLAGS)' \
		tools/module.sh inputs $(B) $(MODULE_SRC)


$(B)/nginx/nginx: $(MODULE)
	+tools/module.sh binary $(B)


# plain C

core: $(CORE)

$(CORE): $(CORE_OBJ)
	@rm -f $@
	@echo '$(AR) rcs $@'
	@$(AR) rcs $@ $^

$(B)/obj/src/ctl/%.o $(B)/obj/gen/migrations.o: COMPILE += $(CTL_CFLAGS)

$(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(COMPILE) -c -o $@ $<

$(B)/obj/gen/%.o: $(B)/gen/%.c
	@mkdir -p $(@D)
	$(COMPILE) -c -o $@ $<

$(B)/gen/service_schema.c: $(SCHEMA_DEPS)
	@mkdir -p $(@D)
	tools/schema/make.sh schema.graphql $@

# touched where a migration comes or goes: one that is gone makes nothing newer
$(B)/gen/migrations.list: FORCE
	@mkdir -p $(@D)
	@echo '$(MIGRATIONS_contract)' | cmp -s - $@ \
		|| echo '$(MIGRATIONS_contract)' > $@

define SCHEMA_NUMBER
@mkdir -p $(@D)
HEADERS=store/schema_version.h \
	tools/embed.sh count prompt_migrations_last $(1) > $@.tmp
@mv $@.tmp $@
endef

define MIGRATION_TEXTS
@mkdir -p $(@D)
HEADERS=ctl/migrations.h tools/embed.sh list ctl_migration_t \
	ctl_migrations $(1) > $@.tmp
@mv $@.tmp $@
endef

$(B)/gen/schema_number.c: $(MIGRATIONS) $(B)/gen/migrations.list tools/embed.sh
	$(call SCHEMA_NUMBER,$(MIGRATIONS))

$(B)/gen/migrations.c: $(MIGRATIONS) $(B)/gen/migrations.list tools/embed.sh
	$(call MIGRATION_TEXTS,$(MIGRATIONS))

$(B)/gen/restore_sql.c: $(RESTORE_SQL) tools/embed.sh
	@mkdir -p $(@D)
	@HEADERS=ctl/migrations.h tools/embed.sh list ctl_migration_t \
		ctl_restore_sql $(RESTORE_SQL) > $@.tmp
	@mv $@.tmp $@


# promptctl

$(B)/promptctl: $(CTL_OBJ) $(CORE)
	$(LINK) -o $@ $^ $(CTL_LIBS)

$(CTL): $(CTL_OBJ)
	@rm -f $@
	@echo '$(AR) rcs $@'
	@$(AR) rcs $@ $^


# the benchmark's bound by PostgreSQL

$(B)/obj/t/bench/%.o: COMPILE += $(CTL_CFLAGS)

$(B)/pipeline: $(B)/obj/t/bench/pipeline.o
	$(LINK) -o $@ $^ $(shell $(PKG_CONFIG) --libs libpq 2>/dev/null)


# tests: every t/unit/*.c is a program that prints TAP

unit: $(UNIT)

test-programs: all $(UNIT) $(NEXT) driver $(B)/failing.so $(B)/names.so \
		$(B)/measured $(B)/ngx_http_prompt_module.5 io-test

# suites of src/io ask for it, too, and find it
io-test: all
	@t/io/build.sh $(B)/io-test $(if $(SANITIZE),-fsanitize=$(SANITIZE))

$(B)/gen/next/%/schema_number.c: $(MIGRATIONS_contract) \
		$(B)/gen/migrations.list tools/embed.sh
	$(call SCHEMA_NUMBER,$(MIGRATIONS_$*))

$(B)/gen/next/%/migrations.c: $(MIGRATIONS_contract) \
		$(B)/gen/migrations.list tools/embed.sh
	$(call MIGRATION_TEXTS,$(MIGRATIONS_$*))

# what stands before the libraries takes the place of what is in them
$(B)/next/%/promptctl: $(B)/obj/gen/next/%/migrations.o \
		$(B)/obj/gen/next/%/schema_number.o $(CTL) $(CORE)
	@mkdir -p $(@D)
	$(LINK) -o $@ $^ $(CTL_LIBS)

$(B)/next/%/schema.so: $(B)/gen/next/%/schema_number.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 $(WARNINGS) $(CFLAGS) -Isrc -shared -fPIC -o $@ $<

$(TEST_LIB): $(TEST_OBJ)
	@rm -f $@
	@echo '$(AR) rcs $@'
	@$(AR) rcs $@ $^

$(B)/unit/%: $(B)/obj/t/unit/%.o $(CTL) $(TEST_LIB) $(CORE)
	@mkdir -p $(@D)
	$(LINK) -o $@ $^ $(CTL_LIBS) -lm

$(B)/obj/t/%.o: COMPILE += -It/lib/c -Itools
$(B)/obj/tools/%.o: COMPILE += -Itools
$(B)/obj/t/unit/%.o: COMPILE += -It/unit $(CTL_CFLAGS)

$(B)/measured: t/lib/measured.c
	$(COMPILE) -o $@ $<

$(B)/%.so: t/lib/%.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 $(WARNINGS) $(CFLAGS) -shared -fPIC -o $@ $<

driver: $(if $(DRIVER_SRC),$(B)/gql-driver)

$(B)/gql-driver: $(DRIVER_SRC:%.c=$(B)/obj/%.o) $(TEST_LIB) $(CORE)
	$(LINK) -o $@ $^ -lm

fuzzers: $(FUZZERS)

$(B)/fuzz/%: $(B)/obj/t/fuzz/%.o $(TEST_LIB) $(CORE)
	@mkdir -p $(@D)
	$(LINK) -fsanitize=fuzzer -o $@ $^ -lm

.SECONDARY:

-include $(shell [ -d $(B)/obj ] && find $(B)/obj -name '*.d')
