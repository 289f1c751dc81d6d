/*
 * Providers: the formats, a request, and what an answer comes to.
 */

#include "prompt/provider_impl.h"


#define prompt_provider_entry(name)                                           \
    { prompt_str_init(#name), &prompt_provider_##name },

static const struct {
    prompt_str_t                     name;
    const prompt_provider_format_t  *format;
} prompt_provider_formats[] = {
    PROMPT_PROVIDER_FORMATS(prompt_provider_entry)
};


const prompt_provider_format_t *
prompt_provider_format(prompt_str_t name)
{
    size_t  i;

    for (i = 0; i < sizeof(prompt_provider_formats)
                    / sizeof(prompt_provider_formats[0]); i++)
    {
        if (prompt_str_eq(name, prompt_provider_formats[i].name)) {
            return prompt_provider_formats[i].format;
        }
    }

    return NULL;
}


prompt_check_t
prompt_provider_check(prompt_arena_t *arena,
    const prompt_provider_request_t *request, prompt_fault_t *fault)
{
    return request->format->check != NULL
           ? request->format->check(arena, request, fault) : PROMPT_CHECK_OK;
}


void
prompt_provider_request(const prompt_provider_request_t *request,
    prompt_buf_t *out)
{
    prompt_buf_char(out, '{');
    request->format->write(request, out);
    prompt_buf_char(out, '}');
}


/* what is no count of tokens is unknown */
static int64_t
prompt_provider_known(int64_t count)
{
    return prompt_usage_known(count) ? count : PROMPT_USAGE_UNKNOWN;
}


void
prompt_provider_usage(const prompt_provider_reader_t *reader,
    prompt_usage_t *usage)
{
    *usage = reader->usage;

    if (reader->format->cached_apart) {

        if (usage->in >= 0 && usage->cached != PROMPT_PROVIDER_BAD_COUNT
            && reader->created != PROMPT_PROVIDER_BAD_COUNT)
        {
            usage->in += usage->cached > 0 ? usage->cached : 0;
            usage->in += reader->created > 0 ? reader->created : 0;

        } else {
            usage->in = PROMPT_USAGE_UNKNOWN;
        }
    }

    usage->in = prompt_provider_known(usage->in);
    usage->out = prompt_provider_known(usage->out);
    usage->cached = prompt_provider_known(usage->cached);

    if (usage->cached > usage->in) {
        usage->cached = PROMPT_USAGE_UNKNOWN;
    }
}


/* the text of an answer, whole */
static bool
prompt_provider_output(prompt_arena_t *arena,
    const prompt_provider_text_t *text, prompt_str_t *output)
{
    *output = text->only.len != 0 ? text->only : prompt_str("");

    if (text->parts.status != PROMPT_BUF_OK) {
        return false;
    }

    if (text->parts.len != 0) {
        *output = prompt_arena_copy(arena, prompt_buf_view(&text->parts));
    }

    return output->data != NULL;
}


/* a word, copied: the body may go before it */
static bool
prompt_provider_finish(const prompt_provider_reader_t *reader,
    prompt_str_t *finish)
{
    if (reader->finish.len == 0
        || reader->finish.len > PROMPT_LIMIT_FINISH)
    {
        return true;
    }

    *finish = prompt_arena_copy(reader->arena, reader->finish);

    return finish->data != NULL;
}


bool
prompt_provider_tool_calls(prompt_provider_reader_t *reader,
    prompt_str_t *calls)
{
    if (reader->calls.len == 0 && reader->calls.status == PROMPT_BUF_OK) {
        return true;
    }

    prompt_buf_char(&reader->calls, ']');

    *calls = reader->calls.status == PROMPT_BUF_OK
             ? prompt_arena_copy(reader->arena,
                                 prompt_buf_view(&reader->calls))
             : prompt_str_absent;

    return calls->data != NULL;
}


/* what a status other than 2xx means */
static prompt_provider_outcome_t
prompt_provider_status(unsigned status, bool quota)
{
    switch (status) {

    case 401: case 403:
        return PROMPT_PROVIDER_AUTH;

    case 402:
        return PROMPT_PROVIDER_QUOTA;

    case 429:
        return quota ? PROMPT_PROVIDER_QUOTA : PROMPT_PROVIDER_RATE;

    case 529:
        return PROMPT_PROVIDER_OVERLOADED;

    default:
        return status >= 400 && status < 500 ? PROMPT_PROVIDER_REFUSED
                                             : PROMPT_PROVIDER_FAILED;
    }
}


prompt_str_t
prompt_provider_message(prompt_arena_t *arena,
    prompt_provider_outcome_t outcome, unsigned status)
{
    switch (outcome) {

    case PROMPT_PROVIDER_DONE:
        return prompt_str("");

    case PROMPT_PROVIDER_REFUSED:
        return prompt_arena_printf(arena, "the provider refused the request "
                                   "with status %u", status);

    case PROMPT_PROVIDER_AUTH:
        return prompt_arena_printf(arena, "the provider refused the service's "
                                   "credentials with status %u", status);

    case PROMPT_PROVIDER_RATE:
        return prompt_str("the provider refused the request with status 429: "
                          "too many requests");

    case PROMPT_PROVIDER_QUOTA:
        return prompt_arena_printf(arena, "the provider refused the request "
                                   "with status %u: its quota is used up",
                                   status);

    case PROMPT_PROVIDER_OVERLOADED:
        return prompt_arena_printf(arena, "the provider refused the request "
                                   "with status %u: it is overloaded", status);

    case PROMPT_PROVIDER_UNREADABLE:
        return prompt_arena_printf(arena, "the provider's answer with status "
                                   "%u could not be read", status);

    case PROMPT_PROVIDER_FAILED:
        break;
    }

    if (status >= 200 && status < 300) {
        return prompt_arena_printf(arena, "the provider reported an error "
                                   "with status %u", status);
    }

    if (status >= 300 && status < 400) {
        return prompt_arena_printf(arena, "the provider answered with a "
                                   "redirect, status %u, which is not "
                                   "followed", status);
    }

    return prompt_arena_printf(arena, "the provider failed with status %u",
                               status);
}


/* the outcome of a body that came with 2xx; false when memory is short */
static bool
prompt_provider_success(prompt_provider_reader_t *reader, bool is_json,
    prompt_provider_answer_t *answer)
{
    prompt_provider_usage(reader, &answer->usage);

    if (reader->error) {
        answer->outcome = PROMPT_PROVIDER_FAILED;

    } else if (!is_json || reader->text.strange || !reader->text.found) {
        answer->outcome = PROMPT_PROVIDER_UNREADABLE;

    } else {
        answer->outcome = PROMPT_PROVIDER_DONE;

        return prompt_provider_output(reader->arena, &reader->text,
                                      &answer->output)
               && prompt_provider_finish(reader, &answer->finish)
               && prompt_provider_tool_calls(reader, &answer->tool_calls);
    }

    return true;
}


bool
prompt_provider_answer(prompt_arena_t *arena,
    const prompt_provider_format_t *format, unsigned status,
    prompt_str_t body, prompt_provider_answer_t *answer)
{
    bool                      is_json, done;
    prompt_provider_reader_t  reader;

    body = prompt_provider_mend(arena, body.data != NULL ? body
                                                         : prompt_str(""));
    if (body.data == NULL) {
        return false;
    }

    memset(&reader, 0, sizeof(reader));
    reader.arena = arena;
    reader.format = format;
    reader.usage = prompt_usage_unknown;
    reader.created = PROMPT_USAGE_UNKNOWN;
    prompt_buf_init(&reader.text.parts, PROMPT_LIMIT_ANSWER_MAX);
    prompt_buf_init(&reader.calls, PROMPT_PROVIDER_CALLS_MAX);
    prompt_json_scan_init(&reader.scan, body, PROMPT_LIMIT_ANSWER_DEPTH);

    is_json = prompt_provider_read_object(&reader, format->answer)
              && prompt_json_scan_end(&reader.scan);
    done = reader.scan.error.status != PROMPT_JSON_NOMEM;

    answer->output = prompt_str_absent;
    answer->finish = prompt_str_absent;
    answer->tool_calls = prompt_str_absent;
    answer->usage = prompt_usage_unknown;

    if (status >= 200 && status < 300) {
        done = done && prompt_provider_success(&reader, is_json, answer);

    } else {
        answer->outcome = prompt_provider_status(status,
                                                 prompt_provider_quota(
                                                     &reader));
    }

    if (done) {
        answer->message = prompt_provider_message(arena, answer->outcome,
                                                  status);
        done = answer->message.data != NULL;
    }

    prompt_buf_free(&reader.text.parts);
    prompt_buf_free(&reader.calls);

    return done;
}
