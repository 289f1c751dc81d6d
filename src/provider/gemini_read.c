/*
 * What Google's models answer, whole or as a stream.
 */

#include "provider/gemini.h"


/* to bool */
static void
provider_gemini_flag(prompt_provider_reader_t *reader, void *to)
{
    bool           *flag = to;
    prompt_json_t  *value;

    *flag = false;

    if (prompt_json_scan_type(&reader->scan) != PROMPT_JSON_BOOLEAN) {
        prompt_json_scan_skip(&reader->scan);
        return;
    }

    value = prompt_json_scan_value(&reader->scan, reader->arena);
    *flag = value != NULL && value->boolean;
}


/* what else a model says, or has run, is no text */
static const prompt_provider_member_t  provider_gemini_part[] = {
    prompt_provider_string("text", part_text),
    prompt_provider_member("thought", provider_gemini_flag, thought),
    prompt_provider_string("thoughtSignature", secret),
    prompt_provider_string("functionCall.id", tool.id),
    prompt_provider_string("functionCall.name", tool.name),
    prompt_provider_member("functionCall.args", prompt_provider_read_arguments,
                           tool.arguments),
    prompt_provider_thought("inlineData"),
    prompt_provider_thought("executableCode"),
    prompt_provider_thought("codeExecutionResult"),
    prompt_provider_no_member
};


static void
provider_gemini_keep(prompt_provider_reader_t *reader, bool call)
{
    prompt_buf_t  item;

    if (reader->secret.len == 0) {
        return;
    }

    prompt_buf_init(&item, PROMPT_LIMIT_ANSWER_MAX);
    prompt_buf_char(&item, '{');
    prompt_provider_write_text("signature", reader->secret, &item);

    if (call) {
        prompt_buf_printf(&item, ",\"call\":%lld", (long long) reader->ncalls);
    }

    prompt_buf_char(&item, '}');

    if (item.status != PROMPT_BUF_OK) {
        reader->scan.error.status = PROMPT_JSON_NOMEM;

    } else {
        prompt_provider_keep(reader, prompt_buf_view(&item));
    }

    prompt_buf_free(&item);
}


/* one that has no id gets its number in the answer for it */
static void
provider_gemini_add_call(prompt_provider_reader_t *reader)
{
    if (reader->tool.id.len == 0) {
        reader->tool.id = prompt_arena_printf(reader->arena, "call_%lld",
                                              (long long) reader->ncalls);

        if (reader->tool.id.data == NULL) {
            reader->scan.error.status = PROMPT_JSON_NOMEM;
            return;
        }
    }

    if (reader->tool.arguments.len == 0) {
        reader->tool.arguments = prompt_str("{}");
    }

    reader->tool.index = reader->ncalls;
    provider_gemini_keep(reader, true);
    prompt_provider_add_tool(reader);
    reader->ncalls++;
}


static void
provider_gemini_read_part(prompt_provider_reader_t *reader)
{
    reader->thought = false;
    reader->secret = prompt_str_absent;
    reader->part_text = prompt_str_absent;
    memset(&reader->tool, 0, sizeof(reader->tool));

    if (!prompt_provider_read_object(reader, provider_gemini_part)
        || reader->scan.error.status != PROMPT_JSON_OK)
    {
        reader->text.strange = true;
        return;
    }

    if (reader->tool.name.data != NULL) {
        provider_gemini_add_call(reader);
        return;
    }

    provider_gemini_keep(reader, false);

    if (!reader->thought) {
        prompt_provider_add(&reader->text, reader->part_text);

    } else if (reader->stream != NULL && reader->part_text.len != 0) {
        reader->stream->thought = true;
    }
}


static const prompt_provider_member_t  provider_gemini_candidate[] = {
    prompt_provider_array("content.parts", provider_gemini_read_part),
    prompt_provider_string("finishReason", finish),
    prompt_provider_more("groundingMetadata"),
    prompt_provider_no_member
};


/* there is one: nobody can ask for more */
static void
provider_gemini_candidates(prompt_provider_reader_t *reader, void *to)
{
    prompt_provider_text_t  *text = to;

    prompt_provider_forget(reader);
    reader->finish = prompt_str_absent;
    reader->ncalls = reader->stream != NULL ? (int64_t) reader->stream->ntools
                                            : 0;

    text->found = prompt_provider_read_first(reader, provider_gemini_candidate);
}


static const prompt_provider_member_t  provider_gemini_detail[] = {
    prompt_provider_string("modality", part_type),
    prompt_provider_no_member
};


/* What is heard has a price of its own; pictures cost what text does. */
static void
provider_gemini_heard(prompt_provider_reader_t *reader)
{
    reader->part_type = prompt_str_absent;
    (void) prompt_provider_read_object(reader, provider_gemini_detail);

    if (prompt_str_eq(reader->part_type, prompt_str("AUDIO"))) {
        reader->counts.more = 1;
    }
}


/* What is shown has one, too. */
static void
provider_gemini_shown(prompt_provider_reader_t *reader)
{
    provider_gemini_heard(reader);

    if (prompt_str_eq(reader->part_type, prompt_str("IMAGE"))
        || prompt_str_eq(reader->part_type, prompt_str("VIDEO")))
    {
        reader->counts.more = 1;
    }
}


/* faster traffic, and such as may wait, have prices of their own */
const prompt_provider_member_t  prompt_gemini_usage[] = {
    prompt_provider_count("promptTokenCount", counts.in),
    prompt_provider_count("toolUsePromptTokenCount", counts.tool_in),
    prompt_provider_count("cachedContentTokenCount", counts.cached),
    prompt_provider_count("candidatesTokenCount", counts.out),
    prompt_provider_count("thoughtsTokenCount", counts.reasoning),
    prompt_provider_count("totalTokenCount", counts.total),
    prompt_provider_usual("trafficType", "ON_DEMAND,TRAFFIC_TYPE_UNSPECIFIED"),
    prompt_provider_usual("serviceTier",
                          "standard,STANDARD,unspecified,UNSPECIFIED,"
                          "SERVICE_TIER_STANDARD,SERVICE_TIER_UNSPECIFIED"),
    prompt_provider_array("promptTokensDetails", provider_gemini_heard),
    prompt_provider_array("toolUsePromptTokensDetails", provider_gemini_heard),
    prompt_provider_array("cacheTokensDetails", provider_gemini_heard),
    prompt_provider_array("candidatesTokensDetails", provider_gemini_shown),
    prompt_provider_no_member
};


/* of an event, too */
const prompt_provider_member_t  prompt_gemini_answer[] = {
    prompt_provider_member("candidates", provider_gemini_candidates, text),
    prompt_provider_string("promptFeedback.blockReason", reason),
    prompt_provider_member("usageMetadata", prompt_provider_read_usage, counts),
    prompt_provider_member("error", prompt_provider_read_error, error),
    prompt_provider_no_member
};


/* A prompt that is refused has no candidate, and is an answer all the same. */
void
prompt_gemini_read(prompt_provider_reader_t *reader)
{
    if (!reader->text.found && reader->reason.len != 0) {
        reader->text.found = true;
        reader->finish = reader->reason;
    }
}


/* There is no other end than the body's, behind the word for it. */
void
prompt_gemini_event(prompt_provider_reader_t *reader)
{
    prompt_gemini_read(reader);

    if (reader->text.found || reader->used) {
        prompt_provider_event_begin(reader);
    }

    prompt_provider_event_text(reader, reader->text.only);
    prompt_provider_event_text(reader, prompt_buf_view(&reader->text.parts));

    if (reader->finish.len != 0) {
        prompt_provider_event_finish(reader);
        reader->stream->counted = true;
    }
}
