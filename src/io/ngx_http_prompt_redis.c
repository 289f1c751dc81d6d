/*
 * Commands to Redis, from the moment they are given to the moment they are
 * answered.  The connection is in ngx_http_prompt_redis_connection.c.
 */

#include "io/ngx_http_prompt_redis_impl.h"

#include "base/spare.h"


#define REDIS_PATIENCE_MIN   1000                /* ms */
#define REDIS_MAX_OUT        (4 * 1024 * 1024)   /* bytes not sent yet */
#define REDIS_MAX_REPLY      (1024 * 1024)

/* a number in front of a word, or of all: its kind, digits, the line's end */
#define REDIS_WORD_HEAD      (1 + NGX_INT64_LEN + 2)


static ngx_http_prompt_redis_command_t *ngx_http_prompt_redis_add(
    ngx_http_prompt_redis_t *redis, const prompt_str_t *words, ngx_uint_t n,
    ngx_http_prompt_redis_done_pt done, void *data);
static ngx_http_prompt_redis_command_t *ngx_http_prompt_redis_new(
    ngx_http_prompt_redis_t *redis, ngx_http_prompt_redis_done_pt done,
    void *data);
static void ngx_http_prompt_redis_push(
    ngx_http_prompt_redis_command_t *command, ngx_msec_t timeout);
static void ngx_http_prompt_redis_head(prompt_buf_t *out, char kind,
    size_t n);
static void ngx_http_prompt_redis_late_handler(ngx_event_t *ev);
static void ngx_http_prompt_redis_translate(
    ngx_http_prompt_redis_reply_t *reply, redisReply *from);


static prompt_spare_t  ngx_http_prompt_redis_spare;      /* commands */


ngx_http_prompt_redis_t *
ngx_http_prompt_redis_create(ngx_cycle_t *cycle,
    ngx_http_prompt_redis_conf_t *conf)
{
    ngx_http_prompt_redis_t  *redis;

    redis = ngx_calloc(sizeof(ngx_http_prompt_redis_t), cycle->log);
    if (redis == NULL) {
        return NULL;
    }

    redis->conf = conf;
    redis->patience = ngx_max(10 * conf->timeout, REDIS_PATIENCE_MIN);

    redis->log = *cycle->log;
    redis->quiet = *cycle->log;
    redis->quiet.log_level = ngx_min(redis->quiet.log_level, NGX_LOG_ALERT);

    ngx_http_prompt_timer_init(&redis->timer,
                               ngx_http_prompt_redis_timer_handler, redis,
                               &redis->log);
    redis->timer.event.cancelable = 1;

    redis->last = &redis->first;
    prompt_buf_init(&redis->out, REDIS_MAX_OUT);

    ngx_http_prompt_redis_connect(redis);

    return redis;
}


void
ngx_http_prompt_redis_close(ngx_http_prompt_redis_t *redis)
{
    ngx_http_prompt_redis_command_t  *command;

    if (redis == NULL) {
        return;
    }

    ngx_http_prompt_redis_disconnect(redis);

    while (redis->first != NULL) {
        command = redis->first;
        redis->first = command->next;

        ngx_http_prompt_timer_stop(&command->timer);

        prompt_spare_give(&ngx_http_prompt_redis_spare, command);
    }

    prompt_spare_free(&ngx_http_prompt_redis_spare);
    ngx_free(redis);
}


ngx_http_prompt_redis_command_t *
ngx_http_prompt_redis_command(ngx_http_prompt_redis_t *redis,
    const prompt_str_t *words, ngx_uint_t n, ngx_msec_t timeout,
    ngx_http_prompt_redis_done_pt done, void *data)
{
    ngx_http_prompt_redis_command_t  *command;

    if (!ngx_http_prompt_redis_up(redis)) {
        redis->stats.refused++;
        return NULL;
    }

    command = ngx_http_prompt_redis_add(redis, words, n, done, data);
    if (command == NULL) {
        return NULL;
    }

    ngx_http_prompt_redis_push(command, timeout);

    return command;
}


ngx_http_prompt_redis_command_t *
ngx_http_prompt_redis_asking(ngx_http_prompt_redis_t *redis,
    const prompt_str_t *words, ngx_uint_t n, ngx_msec_t timeout,
    ngx_http_prompt_redis_done_pt done, void *data)
{
    size_t                            len;
    prompt_str_t                      word;
    ngx_http_prompt_redis_command_t  *asking, *command;

    if (!ngx_http_prompt_redis_up(redis)) {
        redis->stats.refused++;
        return NULL;
    }

    len = redis->out.len;
    word = prompt_str("ASKING");

    asking = ngx_http_prompt_redis_add(redis, &word, 1, NULL, NULL);
    if (asking == NULL) {
        return NULL;
    }

    command = ngx_http_prompt_redis_add(redis, words, n, done, data);

    if (command == NULL) {

        /* one without the other would be for whatever comes next */

        prompt_buf_truncate(&redis->out, len);
        prompt_spare_give(&ngx_http_prompt_redis_spare, asking);

        return NULL;
    }

    asking->timer.event.cancelable = 1;

    ngx_http_prompt_redis_push(asking, timeout);
    ngx_http_prompt_redis_push(command, timeout);

    return command;
}


/* A command whose words are in what is to be sent; NULL: none of it is. */
static ngx_http_prompt_redis_command_t *
ngx_http_prompt_redis_add(ngx_http_prompt_redis_t *redis,
    const prompt_str_t *words, ngx_uint_t n,
    ngx_http_prompt_redis_done_pt done, void *data)
{
    ngx_http_prompt_redis_command_t  *command;

    command = ngx_http_prompt_redis_new(redis, done, data);

    if (command != NULL
        && ngx_http_prompt_redis_append(redis, words, n) == NGX_OK)
    {
        ngx_log_debug3(NGX_LOG_DEBUG_HTTP, &redis->log, 0,
                       "prompt redis: sends %*s to \"%V\"", words[0].len,
                       words[0].data, &redis->conf->name);
        return command;
    }

    if (command != NULL) {
        prompt_spare_give(&ngx_http_prompt_redis_spare, command);
    }

    /* the buffer may be refusing: with nothing in it to be sent, too */

    ngx_post_event(redis->connection->write, &ngx_posted_events);
    redis->stats.refused++;

    return NULL;
}


static ngx_http_prompt_redis_command_t *
ngx_http_prompt_redis_new(ngx_http_prompt_redis_t *redis,
    ngx_http_prompt_redis_done_pt done, void *data)
{
    ngx_http_prompt_redis_command_t  *command;

    command = prompt_spare_take(&ngx_http_prompt_redis_spare,
                                sizeof(ngx_http_prompt_redis_command_t));
    if (command == NULL) {
        return NULL;
    }

    ngx_memzero(command, sizeof(ngx_http_prompt_redis_command_t));

    command->redis = redis;
    command->data = data;
    command->done = done;

    ngx_http_prompt_timer_init(&command->timer,
                               ngx_http_prompt_redis_late_handler, command,
                               &redis->log);

    return command;
}


/* What is to be sent has its words: it waits for its answer. */
static void
ngx_http_prompt_redis_push(ngx_http_prompt_redis_command_t *command,
    ngx_msec_t timeout)
{
    ngx_http_prompt_redis_t  *redis;

    redis = command->redis;

    ngx_add_timer(&command->timer.event,
                  timeout != 0 ? timeout : redis->conf->timeout);

    *redis->last = command;
    redis->last = &command->next;

    redis->stats.in_flight++;
    redis->stats.commands++;

    /* what is asked in one round of the event loop goes out in one write */

    ngx_post_event(redis->connection->write, &ngx_posted_events);
}


void
ngx_http_prompt_redis_detach(ngx_http_prompt_redis_command_t *command)
{
    command->done = NULL;

    /* nobody waits for it, so a worker that quits need not either */

    command->timer.event.cancelable = 1;
}


ngx_uint_t
ngx_http_prompt_redis_up(ngx_http_prompt_redis_t *redis)
{
    return redis->state == REDIS_READY
           && redis->late == 0
           && redis->stats.in_flight < NGX_HTTP_PROMPT_REDIS_MAX_PENDING;
}


void
ngx_http_prompt_redis_stats(ngx_http_prompt_redis_t *redis,
    ngx_http_prompt_redis_stats_t *stats)
{
    *stats = redis->stats;
    stats->up = ngx_http_prompt_redis_is_up(redis);
}


/*
 * In place, as Redis reads it: the number of words, then each behind its
 * length.
 */
ngx_int_t
ngx_http_prompt_redis_append(ngx_http_prompt_redis_t *redis,
    const prompt_str_t *words, ngx_uint_t n)
{
    size_t         len;
    ngx_uint_t     i;
    prompt_buf_t  *out;

    if (n > NGX_HTTP_PROMPT_REDIS_MAX_WORDS) {
        return NGX_ERROR;
    }

    out = &redis->out;
    len = REDIS_WORD_HEAD;

    for (i = 0; i < n; i++) {

        if (words[i].len > REDIS_MAX_OUT) {
            return NGX_ERROR;
        }

        len += REDIS_WORD_HEAD + words[i].len + 2;
    }

    /*
     * A buffer that once refused stays refusing; what it holds is whole, and
     * the write handler, which the caller sees to, renews it when that is sent.
     */

    if (!prompt_buf_reserve(out, len)) {
        return NGX_ERROR;
    }

    ngx_http_prompt_redis_head(out, '*', n);

    for (i = 0; i < n; i++) {
        ngx_http_prompt_redis_head(out, '$', words[i].len);
        prompt_buf_str(out, words[i]);
        prompt_buf_literal(out, "\r\n");
    }

    return NGX_OK;
}


static void
ngx_http_prompt_redis_head(prompt_buf_t *out, char kind, size_t n)
{
    prompt_buf_char(out, kind);
    prompt_buf_int(out, (int64_t) n);
    prompt_buf_literal(out, "\r\n");
}


/* A command is overdue: tells the owner, and keeps the record. */
static void
ngx_http_prompt_redis_late_handler(ngx_event_t *ev)
{
    ngx_http_prompt_redis_t          *redis;
    ngx_http_prompt_redis_command_t  *command;
    ngx_http_prompt_redis_done_pt     done;
    ngx_http_prompt_redis_reply_t     reply;

    command = ngx_http_prompt_timer_owner(ev);
    redis = command->redis;

    command->late = 1;

    if (redis->late++ == 0) {
        ngx_add_timer(&redis->timer.event, redis->patience);
    }

    done = command->done;

    if (done == NULL) {
        return;
    }

    command->done = NULL;
    redis->stats.timeouts++;

    ngx_memzero(&reply, sizeof(ngx_http_prompt_redis_reply_t));
    reply.kind = NGX_HTTP_PROMPT_REDIS_TIMEOUT;

    done(command->data, &reply);
}


const char *
ngx_http_prompt_redis_replies(ngx_http_prompt_redis_t *redis)
{
    void                             *p;
    const char                       *failure;
    redisReply                       *from;
    ngx_http_prompt_redis_command_t  *command;
    ngx_http_prompt_redis_reply_t     reply;

    for ( ;; ) {
        p = NULL;

        if (redisReaderGetReply(redis->reader, &p) != REDIS_OK) {
            return "unreadable answer";
        }

        if (p == NULL) {
            break;
        }

        from = p;

        if (redis->state == REDIS_HANDSHAKE) {
            failure = ngx_http_prompt_redis_greeted(redis, from);
            freeReplyObject(from);

            if (failure != NULL) {
                return failure;
            }

            continue;
        }

        command = redis->first;

        if (command == NULL) {
            freeReplyObject(from);
            return "an answer without a command";
        }

        redis->first = command->next;

        if (redis->first == NULL) {
            redis->last = &redis->first;
        }

        ngx_http_prompt_redis_translate(&reply, from);

        if (reply.kind == NGX_HTTP_PROMPT_REDIS_ERROR) {
            redis->stats.errors++;
        }

        ngx_http_prompt_redis_finish(command, &reply);

        freeReplyObject(from);
    }

    if (redis->reader->len - redis->reader->pos > REDIS_MAX_REPLY) {
        return "answer too long";
    }

    return NULL;
}


void
ngx_http_prompt_redis_finish(ngx_http_prompt_redis_command_t *command,
    const ngx_http_prompt_redis_reply_t *reply)
{
    ngx_http_prompt_redis_t  *redis;

    redis = command->redis;

    ngx_log_debug2(NGX_LOG_DEBUG_HTTP, &redis->log, 0,
                   "prompt redis: %s from \"%V\"",
                   ngx_http_prompt_redis_kind(reply), &redis->conf->name);

    redis->stats.in_flight--;

    ngx_http_prompt_timer_stop(&command->timer);

    if (command->late) {
        redis->late--;

        /* an answer, if a late one: Redis lives, so the patience is renewed */

        if (ngx_http_prompt_redis_is_up(redis)) {
            if (redis->late == 0) {
                ngx_http_prompt_timer_stop(&redis->timer);

            } else {
                ngx_add_timer(&redis->timer.event, redis->patience);
            }
        }
    }

    if (command->done != NULL) {
        command->done(command->data, reply);
    }

    prompt_spare_give(&ngx_http_prompt_redis_spare, command);
}


static void
ngx_http_prompt_redis_translate(ngx_http_prompt_redis_reply_t *reply,
    redisReply *from)
{
    static const ngx_http_prompt_redis_kind_e  kinds[] = {
        [REDIS_REPLY_STRING] = NGX_HTTP_PROMPT_REDIS_STRING,
        [REDIS_REPLY_ARRAY] = NGX_HTTP_PROMPT_REDIS_ARRAY,
        [REDIS_REPLY_INTEGER] = NGX_HTTP_PROMPT_REDIS_INTEGER,
        [REDIS_REPLY_NIL] = NGX_HTTP_PROMPT_REDIS_NIL,
        [REDIS_REPLY_STATUS] = NGX_HTTP_PROMPT_REDIS_STATUS,
        [REDIS_REPLY_ERROR] = NGX_HTTP_PROMPT_REDIS_ERROR
    };

    ngx_memzero(reply, sizeof(ngx_http_prompt_redis_reply_t));

    reply->kind = from->type >= REDIS_REPLY_STRING
                  && from->type <= REDIS_REPLY_ERROR
                  ? kinds[from->type] : NGX_HTTP_PROMPT_REDIS_OTHER;

    switch (reply->kind) {

    case NGX_HTTP_PROMPT_REDIS_INTEGER:
        reply->integer = from->integer;
        break;

    case NGX_HTTP_PROMPT_REDIS_ARRAY:
        reply->array = from;
        break;

    case NGX_HTTP_PROMPT_REDIS_STRING:
    case NGX_HTTP_PROMPT_REDIS_STATUS:
    case NGX_HTTP_PROMPT_REDIS_ERROR:
        reply->text = prompt_str_of(from->str, from->len);
        break;

    default:
        break;
    }
}
