/*
 * Providers: the formats, a request, and what an answer comes to.
 */

#include "provider/provider_impl.h"

#include "prompt/text.h"


#define provider_entry(name)  &prompt_provider_##name,

static const prompt_provider_format_t *const  provider_formats[] = {
    PROMPT_PROVIDER_FORMATS(provider_entry)
};


/* what failed, by outcome: what stands before the status, and behind it */
typedef struct {
    const char  *before;
    const char  *after;
} provider_words_t;

#define PROMPT_PROVIDER_REFUSAL  "the provider refused the request with status "

static const provider_words_t  provider_words[] = {
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
static const provider_words_t  provider_reported = {
    "the provider reported an error with status ", ""
};

static const provider_words_t  provider_redirected = {
    "the provider answered with a redirect, status ", ", which is not followed"
};


const prompt_provider_format_t *
prompt_provider_format(prompt_str_t name)
{
    size_t  i;

    for (i = 0; i < sizeof(provider_formats)
                    / sizeof(provider_formats[0]); i++)
    {
        if (prompt_str_eq(name, provider_formats[i]->name)) {
            return provider_formats[i];
        }
    }

    return NULL;
}


/* system messages: before all others, and in the place of that of params */
static prompt_check_t
provider_check_system(prompt_arena_t *arena,
    const prompt_provider_request_t *request, prompt_fault_t *fault)
{
    size_t        i, leading;
    prompt_str_t  instructions, field;

    leading = prompt_provider_leading(request);
    instructions = request->format->instructions;

    for (i = leading; i < request->messages.count; i++) {
        if (prompt_provider_is_system(&request->messages.list[i])) {
            return prompt_text_fault(arena,
                       prompt_message_field(arena, &request->messages.list[i],
                                            "", ""),
                       "is a system message: the provider of this model takes "
                       "them only before all others", fault);
        }
    }

    if (leading == 0
        || prompt_json_get(request->params, instructions) == NULL)
    {
        return PROMPT_CHECK_OK;
    }

    field = prompt_arena_printf(arena, "params.%.*s",
                                prompt_str_arg(instructions));

    return prompt_text_fault(arena, field,
                             "must not be given beside system messages", fault);
}


bool
prompt_provider_is_object(prompt_str_t text)
{
    prompt_json_scan_t  scan;

    prompt_json_scan_init(&scan, text, PROMPT_LIMIT_DEPTH);

    if (prompt_json_scan_type(&scan) != PROMPT_JSON_OBJECT) {
        return false;
    }

    prompt_json_scan_skip(&scan);

    return prompt_json_scan_end(&scan);
}


/* empty ones are {} */
static prompt_check_t
provider_check_calls(prompt_arena_t *arena,
    const prompt_message_t *message, prompt_fault_t *fault)
{
    size_t  i;

    for (i = 0; i < message->ncalls; i++) {
        if (message->calls[i].arguments.len != 0
            && !prompt_provider_is_object(message->calls[i].arguments))
        {
            return prompt_text_fault(arena,
                       prompt_message_arguments_field(arena, message, i),
                       "must be a JSON object for the provider of this model",
                       fault);
        }
    }

    return PROMPT_CHECK_OK;
}


prompt_check_t
prompt_provider_check(prompt_arena_t *arena,
    const prompt_provider_request_t *request, prompt_fault_t *fault)
{
    size_t                           i;
    prompt_check_t                   rc;
    const prompt_message_t          *message;
    const prompt_provider_format_t  *format;

    format = request->format;
    rc = format->instructions.data != NULL
         ? provider_check_system(arena, request, fault)
         : PROMPT_CHECK_OK;

    for (i = 0; rc == PROMPT_CHECK_OK && i < request->messages.count; i++) {
        message = &request->messages.list[i];

        if (format->parsed) {
            rc = provider_check_calls(arena, message, fault);
        }

        if (rc == PROMPT_CHECK_OK && format->check != NULL) {
            rc = format->check(arena, request, message, fault);
        }
    }

    return rc;
}


/* what is no count of tokens is unknown */
static int64_t
provider_known(int64_t count)
{
    return prompt_usage_known(count) ? count : PROMPT_USAGE_UNKNOWN;
}


/* a part that is not told is none; *bad: it is told, and no count */
static int64_t
provider_counted(int64_t count, bool *bad)
{
    *bad = *bad || count == PROMPT_USAGE_BAD || count > PROMPT_LIMIT_TOKENS;

    return count > 0 ? count : 0;
}


/* False: what is told of writes to a cache is no sum of its parts. */
static bool
provider_written(const prompt_usage_counts_t *counts,
    prompt_usage_t *usage, int64_t *written)
{
    bool     bad;
    int64_t  minutes, hour;

    bad = false;
    minutes = provider_counted(counts->cache_write_5m, &bad);
    hour = provider_counted(counts->cache_write_1h, &bad);
    *written = provider_counted(counts->cache_write, &bad);

    if (counts->cache_write == PROMPT_USAGE_UNKNOWN) {
        *written = minutes + hour;

        if (counts->cache_write_5m == PROMPT_USAGE_UNKNOWN
            && counts->cache_write_1h == PROMPT_USAGE_UNKNOWN)
        {
            return true;
        }

    } else if (counts->cache_write_5m == PROMPT_USAGE_UNKNOWN) {
        minutes = *written - hour;
    }

    if (bad || minutes < 0 || minutes + hour != *written) {
        return false;
    }

    usage->cache_write = minutes;
    usage->cache_write_1h = hour;

    return true;
}


static void
provider_usage_in(const prompt_provider_format_t *format,
    const prompt_usage_counts_t *counts, prompt_usage_t *usage)
{
    bool     bad, parts, tools;
    int64_t  in, told, cached, written;

    told = counts->cached != PROMPT_USAGE_UNKNOWN ? counts->cached
                                                  : counts->cached_also;
    bad = counts->cached_also != PROMPT_USAGE_UNKNOWN
          && counts->cached_also != told;

    tools = false;
    in = counts->in + provider_counted(counts->tool_in, &tools);
    cached = provider_counted(told, &bad);
    parts = provider_written(counts, usage, &written) && !bad;

    if (format->cached_apart) {
        in += cached + written;
        tools = tools || !parts;
    }

    usage->in = counts->in < 0 || tools ? PROMPT_USAGE_UNKNOWN
                                        : provider_known(in);

    if (parts && cached + written <= usage->in) {
        usage->cached = told;
        return;
    }

    usage->cache_write = PROMPT_USAGE_UNKNOWN;
    usage->cache_write_1h = PROMPT_USAGE_UNKNOWN;
    usage->more = true;
}


static void
provider_usage_out(const prompt_provider_format_t *format,
    const prompt_usage_counts_t *counts, prompt_usage_t *usage)
{
    bool     bad;
    int64_t  out, total, reasoning;

    bad = false;
    out = counts->out;
    reasoning = provider_counted(counts->reasoning, &bad);
    total = counts->total - usage->in;

    if (format->reasoning_apart) {

        if (out == PROMPT_USAGE_UNKNOWN && counts->total >= 0
            && usage->in >= 0 && total <= reasoning)
        {
            out = 0;
        }

        out = out < 0 ? out : out + reasoning;

    } else if (out >= 0) {
        bad = bad || counts->total == PROMPT_USAGE_BAD;
        out = reasoning > out ? out + reasoning : out;
        out = usage->in >= 0 && total > out ? total : out;
    }

    usage->out = bad ? PROMPT_USAGE_UNKNOWN : provider_known(out);

    if (usage->out >= 0) {
        usage->reasoning = provider_known(counts->reasoning);
    }
}


void
prompt_provider_usage(const prompt_provider_format_t *format,
    const prompt_usage_counts_t *counts, prompt_usage_t *usage)
{
    *usage = prompt_usage_unknown;
    usage->more = counts->more > 0;

    provider_usage_in(format, counts, usage);
    provider_usage_out(format, counts, usage);
}


/* the text of an answer, whole */
static bool
provider_output(prompt_arena_t *arena,
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


/* copied: the body may go before it */
bool
prompt_provider_finish(prompt_arena_t *arena, bool refused, prompt_str_t word,
    prompt_str_t *finish)
{
    word = refused ? prompt_str("refusal") : word;
    *finish = prompt_str_absent;

    if (word.len == 0 || word.len > PROMPT_LIMIT_FINISH) {
        return true;
    }

    *finish = prompt_arena_copy(arena, word);

    return finish->data != NULL;
}


/* what a status other than 2xx means */
static prompt_provider_outcome_t
provider_status(const prompt_provider_reader_t *reader, unsigned status)
{
    switch (status) {

    case 400:
        return reader->no_key ? PROMPT_PROVIDER_AUTH : PROMPT_PROVIDER_REFUSED;

    case 401: case 403:
        return PROMPT_PROVIDER_AUTH;

    case 402:
        return PROMPT_PROVIDER_QUOTA;

    case 429:
        return prompt_provider_quota(reader) ? PROMPT_PROVIDER_QUOTA
                                             : PROMPT_PROVIDER_RATE;

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
    const provider_words_t  *words;

    if (outcome == PROMPT_PROVIDER_DONE) {
        return prompt_str("");
    }

    words = &provider_words[outcome];

    if (outcome == PROMPT_PROVIDER_FAILED && status >= 200 && status < 400) {
        words = status < 300 ? &provider_reported
                             : &provider_redirected;
    }

    return prompt_arena_printf(arena, "%s%u%s", words->before, status,
                               words->after);
}


/* the outcome of a body that came with 2xx; false when memory is short */
static bool
provider_success(prompt_provider_reader_t *reader, bool is_json,
    prompt_provider_answer_t *answer)
{
    bool                     refused;
    prompt_provider_text_t  *text;

    text = &reader->text;
    prompt_provider_usage(reader->format, &reader->counts, &answer->usage);

    if (reader->error) {
        answer->outcome = PROMPT_PROVIDER_FAILED;
        return true;
    }

    if (!is_json || text->strange || !text->found) {
        answer->outcome = PROMPT_PROVIDER_UNREADABLE;
        return true;
    }

    answer->outcome = PROMPT_PROVIDER_DONE;

    /* why the model refused stands in the place of what it said */

    refused = text->only.len == 0 && text->parts.len == 0
              && reader->refusal.len != 0;

    if (refused) {
        prompt_provider_add(text, reader->refusal);
    }

    return provider_output(reader->arena, text, &answer->output)
           && prompt_provider_finish(reader->arena, refused, reader->finish,
                                     &answer->finish)
           && prompt_provider_list(reader->arena, &reader->calls,
                                   &answer->tool_calls)
           && prompt_provider_list(reader->arena, &reader->opaque,
                                   &answer->opaque);
}


/*
 * What failed, in our words and the provider's; those about our credentials
 * may repeat them, and are not kept.  False when memory is short.
 */
static bool
provider_failed(const prompt_provider_reader_t *reader, unsigned status,
    prompt_provider_answer_t *answer)
{
    prompt_buf_t  said;

    answer->message = prompt_provider_message(reader->arena, answer->outcome,
                                              status);

    if (answer->outcome == PROMPT_PROVIDER_DONE
        || answer->outcome == PROMPT_PROVIDER_AUTH || reader->no_key
        || reader->said.len == 0)
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
    prompt_buf_init(&reader.opaque, PROMPT_PROVIDER_CALLS_MAX);

    memset(answer, 0, sizeof(*answer));
    answer->usage = prompt_usage_unknown;

    if (status >= 200 && status < 300) {
        is_json = prompt_provider_walk(&reader, body, format->answer);

        if (is_json && format->read != NULL) {
            format->read(&reader);
        }

        done = provider_success(&reader, is_json, answer);

    } else {
        (void) !prompt_provider_walk(&reader, body, prompt_provider_failure);
        answer->outcome = provider_status(&reader, status);
        done = true;
    }

    done = done && reader.scan.error.status != PROMPT_JSON_NOMEM
           && provider_failed(&reader, status, answer);

    prompt_buf_free(&reader.text.parts);
    prompt_buf_free(&reader.calls);
    prompt_buf_free(&reader.opaque);

    return done;
}
