/*
 * What all commands share: messages, options given, clocks, randomness.
 */

#define _GNU_SOURCE  1                       /* vasprintf() */

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/random.h"
#include "base/time.h"
#include "base/utf8.h"
#include "ctl/commands.h"
#include "prompt/text.h"


#define CTL_DURATION_MAX  (INT64_C(100) * 366 * 86400 * 1000)


static int  ctl_failed = CTL_FAILED;


/*
 * Messages name what others wrote: files, names, an endpoint's errors.  So
 * they are one line each, without what controls a terminal.
 */
void
ctl_error(const char *format, ...)
{
    char          *text;
    va_list        args;
    prompt_str_t   shown;

    (void) fflush(stdout);

    va_start(args, format);

    if (vasprintf(&text, format, args) == -1) {
        text = NULL;
    }

    va_end(args);

    (void) fputs("promptctl: ", stderr);

    if (text != NULL) {
        shown = ctl_shown(text, prompt_str_from(text), "");
        (void) fwrite(shown.data, 1, shown.len, stderr);
        free(text);
    }

    (void) fputc('\n', stderr);
}


void
ctl_hint(const ctl_t *ctl)
{
    bool  known;

    known = ctl != NULL && ctl->command != NULL;

    (void) fprintf(stderr, "Try \"promptctl %s%s--help\" for more"
                   " information.\n", known ? ctl->command->name : "",
                   known ? " " : "");

    ctl_end(CTL_WRONG);
}


void
ctl_give_up(void)
{
    ctl_end(ctl_failed);
}


void
ctl_fail_as(int status)
{
    ctl_failed = status;
}


void
ctl_end(int status)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        ctl_error("cannot write to standard output");
        status = CTL_FAILED;
    }

    exit(status);
}


prompt_str_t
ctl_shown(char *out, prompt_str_t text, const char *kept)
{
    size_t       n;
    uint32_t     c;
    const char  *p, *end, *start;

    n = 0;
    p = text.data;
    end = p + text.len;

    while (p < end) {
        start = p;
        c = prompt_utf8_next(&p, end);

        if (prompt_text_is_control(c) && (c > 0x7f || c == 0
                                          || strchr(kept, (int) c) == NULL))
        {
            out[n++] = '?';
            continue;
        }

        memmove(out + n, start, (size_t) (p - start));
        n += (size_t) (p - start);
    }

    return prompt_str_of(out, n);
}


const char *
ctl_given(const ctl_t *ctl, const char *name)
{
    size_t       i;
    const char  *value, *last;

    i = 0;
    last = NULL;

    while ((value = ctl_given_next(ctl, name, &i)) != NULL) {
        last = value;
    }

    return last;
}


const char *
ctl_given_next(const ctl_t *ctl, const char *name, size_t *i)
{
    const ctl_given_t  *given;

    while (*i < ctl->ngiven) {
        given = &ctl->given[(*i)++];

        if (strcmp(given->name, name) == 0) {
            return given->value;
        }
    }

    return NULL;
}


const char *
ctl_setting(const ctl_t *ctl, const char *option, const char *variable)
{
    const char  *value;

    value = ctl_given(ctl, option);

    if (value == NULL) {
        value = getenv(variable);
    }

    return value != NULL && value[0] != '\0' ? value : NULL;
}


long
ctl_number(const ctl_t *ctl, const char *name, const char *text, long max,
    long none)
{
    long   number;
    char  *end;

    if (text == NULL) {
        return none;
    }

    number = text[0] >= '0' && text[0] <= '9' ? strtol(text, &end, 10) : 0;

    if (number < 1 || number > max || *end != '\0') {
        ctl_wrong(ctl, "%s must be a number from 1 %s, not \"%s\"", name,
                  max == INT32_MAX ? "on"
                                   : ctl_printf(ctl, "to %ld", max).data,
                  text);
    }

    return number;
}


void
ctl_label(const ctl_t *ctl, const char *option, size_t max)
{
    ctl_label_is(ctl, ctl_printf(ctl, "--%s", option).data,
                 ctl_given(ctl, option), max);
}


void
ctl_label_is(const ctl_t *ctl, const char *what, const char *text, size_t max)
{
    prompt_check_t  check;
    prompt_fault_t  fault;

    check = prompt_text_label(ctl->arena, prompt_str_from(text),
                              prompt_str_from(what), max, &fault);

    if (check == PROMPT_CHECK_FAULT) {
        ctl_wrong(ctl, "%.*s", prompt_str_arg(fault.message));
    }

    if (check != PROMPT_CHECK_OK) {
        ctl_no_memory();
    }
}


prompt_str_t
ctl_printf(const ctl_t *ctl, const char *format, ...)
{
    va_list       args;
    prompt_str_t  text;

    va_start(args, format);
    text = prompt_arena_vprintf(ctl->arena, format, args);
    va_end(args);

    if (text.data == NULL) {
        ctl_no_memory();
    }

    return text;
}


prompt_str_t
ctl_copy(const ctl_t *ctl, prompt_str_t text)
{
    text = prompt_arena_copy(ctl->arena, text);

    if (text.data == NULL) {
        ctl_no_memory();
    }

    return text;
}


void
ctl_random(void *bytes, size_t len)
{
    if (!prompt_random(bytes, len)) {
        ctl_fail("cannot get random bytes from the kernel");
    }
}


prompt_uuid_t
ctl_uuid(void)
{
    uint8_t                     random[PROMPT_UUID_RANDOM_LEN];
    prompt_uuid_t               id;
    static prompt_uuid_state_t  state;

    ctl_random(random, sizeof(random));
    prompt_uuid_make(&state, (uint64_t) ctl_now_ms(), random, &id);

    return id;
}


bool
ctl_duration(const char *text, int64_t *ms)
{
    char                     *end;
    size_t                    i;
    int64_t                   n;
    static const struct {
        const char           *name;
        int64_t               ms;
    }                         units[] = {
        { "", 1000 },
        { "ms", 1 },
        { "s", 1000 },
        { "m", 60 * 1000 },
        { "h", 3600 * 1000 },
        { "d", 86400 * 1000 }
    };

    if (text[0] < '0' || text[0] > '9') {
        return false;
    }

    errno = 0;
    n = strtoll(text, &end, 10);

    if (errno != 0) {
        return false;
    }

    for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {

        if (strcmp(end, units[i].name) != 0) {
            continue;
        }

        if (n > CTL_DURATION_MAX / units[i].ms) {
            return false;
        }

        *ms = n * units[i].ms;

        return true;
    }

    return false;
}


bool
ctl_moment(const char *text, int sign, int64_t *time)
{
    char     day[32];
    size_t   len;
    int64_t  ms;

    len = strlen(text);

    (void) snprintf(day, sizeof(day), "%.10sT00:00:00Z", text);

    if (prompt_time_parse(prompt_str_from(text), time)
        || (len == 10 && prompt_time_parse(prompt_str_from(day), time)))
    {
        return true;
    }

    if (len == 0 || text[len - 1] <= '9' || !ctl_duration(text, &ms)) {
        return false;
    }

    *time = (ctl_now_ms() + sign * ms) * 1000;

    return true;
}


int64_t
ctl_clock_ms(clockid_t clock)
{
    struct timespec  ts;

    (void) clock_gettime(clock, &ts);

    return (int64_t) ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}


void
ctl_sleep(int64_t ms)
{
    struct timespec  left;

    left.tv_sec = (time_t) (ms / 1000);
    left.tv_nsec = (long) (ms % 1000) * 1000000;

    while (clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left) == EINTR) {
        /* a signal: not yet */
    }
}
