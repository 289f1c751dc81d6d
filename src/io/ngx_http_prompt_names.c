/*
 * Host names that are looked up again.
 */

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_event.h>

#if (NGX_THREADS)
#include <ngx_thread_pool.h>
#endif

#include <netdb.h>

#include "base/str.h"
#include "io/ngx_http_prompt_names.h"
#include "io/ngx_http_prompt_timer.h"
#include "io/ngx_http_prompt_ratelog.h"


#define NAMES_MAX   32                           /* addresses of a name */
#define NAMES_SOON  1000                         /* ms */


typedef struct {
    ngx_uint_t                n;
    ngx_addr_t                addrs[NAMES_MAX];
    ngx_sockaddr_t            sockaddrs[NAMES_MAX];
} ngx_http_prompt_names_list_t;


typedef struct {
    ngx_http_prompt_names_t  *names;
    ngx_uint_t                place;             /* from 1 */
    ngx_resolver_ctx_t       *ctx;               /* NULL: none is asked */
    void                     *thread;            /* the same */
    int                       error;             /* of libc */
    char                      text[NI_MAXHOST];  /* the name */

    ngx_http_prompt_names_list_t  found;         /* the thread writes here */
    ngx_http_prompt_names_list_t  known;
} ngx_http_prompt_name_t;


struct ngx_http_prompt_names_s {
    const ngx_http_prompt_names_conf_t  *conf;
    ngx_http_prompt_names_pt             changed;
    void                                *data;
    ngx_uint_t                           n;
    ngx_msec_t                           last;   /* look-up, when */
    ngx_http_prompt_timer_t              timer;
    ngx_log_t                           *log;
    ngx_http_prompt_name_t               each[];
};


static void ngx_http_prompt_names_handler(ngx_event_t *ev);
static void ngx_http_prompt_names_ask(ngx_http_prompt_names_t *names,
    ngx_http_prompt_name_t *name);
static void ngx_http_prompt_names_answered(ngx_resolver_ctx_t *ctx);
static void ngx_http_prompt_names_told(ngx_http_prompt_name_t *name,
    const char *error);
static void ngx_http_prompt_names_add_addr(ngx_http_prompt_names_list_t *list,
    const struct sockaddr *sockaddr, socklen_t socklen);
static ngx_uint_t ngx_http_prompt_names_have(
    const ngx_http_prompt_names_list_t *list, const ngx_sockaddr_t *addr);
static ngx_uint_t ngx_http_prompt_names_same(
    const ngx_http_prompt_names_list_t *a,
    const ngx_http_prompt_names_list_t *b);

#if (NGX_THREADS)
static ngx_uint_t ngx_http_prompt_names_begin(ngx_http_prompt_names_t *names,
    ngx_http_prompt_name_t *name);
static void ngx_http_prompt_names_thread(void *data, ngx_log_t *log);
static void ngx_http_prompt_names_ended(ngx_event_t *ev);
#endif


ngx_int_t
ngx_http_prompt_names_create(ngx_http_prompt_names_t **made,
    ngx_cycle_t *cycle, const ngx_http_prompt_names_conf_t *conf,
    ngx_http_prompt_names_pt changed, void *data)
{
    ngx_str_t                *name;
    ngx_uint_t                i;
    ngx_http_prompt_names_t  *names;

    *made = NULL;

    if (conf->names.nelts == 0 || conf->lookups == NULL
        || (conf->lookups->resolver == NULL && conf->lookups->threads == NULL))
    {
        return NGX_OK;
    }

    names = ngx_pcalloc(cycle->pool,
                        sizeof(ngx_http_prompt_names_t)
                        + conf->names.nelts * sizeof(ngx_http_prompt_name_t));
    if (names == NULL) {
        return NGX_ERROR;
    }

    names->conf = conf;
    names->changed = changed;
    names->data = data;
    names->n = conf->names.nelts;
    names->last = ngx_current_msec;
    names->log = cycle->log;

    name = conf->names.elts;

    for (i = 0; i < names->n; i++) {
        names->each[i].names = names;
        names->each[i].place = i + 1;
        (void) ngx_cpystrn((u_char *) names->each[i].text, name[i].data,
                           NI_MAXHOST);
    }

    ngx_http_prompt_timer_init(&names->timer, ngx_http_prompt_names_handler,
                               names, names->log);
    names->timer.event.cancelable = 1;

    /* what the configuration found may be long ago */

    ngx_add_timer(&names->timer.event, 0);

    *made = names;

    return NGX_OK;
}


void
ngx_http_prompt_names_destroy(ngx_http_prompt_names_t *names)
{
    ngx_uint_t               i;
    ngx_http_prompt_name_t  *name;

    if (names == NULL) {
        return;
    }

    ngx_http_prompt_names_stop(names);

    /* nginx has ended its threads by now */

    for (i = 0; i < names->n; i++) {
        name = &names->each[i];

        if (name->thread != NULL) {
            ngx_free(name->thread);
        }
    }
}


void
ngx_http_prompt_names_soon(ngx_http_prompt_names_t *names)
{
    ngx_msec_int_t  since;

    if (names == NULL || names->changed == NULL) {
        return;
    }

    since = (ngx_msec_int_t) (ngx_current_msec - names->last);

    ngx_http_prompt_timer_stop(&names->timer);
    ngx_add_timer(&names->timer.event,
                  since < NAMES_SOON ? (ngx_msec_t) (NAMES_SOON - since) : 0);
}


void
ngx_http_prompt_names_stop(ngx_http_prompt_names_t *names)
{
    ngx_uint_t  i;

    if (names == NULL) {
        return;
    }

    names->changed = NULL;
    ngx_http_prompt_timer_stop(&names->timer);

    for (i = 0; i < names->n; i++) {

        if (names->each[i].ctx != NULL) {
            ngx_resolve_name_done(names->each[i].ctx);
            names->each[i].ctx = NULL;
        }
    }
}


static void
ngx_http_prompt_names_handler(ngx_event_t *ev)
{
    ngx_uint_t                i;
    ngx_http_prompt_name_t   *name;
    ngx_http_prompt_names_t  *names;

    names = ngx_http_prompt_timer_owner(ev);
    names->last = ngx_current_msec;

    ngx_add_timer(ev, names->conf->every);

    for (i = 0; i < names->n; i++) {
        name = &names->each[i];

        if (name->ctx == NULL && name->thread == NULL) {
            ngx_http_prompt_names_ask(names, name);
        }
    }
}


static void
ngx_http_prompt_names_ask(ngx_http_prompt_names_t *names,
    ngx_http_prompt_name_t *name)
{
    ngx_resolver_ctx_t         *ctx;
    ngx_http_prompt_lookups_t  *lookups;

    lookups = names->conf->lookups;

    if (lookups->resolver == NULL) {
#if (NGX_THREADS)
        if (ngx_http_prompt_names_begin(names, name)) {
            return;
        }
#endif
        ngx_http_prompt_names_told(name, "no thread");
        return;
    }

    ctx = ngx_resolve_start(lookups->resolver, NULL);

    if (ctx == NULL || ctx == NGX_NO_RESOLVER) {
        ngx_http_prompt_names_told(name, "no resolver");
        return;
    }

    ctx->name.data = (u_char *) name->text;
    ctx->name.len = ngx_strlen(name->text);
    ctx->handler = ngx_http_prompt_names_answered;
    ctx->data = name;
    ctx->timeout = lookups->timeout;
    ctx->cancelable = 1;

    name->ctx = ctx;

    /* where it is known already, the handler is called from here */

    if (ngx_resolve_name(ctx) != NGX_OK) {
        name->ctx = NULL;
        ngx_http_prompt_names_told(name, "the resolver failed");
    }
}


static void
ngx_http_prompt_names_answered(ngx_resolver_ctx_t *ctx)
{
    ngx_int_t                state;
    ngx_uint_t               i;
    ngx_http_prompt_name_t  *name;

    name = ctx->data;
    name->ctx = NULL;
    name->found.n = 0;
    state = ctx->state;

    for (i = 0; state == NGX_OK && i < ctx->naddrs; i++) {
        ngx_http_prompt_names_add_addr(&name->found, ctx->addrs[i].sockaddr,
                                       ctx->addrs[i].socklen);
    }

    ngx_resolve_name_done(ctx);

    ngx_http_prompt_names_told(name, state == NGX_OK
                                     ? NULL : ngx_resolver_strerror(state));
}


#if (NGX_THREADS)


static ngx_uint_t
ngx_http_prompt_names_begin(ngx_http_prompt_names_t *names,
    ngx_http_prompt_name_t *name)
{
    ngx_thread_task_t  *thread;

    thread = ngx_calloc(sizeof(ngx_thread_task_t), names->log);
    if (thread == NULL) {
        return 0;
    }

    thread->ctx = name;
    thread->handler = ngx_http_prompt_names_thread;
    thread->event.data = name;
    thread->event.handler = ngx_http_prompt_names_ended;
    thread->event.log = names->log;

    if (ngx_thread_task_post(names->conf->lookups->threads, thread) != NGX_OK)
    {
        ngx_free(thread);
        return 0;
    }

    name->thread = thread;

    return 1;
}


/* In a thread: looks at text, writes to error and found, and logs nothing. */
static void
ngx_http_prompt_names_thread(void *data, ngx_log_t *log)
{
    ngx_http_prompt_name_t  *name = data;

    struct addrinfo   hints, *res, *ai;

    (void) log;

    ngx_memzero(&hints, sizeof(struct addrinfo));
    hints.ai_socktype = SOCK_STREAM;
#ifdef AI_ADDRCONFIG
    hints.ai_flags = AI_ADDRCONFIG;
#endif

    name->found.n = 0;
    name->error = getaddrinfo(name->text, NULL, &hints, &res);

    if (name->error != 0) {
        return;
    }

    for (ai = res; ai != NULL; ai = ai->ai_next) {
        ngx_http_prompt_names_add_addr(&name->found, ai->ai_addr,
                                       ai->ai_addrlen);
    }

    freeaddrinfo(res);
}


static void
ngx_http_prompt_names_ended(ngx_event_t *ev)
{
    ngx_http_prompt_name_t  *name;

    name = ev->data;

    ngx_free(name->thread);
    name->thread = NULL;

    ngx_http_prompt_names_told(name, name->error == 0
                                     ? NULL : gai_strerror(name->error));
}

#endif


/* What was found replaces what is known, where it is something else. */
static void
ngx_http_prompt_names_told(ngx_http_prompt_name_t *name, const char *error)
{
    prompt_str_t              of;
    ngx_uint_t                i;
    ngx_http_prompt_names_t  *names;

    names = name->names;

    if (names->changed == NULL) {
        return;
    }

    of = prompt_str_from(name->text);

    if (error != NULL || name->found.n == 0) {
        ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_NAME, of, names->log,
                                "prompt: \"%s\" is not found, it stays where "
                                "it was: %s", name->text,
                                error != NULL ? error : "no address");
        return;
    }

    ngx_http_prompt_ratelog_over(NGX_HTTP_PROMPT_RATELOG_NAME, of, names->log);

    if (ngx_http_prompt_names_same(&name->found, &name->known)) {
        return;
    }

    name->known = name->found;

    for (i = 0; i < name->known.n; i++) {
        name->known.addrs[i].sockaddr = &name->known.sockaddrs[i].sockaddr;
    }

    names->changed(names->data, name->place, name->known.addrs,
                   name->known.n);
}


/* In the order that they were found in; what is there is left out. */
static void
ngx_http_prompt_names_add_addr(ngx_http_prompt_names_list_t *list,
    const struct sockaddr *sockaddr, socklen_t socklen)
{
    ngx_sockaddr_t  *addr;

    if (list->n == NAMES_MAX || socklen > sizeof(ngx_sockaddr_t)) {
        return;
    }

    addr = &list->sockaddrs[list->n];

    ngx_memzero(addr, sizeof(ngx_sockaddr_t));
    ngx_memcpy(addr, sockaddr, socklen);
    ngx_inet_set_port(&addr->sockaddr, 0);

    if (!ngx_http_prompt_names_have(list, addr)) {
        list->addrs[list->n].socklen = socklen;
        list->n++;
    }
}


static ngx_uint_t
ngx_http_prompt_names_have(const ngx_http_prompt_names_list_t *list,
    const ngx_sockaddr_t *addr)
{
    ngx_uint_t  i;

    for (i = 0; i < list->n; i++) {

        if (ngx_memcmp(&list->sockaddrs[i], addr, sizeof(ngx_sockaddr_t))
            == 0)
        {
            return 1;
        }
    }

    return 0;
}


/* in whatever order: those who answer take turns */
static ngx_uint_t
ngx_http_prompt_names_same(const ngx_http_prompt_names_list_t *a,
    const ngx_http_prompt_names_list_t *b)
{
    ngx_uint_t  i;

    for (i = 0; i < a->n; i++) {

        if (!ngx_http_prompt_names_have(b, &a->sockaddrs[i])) {
            return 0;
        }
    }

    return a->n == b->n;
}
