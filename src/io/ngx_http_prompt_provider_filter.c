/*
 * What comes back from a provider: its answer is captured, its attempts to
 * redirect us are refused.
 *
 * A subrequest is known to be ours by its post_subrequest, which, unlike the
 * context of the module, survives the redirects of error_page.
 */

#include "io/ngx_http_prompt_provider_impl.h"

#include "base/scan.h"


static ngx_http_prompt_provider_call_t *ngx_http_prompt_provider_of(
    ngx_http_request_t *r);
static ngx_int_t ngx_http_prompt_provider_rewrite_handler(
    ngx_http_request_t *r);
static ngx_int_t ngx_http_prompt_provider_access_handler(
    ngx_http_request_t *r);
static ngx_int_t ngx_http_prompt_provider_check(ngx_http_request_t *r,
    ngx_http_prompt_provider_call_t *call);
static ngx_int_t ngx_http_prompt_provider_header_filter(
    ngx_http_request_t *r);
static ngx_int_t ngx_http_prompt_provider_body_filter(ngx_http_request_t *r,
    ngx_chain_t *in);
static ngx_uint_t ngx_http_prompt_provider_may_be_paid(const u_char *pos,
    size_t len);
static int64_t ngx_http_prompt_provider_retry_after(ngx_list_part_t *part);
static int64_t ngx_http_prompt_provider_wait_of(ngx_str_t *value);


static ngx_http_output_header_filter_pt  ngx_http_next_header_filter;
static ngx_http_output_body_filter_pt    ngx_http_next_body_filter;


ngx_int_t
ngx_http_prompt_provider_init(ngx_conf_t *cf)
{
    ngx_uint_t                  i;
    ngx_http_handler_pt        *h;
    ngx_http_core_main_conf_t  *cmcf;

    /*
     * The first phases that run after a redirect to a URI and to a named
     * location: "return" answers in the second already.  The last one is for
     * modules that put themselves in front of us there, and for calls that
     * ended while a phase before it held them up; the one before it for
     * modules that end the last one.
     */

    static const struct {
        ngx_http_phases      phase;
        ngx_http_handler_pt  handler;
    } handlers[] = {
        { NGX_HTTP_SERVER_REWRITE_PHASE,
          ngx_http_prompt_provider_rewrite_handler },
        { NGX_HTTP_REWRITE_PHASE, ngx_http_prompt_provider_rewrite_handler },
        { NGX_HTTP_PREACCESS_PHASE, ngx_http_prompt_provider_access_handler },
        { NGX_HTTP_PRECONTENT_PHASE, ngx_http_prompt_provider_access_handler }
    };

    cmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_core_module);

    for (i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++) {

        h = ngx_array_push(&cmcf->phases[handlers[i].phase].handlers);
        if (h == NULL) {
            return NGX_ERROR;
        }

        *h = handlers[i].handler;
    }

    ngx_http_next_header_filter = ngx_http_top_header_filter;
    ngx_http_top_header_filter = ngx_http_prompt_provider_header_filter;

    ngx_http_next_body_filter = ngx_http_top_body_filter;
    ngx_http_top_body_filter = ngx_http_prompt_provider_body_filter;

    return NGX_OK;
}


/* the call that a subrequest belongs to, or NULL */
static ngx_http_prompt_provider_call_t *
ngx_http_prompt_provider_of(ngx_http_request_t *r)
{
    if (r->post_subrequest == NULL
        || r->post_subrequest->handler
           != ngx_http_prompt_provider_post_handler)
    {
        return NULL;
    }

    return r->post_subrequest->data;
}


const void *
ngx_http_prompt_provider_called(ngx_http_request_t *r)
{
    ngx_http_prompt_provider_call_t  *call;

    call = NULL;

    while (r != NULL && call == NULL) {
        call = ngx_http_prompt_provider_of(r);
        r = r->parent;
    }

    return call != NULL ? call->named : NULL;
}


/*
 * client_max_body_size is looked at where the location is chosen, by the
 * length in the header.  It is a limit of clients, and this body is not
 * theirs: it has no length until the location stands.
 */
static ngx_int_t
ngx_http_prompt_provider_rewrite_handler(ngx_http_request_t *r)
{
    ngx_http_prompt_provider_call_t  *call;

    call = ngx_http_prompt_provider_of(r);

    if (call == NULL) {
        return NGX_DECLINED;
    }

    r->headers_in.content_length_n = -1;

    return ngx_http_prompt_provider_check(r, call);
}


static ngx_int_t
ngx_http_prompt_provider_access_handler(ngx_http_request_t *r)
{
    ngx_http_prompt_provider_call_t  *call;

    call = ngx_http_prompt_provider_of(r);

    if (call == NULL) {
        return NGX_DECLINED;
    }

    r->headers_in.content_length_n = call->length;

    return ngx_http_prompt_provider_check(r, call);
}


/*
 * The phases run again for a subrequest that was redirected.  After an error
 * that is the operator's error_page, and what it answers counts as the
 * provider's answer.  Otherwise the provider itself may have asked for it by
 * X-Accel-Redirect, into any location, another provider's and its secrets
 * too.  This runs in several phases, so it keeps in mind which upstream was
 * left by way of error_page.
 */
static ngx_int_t
ngx_http_prompt_provider_check(ngx_http_request_t *r,
    ngx_http_prompt_provider_call_t *call)
{
    ngx_http_upstream_t  *u;

    if (call->state >= NGX_HTTP_PROMPT_PROVIDER_ENDED) {
        return NGX_HTTP_BAD_GATEWAY;
    }

    u = r->upstream;

    if (call->state == NGX_HTTP_PROMPT_PROVIDER_PAGE) {
        (void) ngx_http_prompt_provider_become(call,
                                               NGX_HTTP_PROMPT_PROVIDER_ASKED);
        call->excused = u;
        call->result.status = 0;

        /* nginx has set its own handlers for the error */

        ngx_http_prompt_provider_hold(call);

        return NGX_DECLINED;
    }

    if (u == NULL || u == call->excused
        || u->headers_in.x_accel_redirect == NULL)
    {
        return NGX_DECLINED;
    }

    call->result.end = NGX_HTTP_PROMPT_PROVIDER_REFUSED;

    return NGX_HTTP_BAD_GATEWAY;
}


static ngx_int_t
ngx_http_prompt_provider_header_filter(ngx_http_request_t *r)
{
    ngx_http_upstream_t              *u;
    ngx_http_prompt_provider_call_t  *call;

    call = ngx_http_prompt_provider_of(r);

    if (call == NULL) {
        return ngx_http_next_header_filter(r);
    }

    r->filter_need_in_memory = 1;
    r->header_sent = 1;

    if (call->state == NGX_HTTP_PROMPT_PROVIDER_PAGE) {
        return NGX_OK;
    }

    if (call->state >= NGX_HTTP_PROMPT_PROVIDER_ENDED
        || ngx_http_prompt_provider_become(call,
                                           NGX_HTTP_PROMPT_PROVIDER_ANSWERING)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    call->result.answered = 1;
    call->result.began |= r->headers_out.status >= NGX_HTTP_OK
                          && r->headers_out.status < NGX_HTTP_SPECIAL_RESPONSE;
    call->result.status = r->headers_out.status;

    /*
     * The answer itself, head and all, would come as the body of this one,
     * whose end is that of the connection: as late as the provider likes.
     */

    if (r->headers_out.status < NGX_HTTP_OK) {
        call->result.end = NGX_HTTP_PROMPT_PROVIDER_INTERIM;
        return NGX_ERROR;
    }

    if (!ngx_http_prompt_provider_streams(call)
        && r->headers_out.content_length_n > (off_t) call->answer.limit)
    {
        call->result.end = NGX_HTTP_PROMPT_PROVIDER_TOO_LARGE;
        return NGX_ERROR;
    }

    /*
     * We take the answer as it comes.  Buffering would write what exceeds
     * proxy_buffers to a file: it asks whether the client's connection
     * belongs to the subrequest, and that of a background one never does.
     */

    u = r->upstream;

    if (u != NULL && !u->cacheable && !u->store) {
        u->buffering = 0;
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_provider_body_filter(ngx_http_request_t *r, ngx_chain_t *in)
{
    ngx_buf_t                        *b;
    ngx_chain_t                      *cl;
    ngx_http_prompt_provider_call_t  *call;

    call = ngx_http_prompt_provider_of(r);

    if (call == NULL) {
        return ngx_http_next_body_filter(r, in);
    }

    if (ngx_http_prompt_provider_streams(call)) {
        return ngx_http_prompt_provider_pieces(call, in);
    }

    for (cl = in; cl != NULL; cl = cl->next) {
        b = cl->buf;

        if (ngx_buf_in_memory(b)
            && (call->state == NGX_HTTP_PROMPT_PROVIDER_ANSWERING
                || call->state == NGX_HTTP_PROMPT_PROVIDER_ANSWERED))
        {
            prompt_buf_append(&call->answer, (char *) b->pos,
                              b->last - b->pos);
        }

        ngx_http_prompt_provider_consume(call, b);
    }

    /* an error from here would be one of the client's connection */

    if (call->answer.status != PROMPT_BUF_OK
        && call->state < NGX_HTTP_PROMPT_PROVIDER_ENDED)
    {
        call->result.end = call->answer.status == PROMPT_BUF_LIMIT
                           ? NGX_HTTP_PROMPT_PROVIDER_TOO_LARGE
                           : NGX_HTTP_PROMPT_PROVIDER_TRUNCATED;

        ngx_post_event(&call->over, &ngx_posted_events);
    }

    return NGX_OK;
}


/*
 * Whether what came of a header that nginx has no status of, since it broke
 * off, may be the beginning of an answer; false: it says that it failed.
 */
static ngx_uint_t
ngx_http_prompt_provider_may_be_paid(const u_char *pos, size_t len)
{
    static const u_char  version[] = "HTTP/1.";

    if (len < sizeof("HTTP/1.1 ")
        || ngx_memcmp(pos, version, sizeof(version) - 1) != 0)
    {
        return 1;
    }

    return pos[sizeof("HTTP/1.1 ") - 1] == '2';
}


void
ngx_http_prompt_provider_note(ngx_http_prompt_provider_call_t *call,
    ngx_http_request_t *r)
{
    u_char                             *pos;
    ngx_uint_t                          status;
    ngx_http_prompt_provider_result_t  *result;

    result = &call->result;

    if (r->upstream != NULL && r->upstream->headers_in.status_n == 0
        && r->upstream->buffer.start != NULL)
    {
        pos = r->upstream->buffer.start;

#if (NGX_HTTP_CACHE)
        pos += r->cache != NULL ? r->cache->header_start : 0;
#endif

        if (r->upstream->buffer.last > pos) {
            result->answered = 1;
            result->began |= ngx_http_prompt_provider_may_be_paid(pos,
                                           r->upstream->buffer.last - pos);
        }
    }

    if (r->upstream != NULL && r->upstream->headers_in.status_n != 0) {
        status = r->upstream->headers_in.status_n;

        result->answered = 1;
        result->began |= status >= NGX_HTTP_OK
                         && status < NGX_HTTP_SPECIAL_RESPONSE;

        result->retry_after = ngx_http_prompt_provider_retry_after(
                                     &r->upstream->headers_in.headers.part);
    }

    if (result->retry_after == NGX_HTTP_PROMPT_PROVIDER_NO_DATE) {
        result->retry_after = ngx_http_prompt_provider_retry_after(
                                             &r->headers_out.headers.part);
    }
}


/*
 * What Retry-After says: ms from now, from a number of seconds or a date;
 * NGX_HTTP_PROMPT_PROVIDER_NO_DATE where no such header can be read.
 */
static int64_t
ngx_http_prompt_provider_retry_after(ngx_list_part_t *part)
{
    int64_t           wait;
    ngx_uint_t        i;
    ngx_table_elt_t  *header;

    static ngx_str_t  name = ngx_string("Retry-After");

    for ( /* void */ ; part != NULL; part = part->next) {
        header = part->elts;

        for (i = 0; i < part->nelts; i++) {

            if (header[i].hash == 0 || header[i].key.len != name.len
                || ngx_strncasecmp(header[i].key.data, name.data, name.len)
                   != 0)
            {
                continue;
            }

            wait = ngx_http_prompt_provider_wait_of(&header[i].value);

            if (wait != NGX_HTTP_PROMPT_PROVIDER_NO_DATE) {
                return wait;
            }
        }
    }

    return NGX_HTTP_PROMPT_PROVIDER_NO_DATE;
}


/*
 * Seconds that are too many for a number are beyond all time limits.  A date
 * is one by our clock: that of the provider is not asked for.
 */
static int64_t
ngx_http_prompt_provider_wait_of(ngx_str_t *value)
{
    int64_t       wait;
    time_t        date;
    ngx_time_t   *now;
    prompt_str_t  text;

    text = prompt_str_of((char *) value->data, value->len);

    if (prompt_scan_digits(&text) != 0 && text.len == 0) {
        date = ngx_atotm(value->data, value->len);

        return date == (time_t) NGX_ERROR || date > NGX_MAX_INT32_VALUE
               ? (int64_t) NGX_MAX_INT32_VALUE * 1000
               : (int64_t) date * 1000;
    }

    date = ngx_parse_http_time(value->data, value->len);

    if (date == (time_t) NGX_ERROR) {
        return NGX_HTTP_PROMPT_PROVIDER_NO_DATE;
    }

    now = ngx_timeofday();
    wait = ((int64_t) date - now->sec) * 1000 - (int64_t) now->msec;

    return ngx_max(wait, 0);
}


void
ngx_http_prompt_provider_consume(ngx_http_prompt_provider_call_t *call,
    ngx_buf_t *b)
{
    if ((b->last_buf || b->last_in_chain)
        && call->state == NGX_HTTP_PROMPT_PROVIDER_ANSWERING)
    {
        (void) ngx_http_prompt_provider_become(call,
                                           NGX_HTTP_PROMPT_PROVIDER_ANSWERED);
    }

    b->pos = b->last;
    b->file_pos = b->file_last;
}
