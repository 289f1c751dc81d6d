/*
 * POST by libcurl's multi interface.
 *
 * libcurl says which sockets it waits for, and for how long; nginx's event
 * loop does the waiting, and tells libcurl what has happened.  The addresses
 * of the server are given, so that no name is looked up: libcurl would need a
 * thread for it.
 */

#include <ngx_config.h>
#include <ngx_core.h>

#include <curl/curl.h>

#include "io/ngx_http_prompt_post.h"
#include "io/ngx_http_prompt_socket.h"
#include "io/ngx_http_prompt_timer.h"


#define POST_CONNECT_TIMEOUT  5000L              /* ms */
#define POST_TIMEOUT          10000L


struct ngx_http_prompt_post_s {
    CURLM                       *multi;
    CURL                        *easy;
    struct curl_slist           *headers;
    struct curl_slist           *resolve;
    ngx_http_prompt_timer_t      timer;          /* holds a quitting worker */
    ngx_log_t                   *log;

    ngx_http_prompt_posted_pt    done;           /* NULL: none is in flight */
    void                        *data;

    size_t                       len;            /* of the answer so far */
    char                         answer[NGX_HTTP_PROMPT_POST_ANSWER];
    unsigned                     global:1;
    unsigned                     used:1;         /* one may be kept */
    unsigned                     long_answer:1;
};


static ngx_int_t ngx_http_prompt_post_init(ngx_http_prompt_post_t *post,
    const ngx_http_prompt_otlp_conf_t *conf);
static ngx_int_t ngx_http_prompt_post_multi(ngx_http_prompt_post_t *post);
static ngx_int_t ngx_http_prompt_post_lists(ngx_http_prompt_post_t *post,
    const ngx_http_prompt_otlp_conf_t *conf);
static CURLcode ngx_http_prompt_post_options(ngx_http_prompt_post_t *post,
    const ngx_http_prompt_otlp_conf_t *conf);
static ngx_int_t ngx_http_prompt_post_add(struct curl_slist **list,
    const char *text);
static size_t ngx_http_prompt_post_write(char *bytes, size_t size, size_t n,
    void *data);
static int ngx_http_prompt_post_socket(CURL *easy, curl_socket_t fd, int what,
    void *data, void *socket);
static int ngx_http_prompt_post_wait(CURLM *multi, long ms, void *data);
static void ngx_http_prompt_post_handler(ngx_event_t *ev);
static void ngx_http_prompt_post_timer_handler(ngx_event_t *ev);
static void ngx_http_prompt_post_act(ngx_http_prompt_post_t *post,
    curl_socket_t fd, int what);
static void ngx_http_prompt_post_forget(void);
static void ngx_http_prompt_post_ended(ngx_http_prompt_post_t *post,
    CURLcode code);


ngx_http_prompt_post_t *
ngx_http_prompt_post_create(ngx_cycle_t *cycle,
    const ngx_http_prompt_otlp_conf_t *conf)
{
    ngx_http_prompt_post_t  *post;

    post = ngx_pcalloc(cycle->pool, sizeof(ngx_http_prompt_post_t));
    if (post == NULL) {
        return NULL;
    }

    post->log = cycle->log;

    ngx_http_prompt_timer_init(&post->timer,
                               ngx_http_prompt_post_timer_handler, post,
                               cycle->log);

    if (ngx_http_prompt_post_init(post, conf) != NGX_OK) {
        ngx_log_error(NGX_LOG_EMERG, cycle->log, 0,
                      "prompt: \"prompt_otlp\": libcurl cannot be used");
        ngx_http_prompt_post_destroy(post);
        return NULL;
    }

    return post;
}


void
ngx_http_prompt_post_destroy(ngx_http_prompt_post_t *post)
{
    if (post == NULL) {
        return;
    }

    if (post->multi != NULL) {
        ngx_http_prompt_post_cancel(post);
    }

    if (post->easy != NULL) {
        curl_easy_cleanup(post->easy);
    }

    /* closes what is kept; sockets that are watched are told of before */

    if (post->multi != NULL) {
        (void) curl_multi_cleanup(post->multi);
    }

    curl_slist_free_all(post->headers);
    curl_slist_free_all(post->resolve);

    ngx_http_prompt_timer_stop(&post->timer);

    if (post->global) {
        curl_global_cleanup();
    }
}


static ngx_int_t
ngx_http_prompt_post_init(ngx_http_prompt_post_t *post,
    const ngx_http_prompt_otlp_conf_t *conf)
{
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        return NGX_ERROR;
    }

    post->global = 1;
    post->easy = curl_easy_init();

    if (post->easy == NULL
        || ngx_http_prompt_post_lists(post, conf) != NGX_OK
        || ngx_http_prompt_post_multi(post) != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_http_prompt_post_options(post, conf) == CURLE_OK
           ? NGX_OK : NGX_ERROR;
}


static ngx_int_t
ngx_http_prompt_post_multi(ngx_http_prompt_post_t *post)
{
    CURLMcode  rc;

    post->multi = curl_multi_init();

    rc = post->multi != NULL ? CURLM_OK : CURLM_OUT_OF_MEMORY;

#define multi_option(name, value)                                            \
    if (rc == CURLM_OK) {                                                    \
        rc = curl_multi_setopt(post->multi, name, value);                    \
    }

    multi_option(CURLMOPT_SOCKETFUNCTION, ngx_http_prompt_post_socket)
    multi_option(CURLMOPT_SOCKETDATA, post)
    multi_option(CURLMOPT_TIMERFUNCTION, ngx_http_prompt_post_wait)
    multi_option(CURLMOPT_TIMERDATA, post)
    multi_option(CURLMOPT_MAXCONNECTS, 1L)

#undef multi_option

    return rc == CURLM_OK ? NGX_OK : NGX_ERROR;
}


/* libcurl closes what it keeps only with all the rest of a multi handle. */
void
ngx_http_prompt_post_quit(ngx_http_prompt_post_t *post)
{
    if (!post->used || post->done != NULL) {
        return;
    }

    post->used = 0;

    (void) curl_multi_cleanup(post->multi);
    ngx_http_prompt_timer_stop(&post->timer);

    if (ngx_http_prompt_post_multi(post) != NGX_OK) {
        ngx_log_error(NGX_LOG_EMERG, post->log, 0,
                      "prompt: \"prompt_otlp\": libcurl cannot be used");
    }
}


static ngx_int_t
ngx_http_prompt_post_lists(ngx_http_prompt_post_t *post,
    const ngx_http_prompt_otlp_conf_t *conf)
{
    ngx_str_t   *header;
    ngx_uint_t   i;

    if ((conf->resolve.len != 0
         && ngx_http_prompt_post_add(&post->resolve,
                                     (char *) conf->resolve.data)
            != NGX_OK)
        || ngx_http_prompt_post_add(&post->headers,
                                    "Content-Type: application/json")
           != NGX_OK
        || ngx_http_prompt_post_add(&post->headers, "Expect:") != NGX_OK)
    {
        return NGX_ERROR;
    }

    header = conf->headers.elts;

    for (i = 0; i < conf->headers.nelts; i++) {
        if (ngx_http_prompt_post_add(&post->headers, (char *) header[i].data)
            != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_post_add(struct curl_slist **list, const char *text)
{
    struct curl_slist  *longer;

    longer = curl_slist_append(*list, text);
    if (longer == NULL) {
        return NGX_ERROR;
    }

    *list = longer;

    return NGX_OK;
}


/* what stays from one to the next */
static CURLcode
ngx_http_prompt_post_options(ngx_http_prompt_post_t *post,
    const ngx_http_prompt_otlp_conf_t *conf)
{
    CURLcode          rc;
    struct curl_blob  blob;

    blob.data = conf->certificate.data;
    blob.len = conf->certificate.len;
    blob.flags = CURL_BLOB_NOCOPY;

    rc = CURLE_OK;

#define post_option(name, value)                                             \
    if (rc == CURLE_OK) {                                                    \
        rc = curl_easy_setopt(post->easy, name, value);                      \
    }

    post_option(CURLOPT_URL, (char *) conf->url.data)
    post_option(CURLOPT_RESOLVE, post->resolve)
    post_option(CURLOPT_HTTPHEADER, post->headers)
    post_option(CURLOPT_USERAGENT, "ngx_http_prompt_module")
    post_option(CURLOPT_POST, 1L)
    post_option(CURLOPT_NOSIGNAL, 1L)
    post_option(CURLOPT_FOLLOWLOCATION, 0L)
    post_option(CURLOPT_PROXY, "")
    post_option(CURLOPT_HTTP_VERSION, (long) CURL_HTTP_VERSION_1_1)
    post_option(CURLOPT_CONNECTTIMEOUT_MS, POST_CONNECT_TIMEOUT)
    post_option(CURLOPT_TIMEOUT_MS, POST_TIMEOUT)
    post_option(CURLOPT_WRITEFUNCTION, ngx_http_prompt_post_write)
    post_option(CURLOPT_WRITEDATA, post)

    post_option(CURLOPT_SSL_VERIFYPEER, 1L)
    post_option(CURLOPT_SSL_VERIFYHOST, 2L)
    post_option(CURLOPT_SSLVERSION, (long) CURL_SSLVERSION_TLSv1_2)

    if (conf->certificate.len != 0) {
        post_option(CURLOPT_CAINFO_BLOB, &blob)
    }

#undef post_option

    return rc;
}


ngx_int_t
ngx_http_prompt_post_send(ngx_http_prompt_post_t *post, const char *body,
    size_t len, ngx_http_prompt_posted_pt done, void *data)
{
    if (curl_easy_setopt(post->easy, CURLOPT_POSTFIELDS, body) != CURLE_OK
        || curl_easy_setopt(post->easy, CURLOPT_POSTFIELDSIZE_LARGE,
                            (curl_off_t) len)
           != CURLE_OK)
    {
        return NGX_ERROR;
    }

    post->len = 0;
    post->long_answer = 0;

    post->used = 1;

    /* it is begun by the timer that this sets */

    if (post->multi == NULL
        || curl_multi_add_handle(post->multi, post->easy) != CURLM_OK)
    {
        return NGX_ERROR;
    }

    post->done = done;
    post->data = data;

    return NGX_OK;
}


void
ngx_http_prompt_post_cancel(ngx_http_prompt_post_t *post)
{
    if (post->done != NULL) {
        post->done = NULL;
        (void) curl_multi_remove_handle(post->multi, post->easy);
        ngx_http_prompt_timer_stop(&post->timer);
        ngx_http_prompt_post_forget();
    }
}


/* What is longer is not read: the status says enough. */
static size_t
ngx_http_prompt_post_write(char *bytes, size_t size, size_t n, void *data)
{
    ngx_http_prompt_post_t  *post = data;

    size_t  len;

    len = size * n;

    if (len > sizeof(post->answer) - post->len) {
        post->long_answer = 1;
        return 0;
    }

    ngx_memcpy(post->answer + post->len, bytes, len);
    post->len += len;

    return len;
}


/* libcurl begins to wait for a socket, for something else, or not any more. */
static int
ngx_http_prompt_post_socket(CURL *easy, curl_socket_t fd, int what, void *data,
    void *socket)
{
    ngx_http_prompt_post_t  *post = data;

    ngx_connection_t  *c;

    (void) easy;

    c = socket;

    if (what == CURL_POLL_REMOVE) {

        if (c != NULL) {
            (void) curl_multi_assign(post->multi, fd, NULL);
            ngx_http_prompt_socket_unwatch(c, 0);
        }

        return 0;
    }

    if (c == NULL) {
        c = ngx_http_prompt_socket_watch(fd, post,
                                         ngx_http_prompt_post_handler,
                                         ngx_http_prompt_post_handler,
                                         post->log);
        if (c == NULL) {
            return -1;
        }

        if (curl_multi_assign(post->multi, fd, c) != CURLM_OK) {
            ngx_http_prompt_socket_unwatch(c, 0);
            return -1;
        }
    }

    return ngx_http_prompt_socket_want(c->read, NGX_READ_EVENT,
                                       (what & CURL_POLL_IN) != 0)
           == NGX_OK
           && ngx_http_prompt_socket_want(c->write, NGX_WRITE_EVENT,
                                          (what & CURL_POLL_OUT) != 0)
              == NGX_OK
           ? 0 : -1;
}


/* It must not be called back from here: that is done by the event loop. */
static int
ngx_http_prompt_post_wait(CURLM *multi, long ms, void *data)
{
    ngx_http_prompt_post_t  *post = data;

    (void) multi;

    ngx_http_prompt_timer_stop(&post->timer);

    if (ms >= 0) {
        ngx_add_timer(&post->timer.event, (ngx_msec_t) ms);
    }

    return 0;
}


static void
ngx_http_prompt_post_handler(ngx_event_t *ev)
{
    ngx_connection_t  *c;

    c = ev->data;

    ngx_http_prompt_post_act(c->data, c->fd,
                             ev->write ? CURL_CSELECT_OUT : CURL_CSELECT_IN);
}


static void
ngx_http_prompt_post_timer_handler(ngx_event_t *ev)
{
    ngx_http_prompt_post_act(ngx_http_prompt_timer_owner(ev),
                             CURL_SOCKET_TIMEOUT, 0);
}


/* The connection of the event may be gone afterwards. */
static void
ngx_http_prompt_post_act(ngx_http_prompt_post_t *post, curl_socket_t fd,
    int what)
{
    int         running, left;
    CURLMsg    *message;
    CURLMcode   rc;

    rc = curl_multi_socket_action(post->multi, fd, what, &running);

    while ((message = curl_multi_info_read(post->multi, &left)) != NULL) {

        if (message->msg == CURLMSG_DONE) {
            ngx_http_prompt_post_ended(post, message->data.result);
        }
    }

    /* libcurl would do nothing any more, and not say so */

    if (rc != CURLM_OK && post->done != NULL) {
        ngx_http_prompt_post_ended(post, CURLE_ABORTED_BY_CALLBACK);
    }

    ngx_http_prompt_post_forget();
}


/*
 * What OpenSSL keeps of errors that libcurl has dealt with: nginx would tell
 * it of the connection that it looks at next, which is a client's.
 */
static void
ngx_http_prompt_post_forget(void)
{
#if (NGX_OPENSSL)

    ERR_clear_error();

#endif
}


static void
ngx_http_prompt_post_ended(ngx_http_prompt_post_t *post, CURLcode code)
{
    long                       status;
    curl_off_t                 after;
    ngx_http_prompt_posted_t   posted;
    ngx_http_prompt_posted_pt  done;

    ngx_memzero(&posted, sizeof(ngx_http_prompt_posted_t));

    status = 0;
    after = 0;

    (void) curl_easy_getinfo(post->easy, CURLINFO_RESPONSE_CODE, &status);
    (void) curl_easy_getinfo(post->easy, CURLINFO_RETRY_AFTER, &after);
    (void) curl_multi_remove_handle(post->multi, post->easy);

    ngx_http_prompt_timer_stop(&post->timer);

    if (code == CURLE_OK || post->long_answer) {
        posted.status = (ngx_uint_t) status;
        posted.retry_after = after;

        if (!post->long_answer) {
            posted.answer = prompt_str_of(post->answer, post->len);
        }
    }

    if (posted.status == 0) {
        posted.failure = curl_easy_strerror(code);
    }

    done = post->done;
    post->done = NULL;

    if (done != NULL) {
        done(post->data, &posted);
    }
}
