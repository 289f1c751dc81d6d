/*
 * OpenAI's responses, and those who speak as they do.
 *
 * What an answer consists of are items: messages, calls, and reasoning, which
 * has to go back where it stood, since nothing is stored for us.  So what is
 * kept are all of them in their order: reasoning as it is, of the others what
 * they were.
 */

#include "provider/provider_impl.h"


/* what is kept of a message and of a call */
#define PROVIDER_MESSAGE  "message"
#define PROVIDER_CALL     "call"


static void
provider_responses_image(const prompt_message_part_t *part, prompt_buf_t *out)
{
    prompt_provider_write_part("input_image", "image_url", part->image,
                               part->detail, out);
}


/* a text, or parts; of an assistant they are output, and texts alone */
static void
provider_responses_says(const prompt_message_t *message, prompt_buf_t *out)
{
    if (message->text.data == NULL && message->nparts == 0) {
        return;
    }

    prompt_provider_write_next(out);
    prompt_buf_char(out, '{');
    prompt_provider_write_text("role", prompt_role_name(message->role), out);
    prompt_provider_write_content("content", message,
                                  message->role == PROMPT_ROLE_ASSISTANT
                                  ? "output_text" : "input_text",
                                  provider_responses_image, out);
    prompt_buf_char(out, '}');
}


static void
provider_responses_calls(const prompt_message_call_t *call, prompt_buf_t *out)
{
    prompt_provider_write_next(out);
    prompt_buf_literal(out, "{\"type\":\"function_call\"");
    prompt_provider_write_text("call_id", call->id, out);
    prompt_provider_write_text("name", call->name, out);
    prompt_provider_write_text("arguments", call->arguments, out);
    prompt_buf_char(out, '}');
}


static void
provider_responses_result(const prompt_message_t *message, prompt_buf_t *out)
{
    prompt_provider_write_next(out);
    prompt_buf_literal(out, "{\"type\":\"function_call_output\"");
    prompt_provider_write_text("call_id", message->call_id, out);
    prompt_provider_write_content("output", message, "input_text",
                                  provider_responses_image, out);
    prompt_buf_char(out, '}');
}


/* as it was given, encrypted; no other names what somebody else has there */
static void
provider_responses_reasoning(const prompt_json_t *item, prompt_buf_t *out)
{
    if (prompt_provider_text_of(item, "encrypted_content").len == 0) {
        return;
    }

    prompt_provider_write_next(out);
    prompt_buf_literal(out, "{\"type\":\"reasoning\"");

    prompt_provider_write_member(item, "id", "id", out);
    prompt_provider_write_member(item, "summary", "summary", out);
    prompt_provider_write_member(item, "content", "content", out);
    prompt_provider_write_member(item, "encrypted_content",
                                 "encrypted_content", out);
    prompt_buf_char(out, '}');
}


/* the same items in the same order; of what was changed what there is */
static void
provider_responses_message(const prompt_provider_request_t *request,
    const prompt_message_t *message, prompt_buf_t *out)
{
    bool                  said;
    size_t                ncalls;
    const prompt_json_t  *item;

    said = false;
    ncalls = 0;

    for (item = prompt_provider_back(request, message);
         item != NULL; item = item->next)
    {
        if (item->type == PROMPT_JSON_STRING) {

            if (prompt_str_eq(item->text, prompt_str(PROVIDER_CALL))) {
                if (ncalls < message->ncalls) {
                    provider_responses_calls(&message->calls[ncalls++], out);
                }

            } else if (!said) {
                said = true;
                provider_responses_says(message, out);
            }

        } else if (prompt_str_eq(prompt_provider_text_of(item, "type"),
                                 prompt_str("reasoning")))
        {
            provider_responses_reasoning(item, out);
        }
    }

    if (!said) {
        provider_responses_says(message, out);
    }

    while (ncalls < message->ncalls) {
        provider_responses_calls(&message->calls[ncalls++], out);
    }
}


static void
provider_responses_write(const prompt_provider_request_t *request,
    prompt_buf_t *out)
{
    size_t                   i;
    const prompt_message_t  *message;

    prompt_provider_write_text("model", request->model, out);
    prompt_buf_literal(out, ",\"input\":[");

    for (i = 0; i < request->messages.count; i++) {
        message = &request->messages.list[i];

        if (message->role == PROMPT_ROLE_TOOL) {
            provider_responses_result(message, out);

        } else {
            provider_responses_message(request, message, out);
        }
    }

    prompt_buf_char(out, ']');

    if (prompt_provider_get(request->params, "store") == NULL) {
        prompt_buf_literal(out, ",\"store\":false");
    }

    if (request->stream) {
        prompt_buf_literal(out, ",\"stream\":true");
    }

    /*
     * Those that store nothing say what they thought to whoever asks for it; a
     * model that does not reason refuses it.
     */

    if ((prompt_provider_get(request->params, "reasoning_effort") != NULL
         || prompt_provider_get(request->params, "reasoning") != NULL)
        && prompt_provider_get(request->params, "include") == NULL)
    {
        prompt_buf_literal(out, ",\"include\":["
                           "\"reasoning.encrypted_content\"]");
    }

    prompt_provider_write_params(request, out);
}


/*
 * The first one is not looked at in a stream, which had it as it came.  Of a
 * call the id is the item's, and call_id what its result names.
 */
static const prompt_provider_member_t  provider_responses_item_members[] = {
    prompt_provider_array("content", prompt_provider_read_part),
    prompt_provider_string("type", item_type),
    prompt_provider_string("encrypted_content", secret),
    prompt_provider_string("call_id", tool.id),
    prompt_provider_string("name", tool.name),
    prompt_provider_string("arguments", tool.arguments),
    prompt_provider_string("input", tool.arguments),
    prompt_provider_no_member
};


/* whether the item's type is one of these, with commas between them */
static bool
provider_responses_is(const prompt_provider_reader_t *reader, const char *types)
{
    return prompt_provider_allows(prompt_str_from(types), reader->item_type);
}


#define PROVIDER_CALLS  "function_call,custom_tool_call"


/* What is none of these is a tool of the provider's, which it bills. */
static void
provider_responses_bill(const prompt_provider_reader_t *reader, int64_t *more)
{
    if (!provider_responses_is(reader, "message,reasoning,compaction,"
                                       PROVIDER_CALLS))
    {
        *more = 1;
    }
}


/* item: its JSON */
static void
provider_responses_keep(prompt_provider_reader_t *reader, prompt_str_t item)
{
    if (provider_responses_is(reader, "reasoning") && reader->secret.len != 0)
    {
        item = prompt_provider_compact(reader->arena, item);

        if (item.data == NULL) {
            reader->scan.error.status = PROMPT_JSON_NOMEM;

        } else {
            prompt_provider_keep(reader, item);
        }

    } else if (!prompt_provider_keeps(reader)) {
        return;

    } else if (provider_responses_is(reader, "message")) {
        prompt_provider_keep(reader, prompt_str("\"" PROVIDER_MESSAGE "\""));

    } else if (provider_responses_is(reader, PROVIDER_CALLS)) {
        prompt_provider_keep(reader, prompt_str("\"" PROVIDER_CALL "\""));
    }
}


/* an item of an answer, or of an event; raw: its JSON */
static bool
provider_responses_read_item(prompt_provider_reader_t *reader,
    const prompt_provider_member_t *members, prompt_str_t *raw)
{
    const char  *start;

    reader->item_type = prompt_str_absent;
    reader->secret = prompt_str_absent;
    reader->tool.id = prompt_str_absent;
    reader->tool.name = prompt_str_absent;
    reader->tool.arguments = prompt_str_absent;

    (void) prompt_json_scan_type(&reader->scan);
    start = reader->scan.pos;

    if (!prompt_provider_read_object(reader, members)
        || reader->scan.error.status != PROMPT_JSON_OK)
    {
        return false;
    }

    *raw = prompt_str_of(start, (size_t) (reader->scan.pos - start));

    return true;
}


static void
provider_responses_output_item(prompt_provider_reader_t *reader)
{
    prompt_str_t  raw;

    if (provider_responses_read_item(reader, provider_responses_item_members,
                                     &raw))
    {
        if (provider_responses_is(reader, PROVIDER_CALLS)) {
            prompt_provider_add_tool(reader);
        }

        provider_responses_bill(reader, &reader->counts.more);
        provider_responses_keep(reader, raw);
    }
}


static void
provider_responses_output(prompt_provider_reader_t *reader, void *to)
{
    prompt_provider_text_t  *text = to;

    prompt_provider_forget(reader);

    text->found = prompt_provider_read_array(reader,
                                             provider_responses_output_item);
}


static const prompt_provider_member_t  provider_responses_usage[] = {
    prompt_provider_count("input_tokens", counts.in),
    prompt_provider_count("output_tokens", counts.out),
    prompt_provider_count("total_tokens", counts.total),
    prompt_provider_count("input_tokens_details.cached_tokens", counts.cached),
    prompt_provider_count("input_tokens_details.cache_write_tokens",
                          counts.cache_write),
    prompt_provider_count("output_tokens_details.reasoning_tokens",
                          counts.reasoning),
    prompt_provider_no_member
};


/* The first one is not looked at in a stream. */
static const prompt_provider_member_t  provider_responses_answer[] = {
    prompt_provider_member("output", provider_responses_output, text),
    prompt_provider_string("status", finish),
    prompt_provider_string("incomplete_details.reason", reason),
    prompt_provider_member("usage", prompt_provider_read_usage, counts),
    prompt_provider_usual("service_tier", PROMPT_PROVIDER_TIERS),
    prompt_provider_member("error", prompt_provider_read_error, error),
    prompt_provider_no_member
};


/* one that is not over is none; why it is incomplete says more than that */
static void
provider_responses_read(prompt_provider_reader_t *reader)
{
    if (prompt_provider_allows(prompt_str("failed,cancelled"), reader->finish))
    {
        reader->error = true;

    } else if (prompt_provider_allows(prompt_str("queued,in_progress"),
                                      reader->finish))
    {
        reader->text.found = false;
    }

    if (reader->reason.len != 0) {
        reader->finish = reader->reason;
    }
}


static void
provider_responses_event_item(prompt_provider_reader_t *reader, void *to)
{
    prompt_str_t  *raw = to;

    if (!provider_responses_read_item(reader,
                                      &provider_responses_item_members[1],
                                      raw))
    {
        *raw = prompt_str_absent;
    }
}


static void
provider_responses_added(prompt_provider_reader_t *reader)
{
    if (provider_responses_is(reader, PROVIDER_CALLS)) {
        reader->tool.arguments = prompt_str_absent;     /* they are to come */
        prompt_provider_event_tool(reader);

    } else if (!provider_responses_is(reader, "message")) {
        reader->stream->thought = true;
        provider_responses_bill(reader, &reader->stream->counts.more);
    }
}


/* where arguments did not come in parts they are here */
static void
provider_responses_done(prompt_provider_reader_t *reader)
{
    if (reader->item.data == NULL) {
        return;
    }

    provider_responses_bill(reader, &reader->stream->counts.more);
    provider_responses_keep(reader, reader->item);

    if (provider_responses_is(reader, PROVIDER_CALLS)) {
        reader->tool.input = reader->tool.arguments;
        reader->tool.arguments = prompt_str_absent;
        prompt_provider_event_tool(reader);
    }
}


static void
provider_responses_arguments(prompt_provider_reader_t *reader)
{
    reader->tool.arguments = reader->part_text;
    prompt_provider_event_more(reader);
}


static void
provider_responses_refusal(prompt_provider_reader_t *reader)
{
    prompt_provider_event_refusal(reader, reader->part_text);
}


static void
provider_responses_end(prompt_provider_reader_t *reader)
{
    if (reader->reason.len != 0) {
        reader->finish = reader->reason;
    }

    prompt_provider_event_begin(reader);
    prompt_provider_event_last(reader);
    prompt_provider_event_end(reader);
}


/* delta: what is added to a text, to arguments, to reasoning, to sound */
static const prompt_provider_member_t  provider_responses_events[] = {
    prompt_provider_string("type", type),
    prompt_provider_count("output_index", tool.index),
    prompt_provider_member("delta", prompt_provider_read_thinking, part_text),
    prompt_provider_member("item", provider_responses_event_item, item),
    prompt_provider_object("response", &provider_responses_answer[1]),
    prompt_provider_no_member
};


static const prompt_provider_type_t  provider_responses_types[] = {
    { "response.created", NULL, prompt_provider_event_begin },
    { "response.output_item.added", NULL, provider_responses_added },
    { "response.output_item.done", NULL, provider_responses_done },
    { "response.output_text.delta", NULL, prompt_provider_event_part },
    { "response.refusal.delta", NULL, provider_responses_refusal },
    { "response.function_call_arguments.delta", NULL,
      provider_responses_arguments },
    { "response.custom_tool_call_input.delta", NULL,
      provider_responses_arguments },
    { "response.completed", NULL, provider_responses_end },
    { "response.incomplete", NULL, provider_responses_end },
    { "response.failed", NULL, prompt_provider_event_fail },
    { "response.cancelled", NULL, prompt_provider_event_fail },
    { "error", NULL, prompt_provider_event_fail },
    prompt_provider_no_type
};


const prompt_provider_format_t  prompt_provider_responses = {
    .name = prompt_str_init("responses"),
    .system = prompt_str_init("openai"),
    .path = prompt_str_init("/v1/responses"),
    .write = provider_responses_write,
    .params = prompt_responses_params,
    .answer = provider_responses_answer,
    .read = provider_responses_read,
    .usage = provider_responses_usage,
    .events = provider_responses_events,
    .types = provider_responses_types
};
