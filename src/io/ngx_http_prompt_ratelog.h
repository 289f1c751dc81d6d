/*
 * Lines of the error log for what can happen again and again because of
 * something outside: PostgreSQL, Redis, a provider, a disk, clients.  None of
 * them comes without limit (base/ratelog.h), a worker counts for itself.
 *
 * Whatever a request or a task can cause is told by these functions, not by
 * ngx_log_error().  docs/messages.md has all messages for the operator.
 */

#ifndef NGX_HTTP_PROMPT_RATELOG_H
#define NGX_HTTP_PROMPT_RATELOG_H

#include <ngx_config.h>
#include <ngx_core.h>

#include "base/str.h"


/*
 * Kinds that are counted by themselves: name, level, and what is said when it
 * is over, of seconds, how often it happened, and whose it was.
 */
#define NGX_HTTP_PROMPT_RATELOGS(kind)                                        \
    kind(POSTGRES, ERR,                                                       \
         "postgresql: connected again after %uL s, %uL failures")             \
    kind(STANDBY, WARN,                                                       \
         "standby: connected again after %uL s, %uL failures")                \
    kind(STANDBY_OTHER, ERR,                                                  \
         "prompt: no standby was found wrong for a minute; in %uL s before "  \
         "that, %uL answers were")                                            \
    kind(STANDBY_LAG, NOTICE,                                                 \
         "prompt: no standby was too far behind for a minute; in %uL s "      \
         "before that, %uL reads found it so")                                \
    kind(POSITION, WARN,                                                      \
         "prompt: positions of changes were told for a minute; in %uL s "     \
         "before that, %uL were not")                                         \
    kind(POSTGRES_ENDED, INFO,                                                \
         "postgresql: no connection was ended for a minute; in %uL s before " \
         "that, %uL were")                                                    \
    kind(POSTGRES_UNNAMED, NOTICE,                                            \
         "postgresql: prepared statements are used again after %uL s; %uL "   \
         "were of no use")                                                    \
    kind(POSTGRES_ANSWER, ERR,                                                \
         "prompt: PostgreSQL answers again after %uL s, %uL queries failed")  \
    kind(POSTGRES_REFUSED, ERR,                                               \
         "prompt: nothing was refused by PostgreSQL for a minute; in %uL s "  \
         "before that, %uL queries were: %V")                                 \
    kind(SCHEMA, ERR,                                                         \
         "prompt: the database schema was not found wrong for a minute; in "  \
         "%uL s before that, %uL times")                                      \
    kind(DATABASE, WARN,                                                      \
         "prompt: the database stayed the same for a minute; in %uL s before " \
         "that, it became another one %uL times")                             \
    kind(REDIS, ERR,                                                          \
         "redis: connected again after %uL s, %uL failures, to \"%V\"")       \
    kind(REDIS_SCRIPT, WARN,                                                  \
         "prompt: Redis refused no script for a minute; in %uL s before "     \
         "that, %uL times")                                                   \
    kind(REVOCATION, WARN,                                                    \
         "prompt: no revocation went unconfirmed for a minute; in %uL s "     \
         "before that, %uL did")                                              \
    kind(PROVIDER, ERR,                                                       \
         "prompt: calls are answered again after %uL s, %uL failed, by the "  \
         "provider \"%V\"")                                                   \
    kind(PROVIDER_REFUSED, INFO,                                              \
         "prompt: nothing was refused for a minute; in %uL s before that, "   \
         "%uL calls were, by the provider \"%V\"")                            \
    kind(AUDIT, ERR,                                                          \
         "prompt: what is refused is in the audit log again after %uL s, %uL " \
         "rows were lost")                                                    \
    kind(CALL_LEFT, INFO,                                                     \
         "prompt: no client left its call for a minute; in %uL s before "     \
         "that, %uL did")                                                     \
    kind(STORED, ERR,                                                         \
         "prompt: nothing stored was found wrong for a minute; in %uL s "     \
         "before that, %uL times")                                            \
    kind(MEMORY, ERR,                                                         \
         "prompt: memory was enough for a minute; in %uL s before that, it "  \
         "was not %uL times")                                                 \
    kind(ANSWERS, WARN,                                                       \
         "prompt: there was room for answers for a minute; in %uL s before "  \
         "that, there was none %uL times")                                    \
    kind(BODY, ERR,                                                           \
         "prompt: bodies of requests were read for a minute; in %uL s "       \
         "before that, %uL were not")                                         \
    kind(RECORDING, WARN,                                                     \
         "prompt: starts of executions were recorded for a minute; in %uL s " \
         "before that, %uL were not")                                         \
    kind(REMOVAL, WARN,                                                       \
         "prompt: removing deleted prompts did not fail for a minute; in "    \
         "%uL s before that, it did %uL times")                               \
    kind(CLOCK, WARN,                                                         \
         "prompt: PostgreSQL's clock did not jump for a minute; in %uL s "    \
         "before that, it did %uL times")                                     \
    kind(MONTH, ERR,                                                          \
         "prompt: months could be made for a minute; in %uL s before that, "  \
         "they could not %uL times")                                          \
    kind(SWEEP, WARN,                                                         \
         "prompt: no execution was lost for a minute; in %uL s before that, " \
         "some were %uL times")                                               \
    kind(GUARD, WARN,                                                         \
         "prompt: no version of a label passed the bounds of its guard "      \
         "unmoved for a minute; in %uL s before that, some did %uL times")    \
    kind(NAME, WARN,                                                          \
         "prompt: it is found again after %uL s, %uL look-ups failed, of "     \
         "\"%V\"")                                                             \
    kind(MOVED, WARN,                                                         \
         "prompt: Redis did not move for a minute; in %uL s before that, it " \
         "did %uL times")                                                     \
    kind(SIGN_IN_LIMITED, NOTICE,                                             \
         "prompt: no sign-in was held up for a minute; in %uL s before that, "\
         "%uL were")                                                          \
    kind(SIGN_IN_FAILED, ERR,                                                 \
         "prompt: signing in did not fail for a minute; in %uL s before "     \
         "that, it did %uL times")


#define ngx_http_prompt_ratelog_kind(name, level, over)                       \
    NGX_HTTP_PROMPT_RATELOG_ ## name,

typedef enum {
    NGX_HTTP_PROMPT_RATELOGS(ngx_http_prompt_ratelog_kind)
    NGX_HTTP_PROMPT_NRATELOGS
} ngx_http_prompt_ratelog_e;

#undef ngx_http_prompt_ratelog_kind


/*
 * Writes a line to log, as ngx_log_error() would, where it is due.  of: whose
 * it is, where each is to be counted by itself (a provider, an SQLSTATE; its
 * first bytes are kept), absent otherwise; there are few of them, and no
 * client chooses them.
 */
void ngx_http_prompt_ratelog(ngx_http_prompt_ratelog_e kind, prompt_str_t of,
    ngx_log_t *log, const char *format, ...);

/* Whether it goes on, of whoever it is. */
ngx_uint_t ngx_http_prompt_ratelogs(ngx_http_prompt_ratelog_e kind,
    prompt_str_t of);

/* It is over; writes a line where one said that it began. */
void ngx_http_prompt_ratelog_over(ngx_http_prompt_ratelog_e kind,
    prompt_str_t of, ngx_log_t *log);

#endif /* NGX_HTTP_PROMPT_RATELOG_H */
