/*
 * src/io at the end of a location, for its tests: nothing of the service.
 *
 *     io_redis_server ADDRESS ...;      as prompt_redis
 *     io_postgres_server CONNINFO ...;  as prompt_postgres
 *
 *     io_redis [TIMEOUT];               the words of the command are the
 *                                       arguments of the URL, separated by &
 *     io_postgres [unconditional];      s=1,0&p=TEXT&t=MS: the numbers of the
 *                                       statements below, each with the
 *                                       parameter p where it takes one; l=ROW,
 *                                       o=ROW (that is not locked) and u=USER,
 *                                       16 characters each; long=1;
 *                                       row=1: of one row;
 *                                       b=BYTES: the budget of its rows;
 *                                       x: with all cells as a checksum;
 *                                       d=N: drops N rows of each set;
 *                                       snapshot: as the first statement
 *     io_provider URI TIMEOUT [MAX];    body: that of the request
 *     io_stats;
 *
 * Every answer is one line: how it ended, and what came.
 */

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "base/buf.h"
#include "base/crc32.h"
#include "io/ngx_http_prompt_postgres_impl.h"
#include "io/ngx_http_prompt_provider.h"
#include "io/ngx_http_prompt_redis.h"
#include "prompt/limits.h"
#include "store/range.h"


#define IO_TEST_WORDS  8


typedef struct {
    ngx_http_prompt_redis_conf_t        redis_conf;
    ngx_http_prompt_postgres_conf_t     postgres_conf;
    ngx_http_prompt_postgres_check_t    check;
    ngx_http_prompt_redis_t            *redis;
    ngx_http_prompt_postgres_t         *postgres;
    ngx_uint_t                          calls;      /* of the provider */
    ngx_uint_t                          in_flight;
    ngx_str_t                           detach;
    ngx_http_prompt_postgres_task_t    *last;    /* not told yet, or NULL */
} ngx_http_prompt_io_test_main_conf_t;


typedef struct {
    ngx_msec_t    timeout;
    ngx_str_t     uri;
    size_t        max;
    ngx_uint_t    unconditional;
} ngx_http_prompt_io_test_loc_conf_t;


/* A request that waits; lives in its pool. */
typedef struct {
    ngx_http_request_t               *request;
    ngx_http_prompt_redis_command_t  *redis;
    ngx_http_prompt_postgres_task_t  *postgres;
    prompt_query_t                   *query;
    ngx_uint_t                        budget;
    ngx_uint_t                        checksum;
    unsigned                          drop;
} ngx_http_prompt_io_test_ctx_t;


static void *ngx_http_prompt_io_test_create_main_conf(ngx_conf_t *cf);
static void *ngx_http_prompt_io_test_create_loc_conf(ngx_conf_t *cf);
static ngx_int_t ngx_http_prompt_io_test_init(ngx_conf_t *cf);
static ngx_int_t ngx_http_prompt_io_test_init_process(ngx_cycle_t *cycle);
static void ngx_http_prompt_io_test_exit_process(ngx_cycle_t *cycle);
static char *ngx_http_prompt_io_test_location(ngx_conf_t *cf,
    ngx_command_t *cmd, void *conf);


static ngx_command_t  ngx_http_prompt_io_test_commands[] = {

    { ngx_string("io_redis_server"),
      NGX_HTTP_MAIN_CONF|NGX_CONF_1MORE,
      ngx_http_prompt_conf_redis,
      NGX_HTTP_MAIN_CONF_OFFSET,
      offsetof(ngx_http_prompt_io_test_main_conf_t, redis_conf), NULL },

    { ngx_string("io_postgres_server"),
      NGX_HTTP_MAIN_CONF|NGX_CONF_1MORE,
      ngx_http_prompt_conf_postgres,
      NGX_HTTP_MAIN_CONF_OFFSET,
      offsetof(ngx_http_prompt_io_test_main_conf_t, postgres_conf), NULL },

    { ngx_string("io_redis"),
      NGX_HTTP_LOC_CONF|NGX_CONF_NOARGS|NGX_CONF_TAKE1,
      ngx_http_prompt_io_test_location,
      NGX_HTTP_LOC_CONF_OFFSET, 0, NULL },

    { ngx_string("io_postgres"),
      NGX_HTTP_LOC_CONF|NGX_CONF_NOARGS|NGX_CONF_TAKE1,
      ngx_http_prompt_io_test_location,
      NGX_HTTP_LOC_CONF_OFFSET, 0, NULL },

    { ngx_string("io_provider"),
      NGX_HTTP_LOC_CONF|NGX_CONF_TAKE23,
      ngx_http_prompt_io_test_location,
      NGX_HTTP_LOC_CONF_OFFSET, 0, NULL },

    { ngx_string("io_stats"),
      NGX_HTTP_LOC_CONF|NGX_CONF_NOARGS,
      ngx_http_prompt_io_test_location,
      NGX_HTTP_LOC_CONF_OFFSET, 0, NULL },

      ngx_null_command
};


static ngx_http_module_t  ngx_http_prompt_io_test_module_ctx = {
    NULL,                                       /* preconfiguration */
    ngx_http_prompt_io_test_init,               /* postconfiguration */

    ngx_http_prompt_io_test_create_main_conf,   /* create main configuration */
    NULL,                                       /* init main configuration */

    NULL,                                       /* create server config. */
    NULL,                                       /* merge server config. */

    ngx_http_prompt_io_test_create_loc_conf,    /* create location config. */
    NULL                                        /* merge location config. */
};


ngx_module_t  ngx_http_prompt_io_test_module = {
    NGX_MODULE_V1,
    &ngx_http_prompt_io_test_module_ctx,        /* module context */
    ngx_http_prompt_io_test_commands,           /* module directives */
    NGX_HTTP_MODULE,                            /* module type */
    NULL,                                       /* init master */
    NULL,                                       /* init module */
    ngx_http_prompt_io_test_init_process,       /* init process */
    NULL,                                       /* init thread */
    NULL,                                       /* exit thread */
    ngx_http_prompt_io_test_exit_process,       /* exit process */
    NULL,                                       /* exit master */
    NGX_MODULE_V1_PADDING
};


#define IO_TEST_TEXT  25                        /* the type's OID */
#define IO_TEST_ID    900                       /* beyond those of the store */

static const uint32_t  ngx_http_prompt_io_test_text[] = { IO_TEST_TEXT };

static const prompt_statement_t  ngx_http_prompt_io_test_statements[] = {
    { IO_TEST_ID + 0, "io_one", "SELECT 1::text", 0, NULL, 1, 0,
      PROMPT_STATEMENT_READS, 0, 0, NULL },
    { IO_TEST_ID + 1, "io_echo", "SELECT $1::text", 1,
      ngx_http_prompt_io_test_text, 1, 0,
      PROMPT_STATEMENT_READS, 0, 0, NULL },
    { IO_TEST_ID + 2, "io_sleep", "SELECT pg_sleep($1::float8)::text", 1,
      ngx_http_prompt_io_test_text, 1, 0,
      PROMPT_STATEMENT_READS, 0, 0, NULL },
    { IO_TEST_ID + 3, "io_insert",
      "INSERT INTO io (v) VALUES ($1) RETURNING id::text", 1,
      ngx_http_prompt_io_test_text, 1, 0,
      PROMPT_STATEMENT_COMMITS, 0, 0, NULL },
    { IO_TEST_ID + 4, "io_error",
      "SELECT (1 / (length($1) - length($1)))::text", 1,
      ngx_http_prompt_io_test_text, 1, 0,
      PROMPT_STATEMENT_READS, 0, 0, NULL },
    { IO_TEST_ID + 5, "io_rows", "SELECT repeat('x', 100) FROM "
      "generate_series(1, $1::int4)", 1,
      ngx_http_prompt_io_test_text, 1, 0,
      PROMPT_STATEMENT_READS, 0, 0, NULL },
    { IO_TEST_ID + 6, "io_missing", "SELECT v FROM io_missing", 0, NULL, 1, 0,
      PROMPT_STATEMENT_READS, 0, 0, NULL },
    { IO_TEST_ID + 7, "io_count",
      "SELECT count(*)::text FROM io", 0, NULL, 1, 0,
      PROMPT_STATEMENT_READS, 0, 0, NULL },
    { IO_TEST_ID + 8, "io_null", "SELECT NULL::text", 0, NULL, 1, 0,
      PROMPT_STATEMENT_READS, 0, 0, NULL },
    { IO_TEST_ID + 9, "io_change", "SELECT * FROM io_change", 0, NULL, 1, 0,
      PROMPT_STATEMENT_READS, 0, 0, NULL },
    { IO_TEST_ID + 10, "io_notice", "SELECT io_notice($1)", 1,
      ngx_http_prompt_io_test_text, 1, 0,
      PROMPT_STATEMENT_READS, 0, 0, NULL },
    { IO_TEST_ID + 11, "io_types", "SELECT i, i::int8, NULL::text, '', "
      "repeat('x', i % 3000), md5(i::text)::uuid, i % 2 = 0, i / 3.0::float8, "
      "decode(md5(i::text), 'hex'), CASE WHEN i % 3 = 0 THEN i::text END, "
      "json_build_object('i', i), '2026-01-01'::timestamptz + i * '1s'"
      "::interval FROM generate_series(1, $1::int4) i", 1,
      ngx_http_prompt_io_test_text, 12, 0,
      PROMPT_STATEMENT_READS, 0, 0, NULL },
    { IO_TEST_ID + 12, "io_large", "SELECT repeat('x', 1048576) FROM "
      "generate_series(1, $1::int4)", 1,
      ngx_http_prompt_io_test_text, 1, 0,
      PROMPT_STATEMENT_READS, 0, 0, NULL },
    { IO_TEST_ID + 13, "io_stored", "SELECT v FROM io_stored LIMIT $1::int4", 1,
      ngx_http_prompt_io_test_text, 1, 0,
      PROMPT_STATEMENT_READS, 0, 0, NULL },
    { IO_TEST_ID + 14, "io_pause",
      "SELECT repeat('x', 10000), CASE WHEN i = 100 THEN "
      "pg_sleep($1::float8)::text END FROM generate_series(1, 200) i", 1,
      ngx_http_prompt_io_test_text, 2, 0,
      PROMPT_STATEMENT_READS, 0, 0, NULL },
    { IO_TEST_ID + 15, "io_breaks",
      "SELECT i::text, (1 / (1000 - i))::text FROM "
      "generate_series(1, 2000) i", 0, NULL, 2, 0,
      PROMPT_STATEMENT_READS, 0, 0, NULL },
    { IO_TEST_ID + 16, "io_small", "SELECT i::text, 'row ' || i FROM "
      "generate_series(1, $1::int4) i", 1,
      ngx_http_prompt_io_test_text, 2, 0,
      PROMPT_STATEMENT_READS, 0, 0, NULL },
    { IO_TEST_ID + 17, "io_returning", "INSERT INTO io (v) SELECT $1 || i FROM "
      "generate_series(1, 1000) i RETURNING repeat('x', 1000)", 1,
      ngx_http_prompt_io_test_text, 1, 0,
      PROMPT_STATEMENT_COMMITS, 0, 0, NULL },
    { IO_TEST_ID + 18, "io_lock",
      "SELECT v FROM io_row WHERE v = $1 FOR UPDATE", 1,
      ngx_http_prompt_io_test_text, 1, 0,
      PROMPT_STATEMENT_WRITES, 0, 0, NULL },
    { IO_TEST_ID + 19, "io_lock_first",
      "SELECT v FROM io_row WHERE v = 'first' FOR UPDATE",
      0, NULL, 1, 0,
      PROMPT_STATEMENT_WRITES, 0, 0, NULL },

    /* each weighs as much as a connection may keep */

    { IO_TEST_ID + 20, "io_heavy", "SELECT 'heavy'::text", 0, NULL, 1, 0,
      PROMPT_STATEMENT_READS, 0, PROMPT_PREPARED_BYTES, NULL },
    { IO_TEST_ID + 21, "io_heavier", "SELECT 'heavier'::text", 0, NULL, 1, 0,
      PROMPT_STATEMENT_READS, 0, PROMPT_PREPARED_BYTES, NULL },

    /* from then on it is as behind a pooler that has names of its own */

    { IO_TEST_ID + 22, "io_forget", "DEALLOCATE ALL", 0, NULL, 0, 0,
      PROMPT_STATEMENT_READS, 0, 0, NULL }
};

#define IO_TEST_STATEMENTS                                                    \
    (sizeof(ngx_http_prompt_io_test_statements)                               \
     / sizeof(ngx_http_prompt_io_test_statements[0]))

static const prompt_statement_t  ngx_http_prompt_io_test_check = {
    IO_TEST_ID + 63, "io_check", "SELECT 'ready'::text", 0, NULL, 1, 0,
    PROMPT_STATEMENT_READS, 0, 0, NULL
};


static void
ngx_http_prompt_io_test_answer(ngx_http_request_t *r, const char *data,
    size_t len)
{
    ngx_buf_t    *b;
    ngx_int_t     rc;
    ngx_chain_t   out;

    r->headers_out.status = NGX_HTTP_OK;
    r->headers_out.content_length_n = len + 1;

    rc = ngx_http_send_header(r);

    if (rc == NGX_ERROR || rc > NGX_OK || r->header_only) {
        ngx_http_finalize_request(r, rc);
        return;
    }

    b = ngx_create_temp_buf(r->pool, len + 1);
    if (b == NULL) {
        ngx_http_finalize_request(r, NGX_ERROR);
        return;
    }

    b->last = ngx_cpymem(b->last, data, len);
    *b->last++ = '\n';
    b->last_buf = 1;
    b->last_in_chain = 1;

    out.buf = b;
    out.next = NULL;

    ngx_http_finalize_request(r, ngx_http_output_filter(r, &out));
}


/* the statistics ask it no more what it holds */
static void
ngx_http_prompt_io_test_forget(ngx_http_prompt_io_test_ctx_t *ctx)
{
    ngx_http_prompt_io_test_main_conf_t  *mcf;

    extern ngx_module_t  ngx_http_prompt_io_test_module;

    mcf = ngx_http_get_module_main_conf(ctx->request,
                                        ngx_http_prompt_io_test_module);

    if (mcf->last == ctx->postgres) {
        mcf->last = NULL;
    }
}


static void
ngx_http_prompt_io_test_cleanup(void *data)
{
    ngx_http_prompt_io_test_ctx_t  *ctx;

    ctx = data;

    if (ctx->redis != NULL) {
        ngx_http_prompt_redis_detach(ctx->redis);
        ctx->redis = NULL;
    }

    if (ctx->postgres != NULL) {
        ngx_http_prompt_io_test_forget(ctx);
        ngx_http_prompt_postgres_detach(ctx->postgres);
        ctx->postgres = NULL;
    }
}


static ngx_http_prompt_io_test_ctx_t *
ngx_http_prompt_io_test_wait(ngx_http_request_t *r)
{
    ngx_http_cleanup_t             *cln;
    ngx_http_prompt_io_test_ctx_t  *ctx;

    ctx = ngx_pcalloc(r->pool, sizeof(ngx_http_prompt_io_test_ctx_t));
    cln = ngx_http_cleanup_add(r, 0);

    if (ctx == NULL || cln == NULL) {
        return NULL;
    }

    ctx->request = r;
    cln->handler = ngx_http_prompt_io_test_cleanup;
    cln->data = ctx;

    r->read_event_handler = ngx_http_test_reading;

    return ctx;
}


static void
ngx_http_prompt_io_test_redis_done(void *data,
    const ngx_http_prompt_redis_reply_t *reply)
{
    size_t                          n;
    char                            text[512];
    ngx_connection_t               *c;
    ngx_http_prompt_io_test_ctx_t  *ctx;

    static const char  *kinds[] = {
        "nil", "string", "status", "integer", "error", "array", "other",
        "timeout", "lost"
    };

    ctx = data;
    ctx->redis = NULL;
    c = ctx->request->connection;

    n = snprintf(text, sizeof(text), "%s %lld %.*s", kinds[reply->kind],
                 (long long) reply->integer,
                 (int) ngx_min(reply->text.len, 400),
                 reply->text.data != NULL ? reply->text.data : "");

    ngx_http_prompt_io_test_answer(ctx->request, text,
                                   ngx_min(n, sizeof(text) - 1));
    ngx_http_run_posted_requests(c);
}


static ngx_int_t
ngx_http_prompt_io_test_redis_handler(ngx_http_request_t *r)
{
    u_char                               *p, *last, *next;
    ngx_int_t                             rc;
    ngx_uint_t                            n;
    prompt_str_t                          words[IO_TEST_WORDS];
    ngx_http_prompt_io_test_ctx_t        *ctx;
    ngx_http_prompt_io_test_loc_conf_t   *llcf;
    ngx_http_prompt_io_test_main_conf_t  *mcf;

    extern ngx_module_t  ngx_http_prompt_io_test_module;

    mcf = ngx_http_get_module_main_conf(r, ngx_http_prompt_io_test_module);
    llcf = ngx_http_get_module_loc_conf(r, ngx_http_prompt_io_test_module);

    rc = ngx_http_discard_request_body(r);
    if (rc != NGX_OK) {
        return rc;
    }

    ctx = ngx_http_prompt_io_test_wait(r);
    if (ctx == NULL) {
        return NGX_ERROR;
    }

    n = 0;
    p = r->args.data;
    last = p + r->args.len;

    while (p < last && n < IO_TEST_WORDS) {
        next = ngx_strlchr(p, last, '&');

        if (next == NULL) {
            next = last;
        }

        words[n++] = prompt_str_of((char *) p, next - p);
        p = next + 1;
    }

    r->main->count++;

    ctx->redis = ngx_http_prompt_redis_command(mcf->redis, words, n,
                                       llcf->timeout,
                                       ngx_http_prompt_io_test_redis_done, ctx);

    if (ctx->redis == NULL) {
        ngx_http_prompt_io_test_answer(r, "refused", 7);
    }

    return NGX_DONE;
}


/* All cells of a set from a row on, in order, with their lengths. */
static uint32_t
ngx_http_prompt_io_test_checksum(const prompt_rows_t *rows, unsigned row,
    unsigned columns)
{
    size_t        len;
    uint32_t      crc;
    unsigned      i;
    prompt_str_t  cell;

    crc = 0;

    for ( /* void */ ; row < rows->count; row++) {
        for (i = 0; i < columns; i++) {
            cell = prompt_rows_cell(rows, row, i);
            len = cell.data != NULL ? cell.len : (size_t) -1;

            crc = crc * 31 + prompt_crc32(prompt_str_of((char *) &len,
                                                        sizeof(len)));
            crc = crc * 31 + prompt_crc32(cell);
        }
    }

    return crc;
}


/* What was read row by row: all of it, and what is left after a drop. */
static void
ngx_http_prompt_io_test_rows(ngx_http_prompt_io_test_ctx_t *ctx,
    prompt_buf_t *buf, ngx_http_prompt_postgres_task_t *task,
    const ngx_http_prompt_postgres_result_t *result,
    const prompt_query_t *query)
{
    unsigned    columns;
    ngx_uint_t  i;

    for (i = 0; i < result->count && ctx->checksum; i++) {
        columns = query->bound[i].statement->ncolumns;

        prompt_buf_printf(buf, " %08x",
                ngx_http_prompt_io_test_checksum(&result->rows[i], ctx->drop,
                                                 columns));
    }

    if (ctx->budget == 0) {
        return;
    }

    prompt_buf_printf(buf, " held=%zu", task->budget.held);

    for (i = 0; i < result->count && ctx->drop; i++) {
        columns = query->bound[i].statement->ncolumns;

        ngx_http_prompt_postgres_drop_rows(task, i, ctx->drop);
        prompt_buf_printf(buf, " %08x",
                ngx_http_prompt_io_test_checksum(&result->rows[i], ctx->drop,
                                                 columns));
    }

    if (ctx->drop) {
        prompt_buf_printf(buf, " left=%zu", task->budget.held);
    }
}


static void
ngx_http_prompt_io_test_postgres_done(void *data,
    ngx_http_prompt_postgres_task_t *task,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_uint_t                      i;
    prompt_buf_t                    buf;
    prompt_str_t                    cell;
    ngx_connection_t               *c;
    ngx_http_prompt_io_test_ctx_t  *ctx;

    static const char  *statuses[] = {
        "ok", "error", "timeout", "unavailable", "busy", "too long"
    };

    ctx = data;
    ngx_http_prompt_io_test_forget(ctx);
    ctx->postgres = NULL;
    c = ctx->request->connection;

    prompt_buf_init(&buf, 4096);
    prompt_buf_printf(&buf, "%s", statuses[result->status]);

    if (result->unknown) {
        prompt_buf_printf(&buf, " unknown");
    }

    if (result->status == NGX_HTTP_PROMPT_POSTGRES_ERROR) {
        prompt_buf_printf(&buf, " %s at %u", result->sqlstate,
                          (unsigned) result->failed);
    }

    for (i = 0; i < result->count; i++) {
        prompt_buf_printf(&buf, " %u", result->rows[i].count);

        if (result->rows[i].count != 0) {
            cell = prompt_rows_cell(&result->rows[i], 0, 0);

            prompt_buf_printf(&buf, ":%.*s",
                              (int) (cell.len < 100 ? cell.len : 100),
                              cell.data != NULL ? cell.data : "NULL");
        }
    }

    ngx_http_prompt_io_test_rows(ctx, &buf, task, result, ctx->query);
    ngx_http_prompt_postgres_free(task);

    ngx_http_prompt_io_test_answer(ctx->request, buf.data, buf.len);
    prompt_buf_free(&buf);

    ngx_http_run_posted_requests(c);
}


static ngx_int_t
ngx_http_prompt_io_test_postgres_handler(ngx_http_request_t *r)
{
    ngx_int_t                             rc, n;
    ngx_str_t                             s, p, t, row, user;
    ngx_uint_t                            i;
    ngx_msec_t                            timeout;
    prompt_str_t                          copy;
    prompt_arena_t                       *arena;
    prompt_param_t                       *param;
    prompt_query_t                       *query;
    ngx_http_prompt_io_test_ctx_t        *ctx;
    ngx_http_prompt_io_test_loc_conf_t   *llcf;
    ngx_http_prompt_io_test_main_conf_t  *mcf;

    extern ngx_module_t  ngx_http_prompt_io_test_module;

    mcf = ngx_http_get_module_main_conf(r, ngx_http_prompt_io_test_module);
    llcf = ngx_http_get_module_loc_conf(r, ngx_http_prompt_io_test_module);

    rc = ngx_http_discard_request_body(r);
    if (rc != NGX_OK) {
        return rc;
    }

    ctx = ngx_http_prompt_io_test_wait(r);
    arena = prompt_arena_create(1024 * 1024);

    if (ctx == NULL || arena == NULL) {
        return NGX_ERROR;
    }

    query = prompt_arena_zalloc(arena, sizeof(prompt_query_t));
    if (query == NULL) {
        return NGX_ERROR;
    }

    query->arena = arena;
    ngx_str_null(&s);
    ngx_str_null(&p);
    timeout = 0;

    (void) ngx_http_arg(r, (u_char *) "s", 1, &s);
    (void) ngx_http_arg(r, (u_char *) "p", 1, &p);

    if (ngx_http_arg(r, (u_char *) "t", 1, &t) == NGX_OK) {
        timeout = ngx_atoi(t.data, t.len);
    }

    if (ngx_http_arg(r, (u_char *) "b", 1, &t) == NGX_OK) {
        query->budget = ngx_atoi(t.data, t.len);
    }

    if (ngx_http_arg(r, (u_char *) "snapshot", 8, &t) == NGX_OK
        && !prompt_snapshot(query))
    {
        return NGX_ERROR;
    }

    if (ngx_http_arg(r, (u_char *) "d", 1, &t) == NGX_OK) {
        ctx->drop = ngx_atoi(t.data, t.len);
    }

    ctx->query = query;
    ctx->budget = query->budget;
    ctx->checksum = (ngx_http_arg(r, (u_char *) "x", 1, &t) == NGX_OK);

    if (ngx_http_arg(r, (u_char *) "l", 1, &row) == NGX_OK) {
        query->locks = prompt_arena_copy(arena,
                                 prompt_str_of((char *) row.data, row.len));
    }

    if (ngx_http_arg(r, (u_char *) "o", 1, &row) == NGX_OK) {
        query->order = prompt_arena_copy(arena,
                                 prompt_str_of((char *) row.data, row.len));
    }

    if (ngx_http_arg(r, (u_char *) "u", 1, &user) == NGX_OK) {
        query->owner = prompt_arena_copy(arena,
                                 prompt_str_of((char *) user.data, user.len));
    }

    if (ngx_http_arg(r, (u_char *) "long", 4, &t) == NGX_OK) {
        query->length = PROMPT_QUERY_LONG;
    }

    if (ngx_http_arg(r, (u_char *) "row", 3, &t) == NGX_OK) {
        query->length = PROMPT_QUERY_ROW;
    }

    copy = prompt_arena_copy(arena, prompt_str_of((char *) p.data, p.len));
    param = prompt_arena_alloc(arena, sizeof(prompt_param_t));

    if ((copy.data == NULL && p.data != NULL) || param == NULL) {
        prompt_arena_destroy(arena);
        return NGX_ERROR;
    }

    param->data = copy.data;
    param->len = copy.len;

    while (s.len != 0 && query->count < PROMPT_STORE_MAX_STATEMENTS) {
        for (i = 0; i < s.len && s.data[i] != ','; i++) { /* void */ }

        n = ngx_atoi(s.data, i);

        if (n < 0 || n >= (ngx_int_t) IO_TEST_STATEMENTS) {
            break;
        }

        query->bound[query->count].statement =
            &ngx_http_prompt_io_test_statements[n];
        query->bound[query->count].params = param;
        query->count++;

        i += (i < s.len);
        s.data += i;
        s.len -= i;
    }

    r->main->count++;

    query->unconditional = llcf->unconditional;

    ctx->postgres = ngx_http_prompt_postgres_query(mcf->postgres, query,
                                    timeout,
                                    ngx_http_prompt_io_test_postgres_done, ctx);

    if (ctx->postgres == NULL) {
        prompt_arena_destroy(arena);
        ngx_http_prompt_io_test_answer(r, "refused", 7);
        return NGX_DONE;
    }

    mcf->last = ctx->postgres;

    return NGX_DONE;
}


static void
ngx_http_prompt_io_test_provider_done(void *data,
    const ngx_http_prompt_provider_result_t *result)
{
    size_t                                n;
    char                                  text[512];
    ngx_http_request_t                   *r;
    ngx_http_prompt_io_test_main_conf_t  *mcf;

    extern ngx_module_t  ngx_http_prompt_io_test_module;

    static const char  *ends[] = {
        "", " complete", " truncated", " too_large", " interim", " refused",
        " timed_out", " cancelled", " cut"
    };

    mcf = ngx_http_cycle_get_module_main_conf(ngx_cycle,
                                              ngx_http_prompt_io_test_module);
    mcf->in_flight--;

    n = snprintf(text, sizeof(text), "%u%s%s%s len=%zu ms=%u %.*s",
                 (unsigned) result->status, ends[result->end],
                 result->aborted ? " aborted" : "",
                 result->answered ? " answered" : "",
                 result->body.len, (unsigned) result->duration,
                 (int) ngx_min(result->body.len, 200), result->body.data);

    ngx_log_error(NGX_LOG_NOTICE, ngx_cycle->log, 0, "provider call: %s",
                  text);

    if (result->aborted) {
        return;
    }

    r = data;

    if (result->end == NGX_HTTP_PROMPT_PROVIDER_CANCELLED) {
        ngx_http_finalize_request(r, NGX_HTTP_CLIENT_CLOSED_REQUEST);
        return;
    }

    ngx_http_prompt_io_test_answer(r, text, ngx_min(n, sizeof(text) - 1));
}


static void
ngx_http_prompt_io_test_body_handler(ngx_http_request_t *r)
{
    prompt_buf_t                          body;
    ngx_chain_t                          *cl;
    ngx_keyval_t                          header;
    ngx_http_prompt_provider_request_t    request;
    ngx_http_prompt_io_test_loc_conf_t   *llcf;
    ngx_http_prompt_io_test_main_conf_t  *mcf;

    extern ngx_module_t  ngx_http_prompt_io_test_module;

    mcf = ngx_http_get_module_main_conf(r, ngx_http_prompt_io_test_module);
    llcf = ngx_http_get_module_loc_conf(r, ngx_http_prompt_io_test_module);

    prompt_buf_init(&body, 1024 * 1024);

    if (r->request_body != NULL) {
        for (cl = r->request_body->bufs; cl != NULL; cl = cl->next) {
            if (ngx_buf_in_memory(cl->buf)) {
                prompt_buf_append(&body, (char *) cl->buf->pos,
                                  cl->buf->last - cl->buf->pos);
            }
        }
    }

    ngx_str_set(&header.key, "X-Test-Header");
    ngx_str_set(&header.value, "from-test");

    ngx_memzero(&request, sizeof(ngx_http_prompt_provider_request_t));

    request.uri = llcf->uri;
    request.args = r->args;
    request.headers = &header;
    request.nheaders = 1;
    request.body = prompt_buf_release(&body);
    request.timeout = llcf->timeout;
    request.max_answer = llcf->max;
    request.done = ngx_http_prompt_io_test_provider_done;
    request.data = r;

    if (ngx_http_prompt_provider_call(r, &request) == NULL) {
        ngx_http_prompt_io_test_answer(r, "refused", 7);
        return;
    }

    mcf->calls++;
    mcf->in_flight++;
}


static ngx_int_t
ngx_http_prompt_io_test_provider_handler(ngx_http_request_t *r)
{
    ngx_int_t  rc;

    rc = ngx_http_read_client_request_body(r,
                                         ngx_http_prompt_io_test_body_handler);

    return rc >= NGX_HTTP_SPECIAL_RESPONSE ? rc : NGX_DONE;
}


static ngx_int_t
ngx_http_prompt_io_test_stats_handler(ngx_http_request_t *r)
{
    size_t                                n;
    char                                  text[512];
    ngx_int_t                             rc;
    ngx_http_prompt_redis_stats_t         rs;
    ngx_http_prompt_postgres_stats_t      ps;
    ngx_http_prompt_io_test_main_conf_t  *mcf;

    extern ngx_module_t  ngx_http_prompt_io_test_module;

    mcf = ngx_http_get_module_main_conf(r, ngx_http_prompt_io_test_module);

    rc = ngx_http_discard_request_body(r);
    if (rc != NGX_OK) {
        return rc;
    }

    ngx_memzero(&rs, sizeof(rs));
    ngx_memzero(&ps, sizeof(ps));

    if (mcf->redis != NULL) {
        ngx_http_prompt_redis_stats(mcf->redis, &rs);
    }

    if (mcf->postgres != NULL) {
        ngx_http_prompt_postgres_stats(mcf->postgres, &ps);
    }

    n = snprintf(text, sizeof(text),
                 "pid=%d redis: up=%d in_flight=%d commands=%d refused=%d "
                 "timeouts=%d lost=%d; postgres: up=%d in_flight=%d queued=%d "
                 "tasks=%d timeouts=%d unavailable=%d overflows=%d "
                 "retries=%d connects=%d failures=%d held=%d; provider: "
                 "in_flight=%d calls=%d",
                 (int) ngx_pid, rs.up, (int) rs.in_flight, (int) rs.commands,
                 (int) rs.refused, (int) rs.timeouts, (int) rs.lost,
                 (int) ps.up, (int) ps.in_flight, (int) ps.queued,
                 (int) ps.tasks, (int) ps.timeouts, (int) ps.unavailable,
                 (int) ps.overflows, (int) ps.retries, (int) ps.connects,
                 (int) ps.failures,
                 mcf->last != NULL ? (int) mcf->last->budget.held : 0,
                 (int) mcf->in_flight,
                 (int) mcf->calls);

    r->main->count++;
    ngx_http_prompt_io_test_answer(r, text, ngx_min(n, sizeof(text) - 1));

    return NGX_DONE;
}


static ngx_int_t
ngx_http_prompt_io_test_verdict(void *data, const prompt_rows_t *rows,
    const char *sqlstate)
{
    if (rows == NULL || rows->count != 1
        || !prompt_str_eq(prompt_rows_cell(rows, 0, 0), prompt_str("ready")))
    {
        ngx_log_error(NGX_LOG_ERR, ngx_cycle->log, 0, "check failed: %s",
                      sqlstate);
        return NGX_ERROR;
    }

    return NGX_OK;
}


static void *
ngx_http_prompt_io_test_create_main_conf(ngx_conf_t *cf)
{
    return ngx_pcalloc(cf->pool, sizeof(ngx_http_prompt_io_test_main_conf_t));
}


static void *
ngx_http_prompt_io_test_create_loc_conf(ngx_conf_t *cf)
{
    return ngx_pcalloc(cf->pool, sizeof(ngx_http_prompt_io_test_loc_conf_t));
}


static ngx_int_t
ngx_http_prompt_io_test_init(ngx_conf_t *cf)
{
    return ngx_http_prompt_provider_init(cf);
}


static ngx_int_t
ngx_http_prompt_io_test_init_process(ngx_cycle_t *cycle)
{
    ngx_http_prompt_io_test_main_conf_t  *mcf;

    if (ngx_process != NGX_PROCESS_WORKER && ngx_process != NGX_PROCESS_SINGLE)
    {
        return NGX_OK;
    }

    mcf = ngx_http_cycle_get_module_main_conf(cycle,
                                              ngx_http_prompt_io_test_module);
    if (mcf == NULL) {
        return NGX_OK;
    }

    if (mcf->redis_conf.addrs != NULL) {
        mcf->redis = ngx_http_prompt_redis_create(cycle, &mcf->redis_conf);
        if (mcf->redis == NULL) {
            return NGX_ERROR;
        }
    }

    if (mcf->postgres_conf.connections != 0) {
        mcf->check.statement = &ngx_http_prompt_io_test_check;
        mcf->check.verdict = ngx_http_prompt_io_test_verdict;

        mcf->postgres = ngx_http_prompt_postgres_create(cycle,
                                            &mcf->postgres_conf, &mcf->check);
        if (mcf->postgres == NULL) {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


static void
ngx_http_prompt_io_test_exit_process(ngx_cycle_t *cycle)
{
    ngx_http_prompt_io_test_main_conf_t  *mcf;

    mcf = ngx_http_cycle_get_module_main_conf(cycle,
                                              ngx_http_prompt_io_test_module);
    if (mcf == NULL) {
        return;
    }

    ngx_http_prompt_redis_close(mcf->redis);
    ngx_http_prompt_postgres_close(mcf->postgres);
}


static char *
ngx_http_prompt_io_test_location(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf)
{
    ngx_str_t                           *value;
    ngx_http_core_loc_conf_t            *clcf;
    ngx_http_prompt_io_test_loc_conf_t  *llcf;

    llcf = conf;
    value = cf->args->elts;
    clcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);

    switch (value[0].data[sizeof("io_") - 1]) {

    case 'r':
        clcf->handler = ngx_http_prompt_io_test_redis_handler;

        if (cf->args->nelts > 1) {
            llcf->timeout = ngx_parse_time(&value[1], 0);
        }

        break;

    case 's':
        clcf->handler = ngx_http_prompt_io_test_stats_handler;
        break;

    default:
        if (value[0].data[sizeof("io_p") - 1] == 'o') {
            clcf->handler = ngx_http_prompt_io_test_postgres_handler;
            llcf->unconditional = (cf->args->nelts > 1);
            break;
        }

        clcf->handler = ngx_http_prompt_io_test_provider_handler;
        llcf->uri = value[1];
        llcf->timeout = ngx_parse_time(&value[2], 0);
        llcf->max = cf->args->nelts > 3
                    ? (size_t) ngx_parse_size(&value[3])
                    : PROMPT_LIMIT_ANSWER;
    }

    return NGX_CONF_OK;
}
