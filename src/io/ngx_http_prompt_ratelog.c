/*
 * Lines of the error log for what can happen again and again.
 *
 * What is under way stands in a small table, which a worker has for as long as
 * it lives: nothing of it belongs to a request, or to a cycle.  A timer looks
 * what has become quiet; where nothing is wrong, there is no timer.
 */

#include <ngx_config.h>
#include <ngx_core.h>

#include "base/ratelog.h"
#include "io/ngx_http_prompt_timer.h"
#include "io/ngx_http_prompt_ratelog.h"


#define RATELOG_MAX     64           /* at a time; of more, the quietest goes */
#define RATELOG_OF      48           /* bytes of whose it is */
#define RATELOG_LOOK    10000        /* ms */


typedef struct {
    ngx_uint_t   level;
    const char  *over;
} ngx_http_prompt_ratelog_kind_t;


typedef struct {
    ngx_http_prompt_ratelog_e   kind;
    prompt_ratelog_t            ratelog;
    size_t                      len;
    char                        of[RATELOG_OF];
} ngx_http_prompt_ratelog_entry_t;


static ngx_http_prompt_ratelog_entry_t *ngx_http_prompt_ratelog_find(
    ngx_http_prompt_ratelog_e kind, prompt_str_t of);
static ngx_http_prompt_ratelog_entry_t *ngx_http_prompt_ratelog_add(
    ngx_http_prompt_ratelog_e kind, prompt_str_t of);
static void ngx_http_prompt_ratelog_watch(void);
static void ngx_http_prompt_ratelog_handler(ngx_event_t *ev);
static void ngx_http_prompt_ratelog_end(
    const ngx_http_prompt_ratelog_entry_t *entry, ngx_log_t *log, uint64_t ms,
    uint64_t count);


#define ngx_http_prompt_ratelog_row(name, level, over)                        \
    { NGX_LOG_ ## level, over },

static const ngx_http_prompt_ratelog_kind_t  ngx_http_prompt_ratelog_kinds[] =
{
    NGX_HTTP_PROMPT_RATELOGS(ngx_http_prompt_ratelog_row)
};

#undef ngx_http_prompt_ratelog_row


static ngx_http_prompt_ratelog_entry_t
    ngx_http_prompt_ratelog_entries[RATELOG_MAX];
static ngx_uint_t               ngx_http_prompt_ratelog_count;
static ngx_http_prompt_timer_t  ngx_http_prompt_ratelog_timer;


void
ngx_http_prompt_ratelog(ngx_http_prompt_ratelog_e kind, prompt_str_t of,
    ngx_log_t *log, const char *format, ...)
{
    u_char                           *p;
    va_list                           args;
    uint64_t                          more;
    ngx_uint_t                        level;
    ngx_http_prompt_ratelog_entry_t  *entry;
    u_char                            text[NGX_MAX_ERROR_STR / 2];

    entry = ngx_http_prompt_ratelog_find(kind, of);

    if (entry == NULL) {
        entry = ngx_http_prompt_ratelog_add(kind, of);
        ngx_http_prompt_ratelog_watch();
    }

    level = ngx_http_prompt_ratelog_kinds[kind].level;

    if (log->log_level < level) {
        prompt_ratelog_unsaid(&entry->ratelog, ngx_current_msec);
        return;
    }

    if (!prompt_ratelog_seen(&entry->ratelog, ngx_current_msec, &more)) {
        return;
    }

    va_start(args, format);
    p = ngx_vslprintf(text, text + sizeof(text), format, args);
    va_end(args);

    if (more == 0) {
        ngx_log_error(level, log, 0, "%*s", (size_t) (p - text), text);

    } else {
        ngx_log_error(level, log, 0, "%*s (%uL more since)",
                      (size_t) (p - text), text, more);
    }
}


ngx_uint_t
ngx_http_prompt_ratelogs(ngx_http_prompt_ratelog_e kind, prompt_str_t of)
{
    bool                                    say;
    const ngx_http_prompt_ratelog_entry_t  *entry;

    entry = ngx_http_prompt_ratelog_find(kind, of);

    return entry != NULL && entry->ratelog.count != 0
           && !prompt_ratelog_calm(&entry->ratelog, ngx_current_msec, &say);
}


void
ngx_http_prompt_ratelog_over(ngx_http_prompt_ratelog_e kind, prompt_str_t of,
    ngx_log_t *log)
{
    uint64_t                          ms, count;
    ngx_http_prompt_ratelog_entry_t  *entry;

    entry = ngx_http_prompt_ratelog_find(kind, of);

    if (entry != NULL
        && prompt_ratelog_over(&entry->ratelog, ngx_current_msec, &ms, &count))
    {
        ngx_http_prompt_ratelog_end(entry, log, ms, count);
    }
}


static ngx_http_prompt_ratelog_entry_t *
ngx_http_prompt_ratelog_find(ngx_http_prompt_ratelog_e kind, prompt_str_t of)
{
    size_t                            len;
    ngx_uint_t                        i;
    ngx_http_prompt_ratelog_entry_t  *entry;

    len = ngx_min(of.len, RATELOG_OF);

    for (i = 0; i < ngx_http_prompt_ratelog_count; i++) {
        entry = &ngx_http_prompt_ratelog_entries[i];

        if (entry->kind == kind && entry->len == len
            && (len == 0 || ngx_memcmp(entry->of, of.data, len) == 0))
        {
            return entry;
        }
    }

    return NULL;
}


/* in the place of what was quiet for longest, where there is no room */
static ngx_http_prompt_ratelog_entry_t *
ngx_http_prompt_ratelog_add(ngx_http_prompt_ratelog_e kind, prompt_str_t of)
{
    ngx_uint_t                        i;
    ngx_http_prompt_ratelog_entry_t  *entry, *entries;

    entries = ngx_http_prompt_ratelog_entries;

    if (ngx_http_prompt_ratelog_count < RATELOG_MAX) {
        entry = &entries[ngx_http_prompt_ratelog_count++];

    } else {
        entry = &entries[0];

        for (i = 1; i < RATELOG_MAX; i++) {
            if (entries[i].ratelog.last < entry->ratelog.last) {
                entry = &entries[i];
            }
        }
    }

    ngx_memzero(entry, sizeof(ngx_http_prompt_ratelog_entry_t));

    entry->kind = kind;
    entry->len = ngx_min(of.len, RATELOG_OF);

    if (entry->len != 0) {
        ngx_memcpy(entry->of, of.data, entry->len);
    }

    return entry;
}


/* A worker that quits does not wait for it. */
static void
ngx_http_prompt_ratelog_watch(void)
{
    ngx_http_prompt_timer_t  *timer;

    timer = &ngx_http_prompt_ratelog_timer;

    if (timer->event.timer_set) {
        return;
    }

    ngx_http_prompt_timer_init(timer, ngx_http_prompt_ratelog_handler, NULL,
                               ngx_cycle->log);
    timer->event.cancelable = 1;

    ngx_add_timer(&timer->event, RATELOG_LOOK);
}


static void
ngx_http_prompt_ratelog_handler(ngx_event_t *ev)
{
    bool                              say;
    ngx_uint_t                        i;
    ngx_http_prompt_ratelog_entry_t  *entry, *entries;

    (void) ev;

    i = 0;
    entries = ngx_http_prompt_ratelog_entries;

    while (i < ngx_http_prompt_ratelog_count) {
        entry = &entries[i];

        if (!prompt_ratelog_calm(&entry->ratelog, ngx_current_msec, &say)) {
            i++;
            continue;
        }

        /* what was over without a line is counted as held back only */

        if (say) {
            ngx_http_prompt_ratelog_end(entry, ngx_cycle->log,
                             entry->ratelog.last - entry->ratelog.began,
                             ngx_max(entry->ratelog.count,
                                     entry->ratelog.held));
        }

        *entry = entries[--ngx_http_prompt_ratelog_count];
    }

    if (ngx_http_prompt_ratelog_count != 0) {
        ngx_http_prompt_ratelog_watch();
    }
}


static void
ngx_http_prompt_ratelog_end(const ngx_http_prompt_ratelog_entry_t *entry,
    ngx_log_t *log, uint64_t ms, uint64_t count)
{
    ngx_str_t                              of;
    const ngx_http_prompt_ratelog_kind_t  *kind;

    kind = &ngx_http_prompt_ratelog_kinds[entry->kind];

    of.data = (u_char *) entry->of;
    of.len = entry->len;

    /* whoever does not see that it begins need not know that it is over */

    ngx_log_error(ngx_max(kind->level, NGX_LOG_NOTICE), log, 0, kind->over,
                  ms / 1000, count, &of);
}
