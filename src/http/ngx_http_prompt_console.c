/*
 * The console: its directive, its page and its answer.
 */

#include "http/ngx_http_prompt_console.h"

#include "base/sha256.h"
#include "conf/ngx_http_prompt_conf.h"
#include "conf/ngx_http_prompt_conf_dashboard.h"
#include "http/ngx_http_prompt_page.h"


#define NGX_HTTP_PROMPT_CONSOLE_HASH  ngx_base64_encoded_length(              \
                                          PROMPT_SHA256_LEN)


static ngx_int_t ngx_http_prompt_console_compose(ngx_conf_t *cf,
    ngx_http_prompt_console_t *console,
    ngx_http_prompt_dashboard_conf_t *conf);
static ngx_int_t ngx_http_prompt_console_piece(ngx_conf_t *cf,
    ngx_str_t *folder, const char *ending, ngx_str_t *text);
static ngx_int_t ngx_http_prompt_console_policy(ngx_conf_t *cf,
    ngx_http_prompt_console_t *console, ngx_str_t *style, ngx_str_t *script);
static void ngx_http_prompt_console_hash(ngx_str_t *text, ngx_str_t *hash);
static ngx_int_t ngx_http_prompt_console_handler(ngx_http_request_t *r);


/*
 * What the page needs and nothing else: its own script and style, its icon,
 * requests to where it came from.  Strings never become code or markup, so
 * that what the API answers cannot, either.
 */
#define NGX_HTTP_PROMPT_CONSOLE_POLICY                                        \
    "default-src 'none'; script-src 'sha256-%V'; style-src 'sha256-%V'; "     \
    "img-src data:; connect-src 'self'; base-uri 'none'; "                    \
    "form-action 'none'; frame-ancestors 'none'; "                            \
    "require-trusted-types-for 'script'; trusted-types 'none'"


char *
ngx_http_prompt_console(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_prompt_loc_conf_t  *plcf = conf;

    char                              *rv;
    ngx_http_prompt_console_t         *console;
    ngx_http_prompt_dashboard_conf_t   ccf;

    rv = ngx_http_prompt_conf_handler(cf, plcf,
                                      ngx_http_prompt_console_handler);
    if (rv != NGX_CONF_OK) {
        return rv;
    }

    console = ngx_pcalloc(cf->pool, sizeof(ngx_http_prompt_console_t));

    if (console == NULL
        || ngx_http_prompt_conf_console(cf, &ccf) != NGX_OK
        || ngx_http_prompt_console_compose(cf, console, &ccf) != NGX_OK)
    {
        return NGX_CONF_ERROR;
    }

    plcf->console = console;

    return NGX_CONF_OK;
}


static ngx_int_t
ngx_http_prompt_console_compose(ngx_conf_t *cf,
    ngx_http_prompt_console_t *console, ngx_http_prompt_dashboard_conf_t *conf)
{
    ngx_http_prompt_page_mark_t  marks[] = {
        { ngx_string("{{graphql}}"), ngx_null_string },
        { ngx_string("{{session}}"), ngx_null_string },
        { ngx_string("{{style}}"), ngx_null_string },
        { ngx_string("{{script}}"), ngx_null_string }
    };

    if (ngx_http_prompt_console_piece(cf, &conf->path, ".html",
                                      &console->page)
        != NGX_OK
        || ngx_http_prompt_console_piece(cf, &conf->path, ".css",
                                         &marks[2].text)
           != NGX_OK
        || ngx_http_prompt_console_piece(cf, &conf->path, ".js",
                                         &marks[3].text)
           != NGX_OK
        || ngx_http_prompt_page_escape(cf, &conf->graphql, 0, &marks[0].text)
           != NGX_OK
        || ngx_http_prompt_page_escape(cf, &conf->session, 0, &marks[1].text)
           != NGX_OK
        || ngx_http_prompt_console_policy(cf, console, &marks[2].text,
                                          &marks[3].text)
           != NGX_OK
        || ngx_http_prompt_page_fill(cf, &console->page, marks,
                                     sizeof(marks) / sizeof(marks[0]))
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_http_prompt_page_etag(cf->pool, &console->page,
                                     &console->etag);
}


static ngx_int_t
ngx_http_prompt_console_piece(ngx_conf_t *cf, ngx_str_t *folder,
    const char *ending, ngx_str_t *text)
{
    ngx_int_t  rc;
    ngx_str_t  name;

    ngx_str_set(&name, "console");

    rc = ngx_http_prompt_page_read(cf, folder, &name, ending, text);

    if (rc == NGX_DECLINED) {
        return ngx_http_prompt_conf_error(cf,
                   "\"%V\", for \"prompt_console\", has no console%s: `make "
                   "dashboard' builds it, and `make install' puts it where it "
                   "is found without a name", folder, ending);
    }

    return rc;
}


static ngx_int_t
ngx_http_prompt_console_policy(ngx_conf_t *cf,
    ngx_http_prompt_console_t *console, ngx_str_t *style, ngx_str_t *script)
{
    u_char     *p;
    ngx_str_t   script_hash, style_hash;
    u_char      hashes[2][NGX_HTTP_PROMPT_CONSOLE_HASH];

    p = ngx_pnalloc(cf->pool, sizeof(NGX_HTTP_PROMPT_CONSOLE_POLICY)
                              + sizeof(hashes));
    if (p == NULL) {
        return NGX_ERROR;
    }

    script_hash.data = hashes[0];
    ngx_http_prompt_console_hash(script, &script_hash);

    style_hash.data = hashes[1];
    ngx_http_prompt_console_hash(style, &style_hash);

    console->policy.data = p;
    console->policy.len = ngx_sprintf(p, NGX_HTTP_PROMPT_CONSOLE_POLICY,
                                      &script_hash, &style_hash) - p;

    return NGX_OK;
}


/* base64 of SHA-256, as Content-Security-Policy has it */
static void
ngx_http_prompt_console_hash(ngx_str_t *text, ngx_str_t *hash)
{
    ngx_str_t  digest;
    uint8_t    bytes[PROMPT_SHA256_LEN];

    prompt_sha256(ngx_http_prompt_str(text), bytes);

    digest.data = bytes;
    digest.len = PROMPT_SHA256_LEN;

    ngx_encode_base64(hash, &digest);
}


static ngx_int_t
ngx_http_prompt_console_handler(ngx_http_request_t *r)
{
    ngx_int_t                    rc;
    ngx_str_t                    type;
    ngx_http_prompt_console_t   *console;
    ngx_http_prompt_loc_conf_t  *plcf;

    rc = ngx_http_prompt_page_request(r);
    if (rc != NGX_OK) {
        return rc;
    }

    plcf = ngx_http_get_module_loc_conf(r, ngx_http_prompt_module);
    console = plcf->console;

    r->headers_out.status = NGX_HTTP_OK;
    ngx_str_set(&r->headers_out.charset, "utf-8");
    ngx_str_set(&type, "text/html");

    return ngx_http_prompt_page_send(r, &console->policy, "no-cache", &type,
                                     &console->etag, &console->page);
}
