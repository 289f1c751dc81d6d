/*
 * What a provider gave that has to come back to it with an answer: a list of
 * items, JSON, which is collected from an answer and found in a history.
 */

#include "provider/provider_impl.h"


/* where what has to go back is collected */
static prompt_buf_t *
provider_items(prompt_provider_reader_t *reader)
{
    return reader->stream != NULL ? &reader->stream->opaque : &reader->opaque;
}


void
prompt_provider_keep(prompt_provider_reader_t *reader, prompt_str_t json)
{
    prompt_buf_t  *items;

    items = provider_items(reader);

    prompt_buf_char(items, items->len == 0 ? '[' : ',');
    prompt_buf_str(items, json);
}


bool
prompt_provider_keeps(prompt_provider_reader_t *reader)
{
    return provider_items(reader)->len != 0;
}


const prompt_json_t *
prompt_provider_opaque(const prompt_provider_request_t *request,
    const prompt_message_t *message)
{
    return prompt_str_eq(prompt_provider_text_of(message->provider, "format"),
                         request->format->name)
           ? prompt_provider_get(message->provider, "opaque") : NULL;
}


const prompt_json_t *
prompt_provider_back(const prompt_provider_request_t *request,
    const prompt_message_t *message)
{
    const prompt_json_t  *items;

    items = prompt_provider_opaque(request, message);

    return items != NULL && items->type == PROMPT_JSON_ARRAY ? items->first
                                                             : NULL;
}
