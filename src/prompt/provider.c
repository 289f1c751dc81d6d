/*
 * Providers: what the forms have in common.
 */

#include "prompt/provider_form.h"


void
prompt_provider_write_member(prompt_buf_t *out, prompt_str_t name,
    const prompt_json_t *value)
{
    prompt_buf_char(out, ',');
    prompt_json_write_string(out, name);
    prompt_buf_char(out, ':');
    prompt_json_write(out, value);
}


void
prompt_provider_write_head(const prompt_provider_request_t *request,
    prompt_buf_t *out)
{
    prompt_buf_literal(out, "\"model\":");
    prompt_json_write_string(out, request->model);
    prompt_buf_literal(out, ",\"messages\":[{\"role\":\"user\",\"content\":");
    prompt_json_write_string(out, request->text);
    prompt_buf_literal(out, "}]");
}


prompt_str_t
prompt_provider_max_tokens(const prompt_provider_request_t *request)
{
    return request->max_tokens_as.len != 0 ? request->max_tokens_as
                                           : prompt_str("max_tokens");
}


void
prompt_provider_request(const prompt_provider_request_t *request,
    prompt_buf_t *out)
{
    prompt_buf_char(out, '{');

    switch (request->format) {

    case PROMPT_PROVIDER_OPENAI:
        prompt_provider_openai_request(request, out);
        break;

    case PROMPT_PROVIDER_ANTHROPIC:
        prompt_provider_anthropic_request(request, out);
        break;
    }

    prompt_buf_char(out, '}');
}


prompt_str_t
prompt_provider_read_string(prompt_provider_reader_t *reader)
{
    prompt_json_t  *value;

    if (prompt_json_scan_type(&reader->scan) != PROMPT_JSON_STRING) {
        prompt_json_scan_skip(&reader->scan);
        return prompt_str_absent;
    }

    value = prompt_json_scan_value(&reader->scan, reader->arena);

    return value != NULL ? value->text : prompt_str_absent;
}


int64_t
prompt_provider_read_count(prompt_provider_reader_t *reader)
{
    int64_t         n;
    prompt_json_t  *value;

    switch (prompt_json_scan_type(&reader->scan)) {

    case PROMPT_JSON_NULL:
        prompt_json_scan_skip(&reader->scan);
        return PROMPT_USAGE_UNKNOWN;

    case PROMPT_JSON_NUMBER:
        value = prompt_json_scan_value(&reader->scan, reader->arena);

        return value != NULL && prompt_json_integer(value, &n) && n >= 0
               && n <= PROMPT_LIMIT_TOKENS ? n : PROMPT_PROVIDER_BAD_COUNT;

    default:
        prompt_json_scan_skip(&reader->scan);
        return PROMPT_PROVIDER_BAD_COUNT;
    }
}


bool
prompt_provider_member(prompt_provider_reader_t *reader, prompt_str_t *name)
{
    prompt_json_t       *value;
    prompt_json_scan_t   quoted;

    if (!prompt_json_scan_member(&reader->scan, name)) {
        return false;
    }

    if (name->len == 0 || memchr(name->data, '\\', name->len) == NULL) {
        return true;
    }

    /* with its quotes it is a string */

    prompt_json_scan_init(&quoted, prompt_str_of(name->data - 1,
                                                 name->len + 2), 1);
    value = prompt_json_scan_value(&quoted, reader->arena);

    if (value == NULL) {
        reader->scan.error = quoted.error;
        return false;
    }

    *name = value->text;

    return true;
}


void
prompt_provider_forget(prompt_provider_text_t *text)
{
    text->found = false;
    text->strange = false;
    text->only = prompt_str_absent;

    prompt_buf_free(&text->parts);
    prompt_buf_init(&text->parts, PROMPT_LIMIT_ANSWER);
}


void
prompt_provider_add(prompt_provider_text_t *text, prompt_str_t part)
{
    if (part.len == 0) {
        return;
    }

    if (text->only.len == 0 && text->parts.len == 0) {
        text->only = part;
        return;
    }

    prompt_buf_str(&text->parts, text->only);
    prompt_buf_str(&text->parts, part);
    text->only = prompt_str_absent;
}


void
prompt_provider_read_parts(prompt_provider_reader_t *reader)
{
    prompt_str_t  name, type, part;

    if (!prompt_json_scan_array(&reader->scan)) {
        return;
    }

    while (prompt_json_scan_element(&reader->scan)) {

        if (!prompt_json_scan_object(&reader->scan)) {
            reader->text.strange = true;
            prompt_json_scan_skip(&reader->scan);
            continue;
        }

        type = prompt_str_absent;
        part = prompt_str_absent;

        while (prompt_provider_member(reader, &name)) {

            if (prompt_str_eq(name, prompt_str("type"))) {
                type = prompt_provider_read_string(reader);

            } else if (prompt_str_eq(name, prompt_str("text"))) {
                part = prompt_provider_read_string(reader);

            } else {
                prompt_json_scan_skip(&reader->scan);
            }
        }

        if (prompt_str_eq(type, prompt_str("text"))
            || prompt_str_eq(type, prompt_str("output_text")))
        {
            prompt_provider_add(&reader->text, part);
        }
    }
}


static const prompt_usage_t  prompt_provider_unknown = {
    PROMPT_USAGE_UNKNOWN, PROMPT_USAGE_UNKNOWN, PROMPT_USAGE_UNKNOWN
};


static void
prompt_provider_read_usage(prompt_provider_reader_t *reader)
{
    bool          known;
    prompt_str_t  name;

    reader->usage = prompt_provider_unknown;
    reader->created = PROMPT_USAGE_UNKNOWN;

    if (!prompt_json_scan_object(&reader->scan)) {
        prompt_json_scan_skip(&reader->scan);
        return;
    }

    while (prompt_provider_member(reader, &name)) {

        known = reader->format == PROMPT_PROVIDER_OPENAI
                ? prompt_provider_openai_usage(reader, name)
                : prompt_provider_anthropic_usage(reader, name);

        if (!known) {
            prompt_json_scan_skip(&reader->scan);
        }
    }
}


/* whether the string that comes next is the code of an empty account */
static bool
prompt_provider_read_code(prompt_provider_reader_t *reader)
{
    prompt_str_t  code;

    code = prompt_provider_read_string(reader);

    return prompt_str_eq(code, prompt_str("insufficient_quota"))
           || prompt_str_eq(code, prompt_str("billing_error"))
           || prompt_str_eq(code, prompt_str("enforced_spend_limit_reached"));
}


/*
 * Looks for the codes of an error that waiting does not heal, in `error` and
 * the object `details` in it.
 */
static bool
prompt_provider_read_error(prompt_provider_reader_t *reader, unsigned depth)
{
    bool          code, type, error_code, details;
    prompt_str_t  name;

    if (!prompt_json_scan_object(&reader->scan)) {
        prompt_json_scan_skip(&reader->scan);
        return false;
    }

    code = false;
    type = false;
    error_code = false;
    details = false;

    while (prompt_provider_member(reader, &name)) {

        if (prompt_str_eq(name, prompt_str("details")) && depth == 0) {
            details = prompt_provider_read_error(reader, depth + 1);

        } else if (prompt_str_eq(name, prompt_str("code"))) {
            code = prompt_provider_read_code(reader);

        } else if (prompt_str_eq(name, prompt_str("type"))) {
            type = prompt_provider_read_code(reader);

        } else if (prompt_str_eq(name, prompt_str("error_code"))) {
            error_code = prompt_provider_read_code(reader);

        } else {
            prompt_json_scan_skip(&reader->scan);
        }
    }

    return code || type || error_code || details;
}


/* Walks through the whole body; false where it is no JSON object. */
static bool
prompt_provider_read(prompt_provider_reader_t *reader)
{
    bool          openai;
    prompt_str_t  name;

    openai = reader->format == PROMPT_PROVIDER_OPENAI;

    if (!prompt_json_scan_object(&reader->scan)) {
        return false;
    }

    while (prompt_provider_member(reader, &name)) {

        if (openai && prompt_str_eq(name, prompt_str("choices"))) {
            prompt_provider_read_choices(reader);

        } else if (!openai && prompt_str_eq(name, prompt_str("content"))) {
            prompt_provider_read_content(reader);

        } else if (prompt_str_eq(name, prompt_str("usage"))) {
            prompt_provider_read_usage(reader);

        } else if (prompt_str_eq(name, prompt_str("error"))) {
            reader->error = prompt_json_scan_type(&reader->scan)
                            != PROMPT_JSON_NULL;
            reader->quota = prompt_provider_read_error(reader, 0);

        } else {
            prompt_json_scan_skip(&reader->scan);
        }
    }

    return prompt_json_scan_end(&reader->scan);
}


/* what is not between 0 and the limit is unknown */
static int64_t
prompt_provider_known(int64_t count)
{
    return count >= 0 && count <= PROMPT_LIMIT_TOKENS ? count
                                                      : PROMPT_USAGE_UNKNOWN;
}


/*
 * OpenAI counts cached input within the input; Anthropic beside it, and what
 * was written into the cache as well.
 */
static void
prompt_provider_usage(const prompt_provider_reader_t *reader,
    prompt_usage_t *usage)
{
    *usage = reader->usage;

    if (reader->format == PROMPT_PROVIDER_ANTHROPIC) {

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


static prompt_str_t
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
                                      &answer->output);
    }

    return true;
}


bool
prompt_provider_answer(prompt_arena_t *arena, prompt_provider_format_t format,
    unsigned status, prompt_str_t body, prompt_provider_answer_t *answer)
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
    reader.usage = prompt_provider_unknown;
    reader.created = PROMPT_USAGE_UNKNOWN;
    prompt_buf_init(&reader.text.parts, PROMPT_LIMIT_ANSWER);
    prompt_json_scan_init(&reader.scan, body, PROMPT_LIMIT_ANSWER_DEPTH);

    is_json = prompt_provider_read(&reader);
    done = reader.scan.error.status != PROMPT_JSON_NOMEM;

    answer->output = prompt_str_absent;
    answer->usage = prompt_provider_unknown;

    if (status >= 200 && status < 300) {
        done = done && prompt_provider_success(&reader, is_json, answer);

    } else {
        answer->outcome = prompt_provider_status(status, reader.quota);
    }

    if (done) {
        answer->message = prompt_provider_message(arena, answer->outcome,
                                                  status);
        done = answer->message.data != NULL;
    }

    prompt_buf_free(&reader.text.parts);

    return done;
}
