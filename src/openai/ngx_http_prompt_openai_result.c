/*
 * What came of an execution, read from the answer's bytes: nothing is copied
 * or decoded.  The document asks for everything else before the message, which
 * can be long.
 */

#include "openai/ngx_http_prompt_openai_impl.h"


typedef struct {
    prompt_str_t    name;
    size_t          offset;          /* of a text, in the result */
} ngx_http_prompt_openai_member_t;

#define member(name, field)                                                   \
    { prompt_str_init(name), offsetof(ngx_http_prompt_openai_result_t, field) }

static const ngx_http_prompt_openai_member_t
    ngx_http_prompt_openai_members[] =
{
    member("executionId", id),
    member("model", model),
    member("finishReason", finish),
    member("tokenIn", in),
    member("tokenCached", cached),
    member("tokenCacheWrite", cache_write),
    member("tokenOut", out),
    member("tokenReasoning", reasoning),
    member("costUsd", cost),
    member("latencyMs", latency),
    member("versionUsed", version),
    { { NULL, 0 }, 0 }
};

static const ngx_http_prompt_openai_member_t
    ngx_http_prompt_openai_message[] =
{
    member("content", content),
    member("tool_calls", calls),
    member("provider", provider),
    { { NULL, 0 }, 0 }
};

#undef member


/* words of all formats for an end that is not the model's own */
static const struct {
    prompt_str_t    word;
    ngx_uint_t      filtered;        /* else cut */
} ngx_http_prompt_openai_ends[] = {
    { prompt_str_init("length"), 0 },
    { prompt_str_init("max_tokens"), 0 },
    { prompt_str_init("max_output_tokens"), 0 },
    { prompt_str_init("model_context_window_exceeded"), 0 },
    { prompt_str_init("MAX_TOKENS"), 0 },
    { prompt_str_init("content_filter"), 1 },
    { prompt_str_init("SAFETY"), 1 },
    { prompt_str_init("RECITATION"), 1 },
    { prompt_str_init("LANGUAGE"), 1 },
    { prompt_str_init("BLOCKLIST"), 1 },
    { prompt_str_init("PROHIBITED_CONTENT"), 1 },
    { prompt_str_init("SPII"), 1 },
    { prompt_str_init("OTHER"), 1 },
    { prompt_str_init("MODEL_ARMOR"), 1 },
    { prompt_str_init("JAILBREAK"), 1 },
    { prompt_str_init("IMAGE_SAFETY"), 1 },
    { prompt_str_init("IMAGE_PROHIBITED_CONTENT"), 1 },
    { prompt_str_init("IMAGE_RECITATION"), 1 },
    { prompt_str_init("IMAGE_OTHER"), 1 }
};


prompt_str_t
ngx_http_prompt_openai_raw(prompt_json_scan_t *scan)
{
    const char  *start;

    (void) prompt_json_scan_type(scan);           /* stands at the value now */
    start = scan->pos;
    prompt_json_scan_skip(scan);

    return prompt_str_of(start, (size_t) (scan->pos - start));
}


/* members by a table; null is absent */

static void
ngx_http_prompt_openai_read_member(prompt_json_scan_t *scan, prompt_str_t name,
    const ngx_http_prompt_openai_member_t *member,
    ngx_http_prompt_openai_result_t *result)
{
    while (member->name.data != NULL && !prompt_str_eq(member->name, name)) {
        member++;
    }

    if (member->name.data == NULL
        || prompt_json_scan_type(scan) == PROMPT_JSON_NULL)
    {
        prompt_json_scan_skip(scan);
        return;
    }

    *(prompt_str_t *) (void *) ((u_char *) result + member->offset) =
        ngx_http_prompt_openai_raw(scan);
}


/* The member of that name, which is looked for. */

static bool
ngx_http_prompt_openai_enter(prompt_json_scan_t *scan, const char *wanted)
{
    prompt_str_t  name;

    if (!prompt_json_scan_object(scan)) {
        return false;
    }

    while (prompt_json_scan_member(scan, &name)) {

        if (prompt_str_eq(name, prompt_str_from(wanted))) {
            return true;
        }

        prompt_json_scan_skip(scan);
    }

    return false;
}


static prompt_str_t
ngx_http_prompt_openai_within(prompt_str_t quoted)
{
    return quoted.len >= 2 ? prompt_str_of(quoted.data + 1, quoted.len - 2)
                           : prompt_str_absent;
}


/* how it ended; a refusal that says something stands for itself */

static void
ngx_http_prompt_openai_ended(ngx_http_prompt_openai_result_t *result)
{
    ngx_uint_t  i;

    if (prompt_str_eq(result->finish, prompt_str("refusal"))) {

        if (result->content.len > 2) {
            result->refusal = result->content;
            result->content = prompt_str_absent;

        } else {
            result->filtered = 1;
        }

        return;
    }

    for (i = 0; i < sizeof(ngx_http_prompt_openai_ends)
                    / sizeof(ngx_http_prompt_openai_ends[0]); i++)
    {
        if (prompt_str_eq(result->finish,
                          ngx_http_prompt_openai_ends[i].word))
        {
            result->filtered = ngx_http_prompt_openai_ends[i].filtered;
            result->cut = !result->filtered;
        }
    }
}


/* {"data":{"e":{…}}}; of a stream {"data":{"e":{"delta":null,"result":{…}}}} */

bool
ngx_http_prompt_openai_result(prompt_str_t text,
    ngx_http_prompt_openai_result_t *result)
{
    prompt_str_t        name;
    prompt_json_scan_t  scan;

    ngx_memzero(result, sizeof(ngx_http_prompt_openai_result_t));
    prompt_json_scan_init(&scan, text, PROMPT_LIMIT_ANSWER_DEPTH);

    if (!ngx_http_prompt_openai_enter(&scan, "data")
        || !ngx_http_prompt_openai_enter(&scan, "e")
        || !prompt_json_scan_object(&scan))
    {
        return false;
    }

    while (prompt_json_scan_member(&scan, &name)) {

        if (prompt_str_eq(name, prompt_str("result"))) {

            if (!prompt_json_scan_object(&scan)) {
                return false;
            }

            continue;                /* what is behind it does not matter */
        }

        if (!prompt_str_eq(name, prompt_str("message"))
            || !prompt_json_scan_object(&scan))
        {
            ngx_http_prompt_openai_read_member(&scan, name,
                                               ngx_http_prompt_openai_members,
                                               result);
            continue;
        }

        while (prompt_json_scan_member(&scan, &name)) {
            ngx_http_prompt_openai_read_member(&scan, name,
                                               ngx_http_prompt_openai_message,
                                               result);
        }

        if (scan.error.status != PROMPT_JSON_OK || result->id.data == NULL) {
            return false;
        }

        result->id = ngx_http_prompt_openai_within(result->id);
        result->finish = ngx_http_prompt_openai_within(result->finish);
        ngx_http_prompt_openai_ended(result);

        return true;
    }

    return false;
}


/* {"id":…,"type":"function","function":{"name":…,"arguments":…}} */

bool
ngx_http_prompt_openai_call(const ngx_http_prompt_openai_result_t *result,
    prompt_json_scan_t *scan, ngx_http_prompt_openai_call_t *call)
{
    prompt_str_t  name, value;

    if (scan->start == NULL) {

        if (result->calls.data == NULL) {
            return false;
        }

        prompt_json_scan_init(scan, result->calls, PROMPT_LIMIT_ANSWER_DEPTH);

        if (!prompt_json_scan_array(scan)) {
            return false;
        }
    }

    ngx_memzero(call, sizeof(ngx_http_prompt_openai_call_t));

    if (!prompt_json_scan_element(scan) || !prompt_json_scan_object(scan)) {
        return false;
    }

    while (prompt_json_scan_member(scan, &name)) {

        if (prompt_str_eq(name, prompt_str("function"))
            && prompt_json_scan_object(scan))
        {
            while (prompt_json_scan_member(scan, &name)) {
                value = ngx_http_prompt_openai_raw(scan);

                if (prompt_str_eq(name, prompt_str("name"))) {
                    call->name = value;

                } else {
                    call->arguments = value;
                }
            }

            continue;
        }

        value = ngx_http_prompt_openai_raw(scan);

        if (prompt_str_eq(name, prompt_str("id"))) {
            call->id = value;
        }
    }

    return scan->error.status == PROMPT_JSON_OK;
}


void
ngx_http_prompt_openai_take_id(ngx_http_prompt_openai_request_t *rq,
    prompt_str_t text)
{
    size_t  i, n;

    n = 0;

    for (i = 0; i < text.len && n < sizeof(rq->id); i++) {
        if (text.data[i] != '-') {
            rq->id[n++] = text.data[i];
        }
    }
}


void
ngx_http_prompt_openai_execution(const ngx_http_prompt_openai_result_t *result,
    prompt_buf_t *out)
{
    prompt_buf_literal(out, "\"execution\":{\"id\":\"");
    prompt_buf_str(out, result->id);
    prompt_buf_literal(out, "\",\"version\":");
    prompt_buf_str(out, result->version);
    prompt_buf_literal(out, ",\"cost_usd\":");
    prompt_buf_str(out, result->cost.data != NULL ? result->cost
                                                  : prompt_str("null"));
    prompt_buf_literal(out, ",\"latency_ms\":");
    prompt_buf_str(out, result->latency);
    prompt_buf_char(out, '}');
}
