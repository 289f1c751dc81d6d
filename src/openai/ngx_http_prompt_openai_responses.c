/*
 * Responses, whole and as events.  What has to go back to the provider is an
 * item of reasoning, the last one: its encrypted_content is what ..._items.c
 * finds there.  The letters beside those of ..._answer.c:
 *
 *   e s d   what it repeats of the request, status, why it is incomplete
 *   O W     the output; the part that its text is
 *   n I N A place in the output, and in the calls: id, name, arguments
 *   E       an error
 */

#include "openai/ngx_http_prompt_openai_impl.h"


#define response                                                              \
    "{\"id\":\"resp_$i\",\"object\":\"response\",\"created_at\":$t,"          \
    "\"status\":\"$s\",\"model\":$m,\"error\":$E,\"incomplete_details\":$d,"  \
    "\"output\":[$O],\"usage\":$u$e"
#define message(status)                                                       \
    "{\"id\":\"msg_$i\",\"type\":\"message\",\"role\":\"assistant\","         \
    "\"status\":\"" status "\",\"content\":["
#define call(status, arguments)                                               \
    "{\"id\":\"fc_$i_$n\",\"type\":\"function_call\",\"status\":\"" status    \
    "\",\"call_id\":$I,\"name\":$N,\"arguments\":" arguments "}"
#define reasoning                                                             \
    "{\"id\":\"rs_$i\",\"type\":\"reasoning\",\"summary\":[],"                \
    "\"encrypted_content\":$P}"
#define part                                                                  \
    "{\"type\":\"output_text\",\"annotations\":[],\"logprobs\":[],\"text\":"
#define place                                                                 \
    "\"item_id\":\"msg_$i\",\"output_index\":0,\"content_index\":0"


/* in the order in which they are told, each when what its letter says is so */
static const struct {
    char            when;
    const char     *type;
    const char     *template;
} openai_response_events[] = {
    { 'b', "created", "\"response\":" response "}}" },
    { 'b', "in_progress", "\"response\":" response "}}" },
    { 't', "output_item.added",
      "\"output_index\":0,\"item\":" message("in_progress") "]}}" },
    { 't', "content_part.added", place ",\"part\":" part "\"\"}}" },
    { 'd', "output_text.delta", place ",\"logprobs\":[],\"delta\":" },
    { 'T', "output_text.delta", place ",\"logprobs\":[],\"delta\":$T}" },
    { 'e', "output_text.done", place ",\"logprobs\":[],\"text\":$T}" },
    { 'e', "content_part.done", place ",\"part\":$W}" },
    { 'e', "output_item.done",
      "\"output_index\":0,\"item\":" message("$D") "$W]}}" },
    { 'c', "output_item.added",
      "\"output_index\":$n,\"item\":" call("in_progress", "\"\"") "}" },
    { 'c', "function_call_arguments.delta",
      "\"item_id\":\"fc_$i_$n\",\"output_index\":$n,\"delta\":$A}" },
    { 'c', "function_call_arguments.done", "\"item_id\":\"fc_$i_$n\","
      "\"output_index\":$n,\"name\":$N,\"arguments\":$A}" },
    { 'c', "output_item.done",
      "\"output_index\":$n,\"item\":" call("completed", "$A") "}" },
    { 'r', "output_item.added", "\"output_index\":$n,\"item\":" reasoning "}" },
    { 'r', "output_item.done", "\"output_index\":$n,\"item\":" reasoning "}" },
    { 'E', "completed", "\"response\":" response ",$X}}" },
    { 'I', "incomplete", "\"response\":" response ",$X}}" },
    { 'F', "failed", "\"response\":" response "}}" }
};


/* An event behind others begins as the form has it for the first. */
static void
openai_response_tell(openai_request_t *rq, char when, prompt_buf_t *out)
{
    size_t  i;

    for (i = 0; i < sizeof(openai_response_events)
                    / sizeof(openai_response_events[0]); i++)
    {
        if (openai_response_events[i].when != when) {
            continue;
        }

        prompt_buf_printf(out, "%sresponse.%s\ndata: {\"type\":\"response.%s\","
                          "\"sequence_number\":%u,",
                          out->len != 0 ? "\n\nevent: " : "",
                          openai_response_events[i].type,
                          openai_response_events[i].type,
                          (unsigned) rq->sequence++);
        openai_write(rq, openai_response_events[i].template, out);
    }
}


static void
openai_response_begin(openai_request_t *rq, prompt_buf_t *out)
{
    rq->v['s'] = prompt_str("in_progress");
    rq->v['O'] = prompt_str("");
    rq->v['z'] = prompt_str("}");                 /* behind each delta */
    openai_response_tell(rq, 'b', out);
}


static void
openai_response_delta(openai_request_t *rq, prompt_buf_t *out)
{
    if (!rq->said) {
        openai_response_tell(rq, 't', out);
    }

    openai_response_tell(rq, 'd', out);
}


/* what is known at the end; a refusal was told as text until then */
static void
openai_response_over(openai_request_t *rq)
{
    prompt_buf_t  text;

    rq->v['D'] = rq->cut ? prompt_str("incomplete") : prompt_str("completed");
    rq->v['s'] = rq->cut || rq->filtered ? prompt_str("incomplete")
                                         : prompt_str("completed");
    rq->v['d'] = rq->cut ? prompt_str("{\"reason\":\"max_output_tokens\"}")
                 : rq->filtered ? prompt_str("{\"reason\":\"content_filter\"}")
                 : prompt_str_absent;
    rq->v['W'] = openai_made(rq, rq->refused
                                 ? "{\"type\":\"refusal\",\"refusal\":$T}"
                                 : part "$T}");
    rq->v['X'] = openai_made(rq, "\"execution\":{\"id\":$x,\"version\":$7,"
                                 "\"cost_usd\":$8,\"latency_ms\":$9}");

    if (rq->v['p'].data != NULL) {
        prompt_buf_init(&text, OPENAI_ANSWER);
        prompt_json_write_string(&text, rq->v['p']);
        rq->v['P'] = openai_kept(rq, &text);
    }
}


/* An item: into output, and, where events is there, told. */
static void
openai_response_item(openai_request_t *rq, const char *template, char when,
    prompt_buf_t *output, prompt_buf_t *events)
{
    prompt_buf_str(output, output->len != 0 ? prompt_str(",")
                                            : prompt_str(""));
    openai_write(rq, template, output);

    if (events != NULL) {
        openai_response_tell(rq, when, events);
    }
}


static void
openai_response_items(openai_request_t *rq, prompt_buf_t *events)
{
    char                index[NGX_INT_T_LEN];
    bool                more;
    ngx_uint_t          n;
    prompt_buf_t        output;
    prompt_json_scan_t  scan;

    prompt_buf_init(&output, OPENAI_ANSWER);
    ngx_memzero(&scan, sizeof(prompt_json_scan_t));

    if (rq->v['T'].data != NULL) {

        if (events != NULL && !rq->said) {
            openai_response_tell(rq, 't', events);
            openai_response_tell(rq, rq->v['T'].len > 2 ? 'T' : '-', events);
        }

        openai_response_item(rq, message("$D") "$W]}", 'e', &output, events);
    }

    n = rq->v['T'].data != NULL;

    do {
        more = openai_call(rq, &scan);
        rq->v['n'] = prompt_str_of(index,
                         (size_t) (ngx_sprintf((u_char *) index, "%ui", n++)
                                   - (u_char *) index));
        if (more) {
            openai_response_item(rq, call("completed", "$A"), 'c', &output,
                                 events);

        } else if (rq->v['P'].data != NULL) {
            openai_response_item(rq, reasoning, 'r', &output, events);
        }

    } while (more);

    rq->v['O'] = openai_kept(rq, &output);
}


/* It is written: what is long is not kept for as long as a client reads. */
static void
openai_response_written(openai_request_t *rq)
{
    size_t  i;

    static const char  letters[] = "WOPe";

    for (i = 0; letters[i] != '\0'; i++) {

        if (rq->v[letters[i] & 0x7f].data != NULL) {
            (void) ngx_pfree(rq->ctx->op.job.request->pool,
                             (char *) rq->v[letters[i] & 0x7f].data);
            rq->v[letters[i] & 0x7f] = prompt_str_absent;
        }
    }
}


static void
openai_response_whole(openai_request_t *rq, prompt_buf_t *out)
{
    openai_response_over(rq);
    openai_response_items(rq, NULL);
    openai_write(rq, response ",$X}", out);
    openai_response_written(rq);
}


static void
openai_response_end(openai_request_t *rq, prompt_buf_t *out)
{
    openai_response_over(rq);
    openai_response_items(rq, out);
    openai_response_tell(rq, rq->cut || rq->filtered ? 'I' : 'E', out);
    openai_response_written(rq);
}


/* One that was begun fails; else there is nothing but the error. */
static void
openai_response_fail(openai_request_t *rq, const openai_error_t *error,
    prompt_buf_t *out)
{
    prompt_buf_t  text;

    prompt_buf_init(&text, OPENAI_ANSWER);

    if (!rq->begun) {
        prompt_buf_printf(out, "error\ndata: {\"type\":\"error\","
                          "\"sequence_number\":0,\"param\":null,"
                          "\"code\":\"%s\",\"message\":",
                          openai_error_type(error));
        prompt_json_write_string(out, error->message);
        prompt_buf_char(out, '}');
        return;
    }

    prompt_buf_printf(&text, "{\"code\":\"%s\",\"message\":",
                      openai_error_type(error));
    prompt_json_write_string(&text, error->message);
    prompt_buf_char(&text, '}');

    rq->v['E'] = openai_kept(rq, &text);
    rq->v['s'] = prompt_str("failed");
    openai_response_tell(rq, 'F', out);
}


const openai_form_t  openai_responses = {
    { prompt_str_init("event: "), prompt_str_init("\n\n") },
    "{\"input_tokens\":$1,\"input_tokens_details\":{\"cached_tokens\":$2,"
    "\"cache_write_tokens\":$3},\"output_tokens\":$4,\"output_tokens_details\":"
    "{\"reasoning_tokens\":$5},\"total_tokens\":$6}",
    openai_response_whole,
    openai_response_begin,
    openai_response_delta,
    openai_response_end,
    openai_response_fail
};
