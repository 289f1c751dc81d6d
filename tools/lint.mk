# The static checks of `make lint', a stamp for each file and tool, so that
# only what has changed is looked at again.  Started by tools/lint.

L        := build/lint
NGX      ?= /usr/share/nginx/src
OBJS     ?= build/nginx

PLAIN    := $(wildcard src/base/*.c src/graphql/*.c src/graphql/*/*.c \
                src/graphql_http/*.c src/regex/*.c src/jsonschema/*.c \
                src/prompt/*.c src/provider/*.c src/store/*.c \
                src/trace/*.c src/ctl/*.c t/unit/*.c \
                t/lib/c/*.c t/fuzz/*.c t/conformance/driver*.c \
                tools/schema/*.c)
NGINX    := $(wildcard ngx_http_prompt_module.c src/conf/*.c src/io/*.c \
                src/http/*.c src/openai/*.c src/mcp/*.c \
                src/service/*/*.c src/metrics/*.c)

WARN     := -Wall -Wextra -Wshadow -Wdeclaration-after-statement \
            -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition \
            -Wpointer-arith -Wvla -Wformat -Wformat-security -Werror
PLAIN_W  := -Wundef -Wwrite-strings
GCC_WARN := -Wlogical-op -Wduplicated-cond -Wduplicated-branches \
            -Wjump-misses-init

INCS     := -Isrc -Itools -It/unit -It/lib/c $(shell pkg-config --cflags libpq hiredis \
                libcurl jansson | sed 's/-I/-isystem /g')
NGX_INCS := -Isrc $(shell pkg-config --cflags-only-I libpq hiredis libcurl \
                | sed 's/-I/-isystem /g') \
            $(addprefix -isystem $(NGX)/src/,core event event/modules \
                event/quic os/unix http http/modules http/v2 http/v3) \
            -isystem $(OBJS)

TIDY     := clang-tidy --quiet
NGX_OFF  := -clang-analyzer-unix.Malloc,-clang-analyzer-core.NullDereference
# unit tests may take for granted that what they call succeeds
TIDIED   := $(filter-out t/unit/%,$(PLAIN)) $(NGINX)
STAMPS   := $(PLAIN:%.c=$(L)/%.gcc) $(NGINX:%.c=$(L)/%.gcc) \
            $(TIDIED:%.c=$(L)/%.tidy) \
            $(patsubst %.c,$(L)/%.clang,$(filter t/unit/%,$(PLAIN)))

.PHONY: all
all: $(STAMPS)

# gcc, with its analyzer where there is no nginx
$(PLAIN:%.c=$(L)/%.gcc): $(L)/%.gcc: %.c
	@mkdir -p $(@D)
	@gcc -std=gnu11 -O1 $(WARN) $(PLAIN_W) $(GCC_WARN) \
		$(ANALYZER) $(INCS) \
		-MMD -MP -MF $@.d -MT $@ -c -o /dev/null $<
	@touch $@

$(PLAIN:%.c=$(L)/%.gcc): ANALYZER := -fanalyzer

# tests leak on purpose at their end, and the analyzer takes long over them
$(patsubst %.c,$(L)/%.gcc,$(filter t/%,$(PLAIN))): ANALYZER :=

$(NGINX:%.c=$(L)/%.gcc): $(L)/%.gcc: %.c
	@mkdir -p $(@D)
	@gcc -std=gnu11 -O1 $(WARN) $(GCC_WARN) \
		-Wno-unused-parameter $(NGX_INCS) \
		-MMD -MP -MF $@.d -MT $@ -c -o /dev/null $<
	@touch $@

# clang-tidy says what clang's own warnings are, too
$(PLAIN:%.c=$(L)/%.clang): $(L)/%.clang: %.c
	@mkdir -p $(@D)
	@clang -std=gnu11 -O1 $(WARN) $(PLAIN_W) $(INCS) -MMD -MP -MF $@.d \
		-MT $@ -c -o /dev/null $<
	@touch $@

$(PLAIN:%.c=$(L)/%.tidy): $(L)/%.tidy: %.c $(L)/%.gcc .clang-tidy
	@$(TIDY) $< -- -std=gnu11 $(WARN) $(PLAIN_W) $(INCS) 2>$@.err >$@.out \
		|| { cat $@.out; exit 1; }
	@touch $@

# nginx's queues hide from the analyzer which element it is that was freed
$(NGINX:%.c=$(L)/%.tidy): $(L)/%.tidy: %.c $(L)/%.gcc .clang-tidy
	@$(TIDY) --checks=$(NGX_OFF) $< -- -std=gnu11 $(WARN) \
		-Wno-unused-parameter $(NGX_INCS) 2>$@.err >$@.out \
		|| { cat $@.out; exit 1; }
	@touch $@

-include $(shell [ -d $(L) ] && find $(L) -name '*.d')
