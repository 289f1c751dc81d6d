/*
 * Google's generateContent.
 *
 * The model and whether a stream is wanted are in the URI.  Calls have a place
 * and a name, and seldom an id; where they have none they get one, by which
 * the results of a conversation are found.  No id is sent.  A part may have a
 * signature that has to go back with it: kept are those with the number of the
 * call, or without one that of the text.
 */

#include "provider/gemini.h"

#include "prompt/text.h"


/* what stands for the signature of a call that another provider's model made */
#define PROVIDER_GEMINI_UNSIGNED  "skip_thought_signature_validator"


/*
 * The call that a message answers, of the message before it and all other
 * answers to that: mostly it has the answer's place among them.  NULL: it is
 * not there.
 */
static const prompt_message_call_t *
provider_gemini_call(const prompt_provider_request_t *request,
    const prompt_message_t *message)
{
    size_t                   i, at;
    const prompt_message_t  *asked;

    asked = message;

    while (asked->role == PROMPT_ROLE_TOOL && asked != request->messages.list) {
        asked--;
    }

    for (i = 0; i < asked->ncalls; i++) {
        at = ((size_t) (message - asked) - 1 + i) % asked->ncalls;

        if (prompt_str_eq(asked->calls[at].id, message->call_id)) {
            return &asked->calls[at];
        }
    }

    return NULL;
}


static prompt_check_t
provider_gemini_check(prompt_arena_t *arena,
    const prompt_provider_request_t *request, const prompt_message_t *message,
    prompt_fault_t *fault)
{
    size_t        i;
    prompt_str_t  type, data;

    for (i = 0; i < message->nparts; i++) {
        if (message->parts[i].text.data == NULL
            && (!prompt_message_image(message->parts[i].image, &type, &data)
                || data.data == NULL))
        {
            return prompt_text_fault(arena,
                       prompt_message_field(arena, message, "", ""),
                       "has a picture that is elsewhere: the provider of this "
                       "model takes data: addresses alone", fault);
        }
    }

    return message->role == PROMPT_ROLE_TOOL
           && provider_gemini_call(request, message) == NULL
           ? prompt_text_fault(arena,
                               prompt_message_field(arena, message, "", ""),
                               "answers a call that no message before it has",
                               fault)
           : PROMPT_CHECK_OK;
}


static void
provider_gemini_text(prompt_str_t text, prompt_str_t signature,
    prompt_buf_t *out)
{
    prompt_provider_write_next(out);
    prompt_buf_char(out, '{');
    prompt_provider_write_text("text", text, out);
    prompt_provider_write_text("thoughtSignature", signature, out);
    prompt_buf_char(out, '}');
}


static void
provider_gemini_image(const prompt_message_part_t *part, prompt_buf_t *out)
{
    prompt_str_t  type, data;

    if (prompt_message_image(part->image, &type, &data) && data.data != NULL) {
        prompt_provider_write_next(out);
        prompt_buf_literal(out, "{\"inlineData\":{");
        prompt_provider_write_text("mimeType", type, out);
        prompt_provider_write_text("data", data, out);
        prompt_buf_literal(out, "}}");
    }
}


/*
 * The signature of the call of that number, or, where that is -1, of the text,
 * of which the last one counts; items, which are in their order, become what
 * is behind it.
 */
static prompt_str_t
provider_gemini_signature(const prompt_json_t **items, int64_t number)
{
    int64_t               n;
    prompt_str_t          signature;
    const prompt_json_t  *call;

    signature = prompt_str_absent;

    while (*items != NULL) {
        call = prompt_provider_get(*items, "call");

        if (call == NULL || !prompt_json_integer(call, &n)) {
            n = -1;
        }

        if (n > number && number >= 0) {
            break;
        }

        if (n == number) {
            signature = prompt_provider_text_of(*items, "signature");
        }

        *items = (*items)->next;
    }

    return signature;
}


static void
provider_gemini_calls(const prompt_provider_request_t *request,
    const prompt_message_t *message, prompt_buf_t *out)
{
    size_t                        i;
    prompt_str_t                  signature;
    const prompt_json_t          *items;
    const prompt_message_call_t  *call;

    items = prompt_provider_back(request, message);

    signature = items == NULL && !prompt_gemini_counts(request)
                ? prompt_str(PROVIDER_GEMINI_UNSIGNED) : prompt_str_absent;

    for (i = 0; i < message->ncalls; i++) {
        call = &message->calls[i];

        if (items != NULL || i != 0) {
            signature = provider_gemini_signature(&items, (int64_t) i);
        }

        prompt_provider_write_next(out);
        prompt_buf_literal(out, "{\"functionCall\":{");
        prompt_provider_write_text("name", call->name, out);
        prompt_buf_literal(out, ",\"args\":");
        prompt_buf_str(out, prompt_provider_is_object(call->arguments)
                            ? call->arguments : prompt_str("{}"));
        prompt_buf_char(out, '}');
        prompt_provider_write_text("thoughtSignature", signature, out);
        prompt_buf_char(out, '}');
    }
}


/* a text, or several */
static void
provider_gemini_output(const prompt_message_t *message, prompt_buf_t *out)
{
    size_t  i;

    if (message->nparts == 0) {
        prompt_json_write_string(out, message->text);
        return;
    }

    prompt_buf_char(out, '[');

    for (i = 0; i < message->nparts; i++) {
        if (message->parts[i].text.data != NULL) {
            prompt_provider_write_next(out);
            prompt_json_write_string(out, message->parts[i].text);
        }
    }

    prompt_buf_char(out, ']');
}


/* an object is the result, all else is its output */
static void
provider_gemini_result(const prompt_provider_request_t *request,
    const prompt_message_t *message, prompt_buf_t *out)
{
    size_t                        i;
    const prompt_message_call_t  *call;

    call = provider_gemini_call(request, message);

    prompt_provider_write_next(out);
    prompt_buf_literal(out, "{\"functionResponse\":{");
    prompt_provider_write_text("name", call != NULL ? call->name
                                                    : message->name, out);
    prompt_provider_write_name(prompt_str("response"), out);

    if (message->nparts == 0 && prompt_provider_is_object(message->text)) {
        prompt_buf_str(out, message->text);

    } else {
        prompt_buf_literal(out, "{\"output\":");
        provider_gemini_output(message, out);
        prompt_buf_char(out, '}');
    }

    prompt_buf_literal(out, "}}");

    for (i = 0; i < message->nparts; i++) {
        provider_gemini_image(&message->parts[i], out);
    }
}


static void
provider_gemini_message(const prompt_provider_request_t *request,
    const prompt_message_t *message, prompt_buf_t *out)
{
    prompt_str_t          signature;
    const prompt_json_t  *items;

    items = prompt_provider_back(request, message);
    signature = provider_gemini_signature(&items, -1);

    if (message->text.data != NULL) {
        provider_gemini_text(message->text, signature, out);
    }

    prompt_provider_write_parts(message, NULL, provider_gemini_image, out);
    provider_gemini_calls(request, message, out);
}


/* those of tools that follow on each other are one */
static void
provider_gemini_contents(const prompt_provider_request_t *request, size_t n,
    prompt_buf_t *out)
{
    bool                     more;
    const prompt_message_t  *message;

    more = false;
    prompt_buf_literal(out, "\"contents\":[");

    for ( /* void */ ; n < request->messages.count; n++) {
        message = &request->messages.list[n];

        if (!more || message->role != PROMPT_ROLE_TOOL
            || message[-1].role != PROMPT_ROLE_TOOL)
        {
            prompt_buf_str(out, more ? prompt_str("]},") : prompt_str(""));
            prompt_buf_printf(out, "{\"role\":\"%s\",\"parts\":[",
                              message->role == PROMPT_ROLE_ASSISTANT ? "model"
                                                                     : "user");
        }

        if (message->role == PROMPT_ROLE_TOOL) {
            provider_gemini_result(request, message, out);
        } else {
            provider_gemini_message(request, message, out);
        }

        more = true;
    }

    prompt_buf_str(out, more ? prompt_str("]}]") : prompt_str("]"));
}


static void
provider_gemini_write(const prompt_provider_request_t *request,
    prompt_buf_t *out)
{
    size_t  i, leading;

    leading = prompt_provider_leading(request);
    provider_gemini_contents(request, leading, out);

    if (leading != 0) {
        prompt_buf_literal(out, ",\"systemInstruction\":{\"parts\":[");

        for (i = 0; i < leading; i++) {
            provider_gemini_message(request, &request->messages.list[i], out);
        }

        prompt_buf_literal(out, "]}");
    }

    prompt_provider_write_params(request, out);
}


const prompt_provider_format_t  prompt_provider_gemini = {
    .name = prompt_str_init("gemini"),
    .system = prompt_str_init("gcp.gemini"),
    .check = provider_gemini_check,
    .path = prompt_str_init("/v1beta/models/"),
    .whole = prompt_str_init(":generateContent"),
    .streamed = prompt_str_init(":streamGenerateContent?alt=sse"),
    .write = provider_gemini_write,
    .params = prompt_gemini_params,
    .answer = prompt_gemini_answer,
    .read = prompt_gemini_read,
    .usage = prompt_gemini_usage,
    .events = prompt_gemini_answer,
    .event = prompt_gemini_event,
    .reasoning_apart = true,
    .parsed = true,
    .instructions = prompt_str_init("systemInstruction")
};
