/*
 * Providers: the formats, a request, and what an answer comes to.
 */

#include "prompt/provider_impl.h"


#define prompt_provider_entry(name)  &prompt_provider_##name,

static const prompt_provider_format_t *const  prompt_provider_formats[] = {
    PROMPT_PROVIDER_FORMATS(prompt_provider_entry)
};


/* what failed, by outcome: what stands before the status, and behind it */
typedef struct {
    const char  *before;
    const char  *after;
} prompt_provider_words_t;

#define PROMPT_PROVIDER_REFUSAL  "the provider refused the request with status "

static const prompt_provider_words_t  prompt_provider_words[] = {
    { NULL, NULL },
    { PROMPT_PROVIDER_REFUSAL, "" },
    { "the provider refused the service's credentials with status ", "" },
    { PROMPT_PROVIDER_REFUSAL, ": too many requests" },
    { PROMPT_PROVIDER_REFUSAL, ": its quota is used up" },
    { PROMPT_PROVIDER_REFUSAL, ": it is overloaded" },
    { "the provider failed with status ", "" },
    { "the provider's answer with status ", " could not be read" }
};

/* of FAILED, under 2xx and under 3xx */
static const prompt_provider_words_t  prompt_provider_reported = {
    "the provider reported an error with status ", ""
};

static const prompt_provider_words_t  prompt_provider_redirected = {
    "the provider answered with a redirect, status ", ", which is not followed"
};


const prompt_provider_format_t *
prompt_provider_format(prompt_str_t name)
{
    size_t  i;

    for (i = 0; i < sizeof(prompt_provider_formats)
                    / sizeof(prompt_provider_formats[0]); i++)
    {
        if (prompt_str_eq(name, prompt_provider_formats[i]->name)) {
            return prompt_provider_formats[i];
        }
    }

    return NULL;
}


static prompt_check_t
prompt_provider_check_system(prompt_arena_t *arena,
    const prompt_provider_request_t *request, prompt_fault_t *fault)
{
    size_t        i;
    prompt_str_t  field;

    for (i = prompt_provider_leading(request); i < request->messages.count; i++)
    {
        if (request->messages.list[i].role != PROMPT_ROLE_SYSTEM) {
            continue;
        }

        field = prompt_message_field(arena, &request->messages.list[i]);
        if (field.data == NULL) {
            return PROMPT_CHECK_NOMEM;
        }

        return prompt_fault_set(arena, fault, field,
                                "%.*s: the provider of this model takes system "
                                "messages only before all others",
                                prompt_str_arg(field));
    }

    return PROMPT_CHECK_OK;
}


prompt_check_t
prompt_provider_check(prompt_arena_t *arena,
    const prompt_provider_request_t *request, prompt_fault_t *fault)
{
    prompt_check_t                   rc;
    const prompt_provider_format_t  *format;

    format = request->format;
    rc = format->system_apart
         ? prompt_provider_check_system(arena, request, fault)
         : PROMPT_CHECK_OK;

    return rc == PROMPT_CHECK_OK && format->check != NULL
           ? format->check(arena, request, fault) : rc;
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
prompt_provider_usage(const prompt_provider_format_t *format,
    const prompt_usage_counts_t *counts, prompt_usage_t *usage)
{
    int64_t  in;

    in = counts->in;

    if (format->cached_apart) {

        if (in >= 0 && counts->cached != PROMPT_USAGE_BAD
            && counts->cache_write != PROMPT_USAGE_BAD)
        {
            in += counts->cached > 0 ? counts->cached : 0;
            in += counts->cache_write > 0 ? counts->cache_write : 0;

        } else {
            in = PROMPT_USAGE_UNKNOWN;
        }
    }

    *usage = prompt_usage_unknown;
    usage->in = prompt_provider_known(in);
    usage->out = prompt_provider_known(counts->out);
    usage->cached = prompt_provider_known(counts->cached);

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
    const prompt_provider_words_t  *words;

    if (outcome == PROMPT_PROVIDER_DONE) {
        return prompt_str("");
    }

    words = &prompt_provider_words[outcome];

    if (outcome == PROMPT_PROVIDER_FAILED && status >= 200 && status < 400) {
        words = status < 300 ? &prompt_provider_reported
                             : &prompt_provider_redirected;
    }

    return prompt_arena_printf(arena, "%s%u%s", words->before, status,
                               words->after);
}


/* the outcome of a body that came with 2xx; false when memory is short */
static bool
prompt_provider_success(prompt_provider_reader_t *reader, bool is_json,
    prompt_provider_answer_t *answer)
{
    prompt_provider_usage(reader->format, &reader->counts, &answer->usage);

    if (reader->error) {
        answer->outcome = PROMPT_PROVIDER_FAILED;

    } else if (!is_json || reader->text.strange || !reader->text.found) {
        answer->outcome = PROMPT_PROVIDER_UNREADABLE;

    } else {
        answer->outcome = PROMPT_PROVIDER_DONE;

        return prompt_provider_output(reader->arena, &reader->text,
                                      &answer->output)
               && prompt_provider_finish(reader, &answer->finish)
               && prompt_provider_tool_calls(reader->arena, &reader->calls,
                                             &answer->tool_calls);
    }

    return true;
}


/*
 * What failed, in our words and the provider's; those about our credentials
 * may repeat them, and are not kept.  False when memory is short.
 */
static bool
prompt_provider_failed(const prompt_provider_reader_t *reader, unsigned status,
    prompt_provider_answer_t *answer)
{
    prompt_buf_t  said;

    answer->message = prompt_provider_message(reader->arena, answer->outcome,
                                              status);

    if (answer->outcome == PROMPT_PROVIDER_DONE
        || answer->outcome == PROMPT_PROVIDER_AUTH || reader->said.len == 0)
    {
        return answer->message.data != NULL;
    }

    prompt_buf_init(&said, PROMPT_LIMIT_SAID);
    prompt_provider_said(reader->said, &said);
    answer->said = prompt_arena_copy(reader->arena, prompt_buf_view(&said));
    prompt_buf_free(&said);

    return answer->message.data != NULL && answer->said.data != NULL;
}


bool
prompt_provider_answer(prompt_arena_t *arena,
    const prompt_provider_format_t *format, unsigned status,
    prompt_str_t body, prompt_provider_answer_t *answer)
{
    bool                      is_json, done;
    prompt_provider_reader_t  reader;

    prompt_provider_begin(&reader, arena, format, PROMPT_LIMIT_ANSWER_MAX);
    prompt_buf_init(&reader.calls, PROMPT_PROVIDER_CALLS_MAX);

    memset(answer, 0, sizeof(*answer));
    answer->usage = prompt_usage_unknown;

    if (status >= 200 && status < 300) {
        is_json = prompt_provider_walk(&reader, body, format->answer);
        done = prompt_provider_success(&reader, is_json, answer);

    } else {
        prompt_provider_walk_failure(&reader, body);
        answer->outcome = prompt_provider_status(status,
                                                 prompt_provider_quota(
                                                     &reader));
        done = true;
    }

    done = done && reader.scan.error.status != PROMPT_JSON_NOMEM
           && prompt_provider_failed(&reader, status, answer);

    prompt_buf_free(&reader.text.parts);
    prompt_buf_free(&reader.calls);

    return done;
}
