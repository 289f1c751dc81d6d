/*
 * What came of an execution, read from the answer's bytes, and chat completions
 * made of it.  Nothing is decoded: templates have letters where the answer's
 * own JSON goes.
 *
 *   x 7 8 9   execution's id, version, cost, latency   i   id, no hyphens
 *   m f c     model, finish, content                   t   when it was created
 *   1 2 3     tokens in, cached, written to the cache  k   calls of tools
 *   4 5       tokens out, reasoning                    p   provider's own
 *   T         content, or why it was refused           u   usage, a template
 *   I N A     a call's id, name, arguments
 */

#include "openai/ngx_http_prompt_openai_impl.h"

#include "base/uuid.h"


/*
 * The members that the documents ask for, in their order; and those of the
 * message as the engine writes it, of which the last two may be missing.
 */
static const char  openai_members[] =
    "\"executionId\":$x,\"model\":$m,\"finishReason\":$f,\"tokenIn\":$1,"
    "\"tokenCached\":$2,\"tokenCacheWrite\":$3,\"tokenOut\":$4,"
    "\"tokenReasoning\":$5,\"costUsd\":$8,\"latencyMs\":$9,"
    "\"versionUsed\":$7,\"message\":{\"role\":\"assistant\",\"content\":$c";

static const char  openai_calls[] = ",\"tool_calls\":$k";
static const char  openai_provider[] = ",\"provider\":$p";
static const char  openai_one_call[] =
    "{\"id\":$I,\"type\":\"function\",\"function\":{\"name\":$N,"
    "\"arguments\":$A}}";


/* all formats' words for an end that is not the model's own */
static const char *const  openai_cut[] = {
    "\"length\"", "\"max_tokens\"", "\"max_output_tokens\"", "\"MAX_TOKENS\"",
    "\"model_context_window_exceeded\"", NULL
};

static const char *const  openai_filtered[] = {
    "\"content_filter\"", "\"SAFETY\"", "\"RECITATION\"", "\"LANGUAGE\"",
    "\"BLOCKLIST\"", "\"PROHIBITED_CONTENT\"", "\"SPII\"", "\"OTHER\"",
    "\"MODEL_ARMOR\"", "\"JAILBREAK\"", "\"IMAGE_SAFETY\"",
    "\"IMAGE_PROHIBITED_CONTENT\"", "\"IMAGE_RECITATION\"", "\"IMAGE_OTHER\"",
    NULL
};


static bool
openai_one_of(prompt_str_t text, const char *const *words)
{
    while (*words != NULL && !prompt_str_eq(text, prompt_str_from(*words))) {
        words++;
    }

    return *words != NULL;
}


/* of a stream it stands in the last event */
bool
openai_result(openai_request_t *rq, prompt_str_t text)
{
    int                  letter;
    u_char              *total;
    prompt_str_t        *v;
    prompt_json_scan_t   scan;

    v = rq->v;
    prompt_json_scan_init(&scan, text, OPENAI_DEPTH);

    if (!prompt_json_span_match(&scan, "{\"data\":{\"e\":{", v)
        || (rq->stream
            && !prompt_json_span_match(&scan, "\"delta\":$D,\"result\":{", v))
        || !prompt_json_span_match(&scan, openai_members, v))
    {
        return false;
    }

    (void) prompt_json_span_match(&scan, openai_calls, v);
    (void) prompt_json_span_match(&scan, openai_provider, v);

    if (!prompt_json_span_match(&scan, "}", v) || v['x'].len < 2
        || (v['c'].data == NULL && v['k'].data == NULL))
    {
        return false;
    }

    openai_take_id(rq, prompt_str_of(v['x'].data + 1, v['x'].len - 2));

    if (!prompt_str_eq(v['f'], prompt_str("\"stop\""))) {
        rq->cut = openai_one_of(v['f'], openai_cut);
        rq->filtered = openai_one_of(v['f'], openai_filtered);
    }

    v['T'] = v['c'];

    if (prompt_str_eq(v['f'], prompt_str("\"refusal\""))) {
        rq->refused = v['c'].len > 2;
        rq->filtered = !rq->refused;
        v['c'] = rq->refused ? prompt_str_absent : v['c'];
    }

    v['R'] = rq->refused ? v['T'] : prompt_str_absent;
    v['F'] = prompt_str_from(rq->cut ? "length"
                             : rq->filtered ? "content_filter"
                             : v['k'].data != NULL ? "tool_calls" : "stop");

    if (v['1'].data == NULL || v['4'].data == NULL) {
        v['1'] = prompt_str_absent;               /* usage is null */
        return true;
    }

    for (letter = '2'; letter <= '5'; letter++) {
        v[letter] = v[letter].data != NULL ? v[letter] : prompt_str("0");
    }

    total = ngx_pnalloc(rq->ctx->op.job.request->pool, NGX_INT64_LEN);
    if (total == NULL) {
        rq->nomem = 1;
        return true;
    }

    v['6'] = prompt_str_of((char *) total, (size_t) (ngx_sprintf(total, "%z",
                 ngx_atosz((u_char *) v['1'].data, v['1'].len)
                 + ngx_atosz((u_char *) v['4'].data, v['4'].len)) - total));

    return true;
}


/* what is read and written is of 8, 4, 4, 4 and 12 digits, as of any UUID */
void
openai_take_id(openai_request_t *rq, prompt_str_t text)
{
    u_char  *id, *hex;

    if (rq->id.data != NULL || text.len != PROMPT_UUID_TEXT_LEN) {
        return;
    }

    id = ngx_pnalloc(rq->ctx->op.job.request->pool, 2 * PROMPT_UUID_TEXT_LEN);
    rq->nomem |= id == NULL;

    if (id != NULL) {
        hex = ngx_cpymem(id, text.data, PROMPT_UUID_TEXT_LEN);
        rq->id = prompt_str_of((char *) id, PROMPT_UUID_TEXT_LEN);
        rq->v['i'] = prompt_str_of((char *) hex, PROMPT_UUID_TEXT_LEN - 4);

        hex = ngx_cpymem(hex, id, 8);
        hex = ngx_cpymem(hex, id + 9, 4);
        hex = ngx_cpymem(hex, id + 14, 4);
        hex = ngx_cpymem(hex, id + 19, 4);
        ngx_memcpy(hex, id + 24, 12);
    }
}


bool
openai_call(openai_request_t *rq, prompt_json_scan_t *scan)
{
    const char  *before;

    before = ",";

    if (scan->start == NULL) {
        prompt_json_scan_init(scan, rq->v['k'], OPENAI_DEPTH);
        before = "[";
    }

    return prompt_json_span_match(scan, before, rq->v)
           && prompt_json_span_match(scan, openai_one_call, rq->v);
}


void
openai_write(const openai_request_t *rq, const char *template,
    prompt_buf_t *out)
{
    const char    *p;
    prompt_str_t   value;

    while ((p = strchr(template, '$')) != NULL) {
        prompt_buf_append(out, template, (size_t) (p - template));

        value = rq->v[p[1] & 0x7f];

        if (p[1] == 'u' && rq->v['1'].data != NULL) {
            openai_write(rq, rq->route->form->usage, out);

        } else {
            prompt_buf_str(out, value.data != NULL ? value
                                                   : prompt_str("null"));
        }

        template = p + 2;
    }

    prompt_buf_str(out, prompt_str_from(template));
}


prompt_str_t
openai_kept(openai_request_t *rq, prompt_buf_t *text)
{
    char          *copy;
    prompt_str_t   kept;

    copy = text->status == PROMPT_BUF_OK
           ? ngx_pnalloc(rq->ctx->op.job.request->pool, text->len + 1) : NULL;
    kept = prompt_str_of(copy, text->len);

    if (copy != NULL) {
        ngx_memcpy(copy, text->data, text->len);
        copy[text->len] = '\0';
    }

    rq->nomem |= copy == NULL;
    prompt_buf_free(text);

    return copy != NULL ? kept : prompt_str_absent;
}


prompt_str_t
openai_made(openai_request_t *rq, const char *template)
{
    prompt_buf_t  text;

    prompt_buf_init(&text, OPENAI_ANSWER);
    openai_write(rq, template, &text);

    return openai_kept(rq, &text);
}


#define chat(object)                                                          \
    "{\"id\":\"chatcmpl-$i\",\"object\":\"" object "\",\"created\":$t,"        \
    "\"model\":$m,\"choices\":["
#define execution                                                             \
    "\"execution\":{\"id\":$x,\"version\":$7,\"cost_usd\":$8,\"latency_ms\":$9}"
#define chunk  chat("chat.completion.chunk") "{\"index\":0,\"delta\":{"


/* a chunk behind others begins as the form has it for the first */
static void
openai_chunk(openai_request_t *rq, const char *template, prompt_buf_t *out)
{
    if (out->len != 0) {
        prompt_buf_str(out, prompt_str("\n\ndata: "));
    }

    openai_write(rq, chunk, out);
    openai_write(rq, template, out);
}


static void
openai_chat_begin(openai_request_t *rq, prompt_buf_t *out)
{
    rq->v['z'] = rq->usage ? prompt_str("},\"logprobs\":null,\"finish_reason\":"
                                        "null}],\"usage\":null}")
                           : prompt_str("},\"logprobs\":null,\"finish_reason\":"
                                        "null}]}");

    openai_chunk(rq, "\"role\":\"assistant\",\"content\":\"\","
                     "\"refusal\":null$z", out);
}


static void
openai_chat_delta(openai_request_t *rq, prompt_buf_t *out)
{
    openai_chunk(rq, "\"content\":", out);
}


/* What has to go back to the provider comes with the end. */
static void
openai_chat_end(openai_request_t *rq, prompt_buf_t *out)
{
    ngx_uint_t          n;
    prompt_json_scan_t  scan;

    if (!rq->said && rq->v['T'].len > 2) {
        openai_chunk(rq, rq->refused ? "\"refusal\":$T$z" : "\"content\":$T$z",
                     out);
    }

    ngx_memzero(&scan, sizeof(prompt_json_scan_t));

    for (n = 0; openai_call(rq, &scan); n++) {
        openai_chunk(rq, "\"tool_calls\":[{\"index\":", out);
        prompt_buf_int(out, (int64_t) n);
        openai_write(rq, ",\"id\":$I,\"type\":\"function\",\"function\":"
                         "{\"name\":$N,\"arguments\":$A}}]$z", out);
    }

    openai_chunk(rq, rq->v['p'].data != NULL ? "\"provider\":$p" : "", out);
    openai_write(rq, "},\"logprobs\":null,\"finish_reason\":\"$F\"}],", out);
    openai_write(rq, rq->usage ? "\"usage\":null," execution "}"
                               : execution "}", out);

    if (rq->usage) {
        openai_write(rq, "\n\ndata: " chat("chat.completion.chunk")
                         "],\"usage\":$u}", out);
    }
}


static void
openai_chat_fail(openai_request_t *rq, const openai_error_t *error,
    prompt_buf_t *out)
{
    (void) rq;

    openai_error_write(error, out);
}


static void
openai_chat_whole(openai_request_t *rq, prompt_buf_t *out)
{
    openai_write(rq, chat("chat.completion") "{\"index\":0,\"message\":"
                     "{\"role\":\"assistant\",\"content\":$c,\"refusal\":$R",
                 out);
    openai_write(rq, rq->v['k'].data != NULL ? ",\"tool_calls\":$k" : "",
                 out);
    openai_write(rq, rq->v['p'].data != NULL ? ",\"provider\":$p" : "", out);
    openai_write(rq, "},\"logprobs\":null,\"finish_reason\":\"$F\"}],"
                     "\"usage\":$u," execution "}", out);
}


const openai_form_t  openai_chat = {
    { prompt_str_init("data: "), prompt_str_init("\n\ndata: [DONE]\n\n") },
    "{\"prompt_tokens\":$1,\"completion_tokens\":$4,\"total_tokens\":$6,"
    "\"prompt_tokens_details\":{\"cached_tokens\":$2,"
    "\"cache_write_tokens\":$3},\"completion_tokens_details\":"
    "{\"reasoning_tokens\":$5}}",
    openai_chat_whole,
    openai_chat_begin,
    openai_chat_delta,
    openai_chat_end,
    openai_chat_fail
};
