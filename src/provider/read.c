/*
 * What the formats have in common in reading an answer, or an event of one.
 */

#include "provider/provider_impl.h"

#include "prompt/text.h"


void
prompt_provider_begin(prompt_provider_reader_t *reader, prompt_arena_t *arena,
    const prompt_provider_format_t *format, size_t limit)
{
    memset(reader, 0, sizeof(*reader));

    reader->arena = arena;
    reader->format = format;
    prompt_usage_none(&reader->counts);
    reader->retry = PROMPT_USAGE_UNKNOWN;
    prompt_buf_init(&reader->text.parts, limit);
}


/* False: memory. */
static bool
provider_open(prompt_provider_reader_t *reader, prompt_str_t text)
{
    prompt_str_t  mended;

    mended = prompt_text_mend(reader->arena,
                              text.data != NULL ? text : prompt_str(""));

    if (mended.data == NULL) {
        reader->scan.error.status = PROMPT_JSON_NOMEM;
        return false;
    }

    if (reader->stream != NULL && mended.data != text.data) {
        prompt_text_halves(text, &reader->high, &reader->low);
    }

    prompt_json_scan_init(&reader->scan, mended, PROMPT_LIMIT_ANSWER_DEPTH);
    reader->escaped = memchr(mended.data, '\\', mended.len) != NULL;

    return true;
}


/* An error may stand in an array. */
static bool
provider_read_all(prompt_provider_reader_t *reader,
    const prompt_provider_member_t *members)
{
    return prompt_json_scan_type(&reader->scan) == PROMPT_JSON_ARRAY
           ? prompt_provider_read_first(reader, members) && reader->error
           : prompt_provider_read_object(reader, members);
}


bool
prompt_provider_walk(prompt_provider_reader_t *reader, prompt_str_t text,
    const prompt_provider_member_t *members)
{
    return provider_open(reader, text)
           && provider_read_all(reader, members)
           && prompt_json_scan_end(&reader->scan);
}


/*
 * The next member of an object; its name without escapes, so that a name that
 * is written in two ways is one.  False at the end, or an error.
 */
static bool
provider_next(prompt_provider_reader_t *reader, prompt_str_t *name)
{
    prompt_json_t       *value;
    prompt_json_scan_t   quoted;

    if (!prompt_json_scan_member(&reader->scan, name)) {
        return false;
    }

    if (!reader->escaped || name->len == 0
        || memchr(name->data, '\\', name->len) == NULL)
    {
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


static bool
provider_begins(prompt_str_t text, prompt_str_t with)
{
    return text.len >= with.len && memcmp(text.data, with.data, with.len) == 0;
}


/* What was read of an object is forgotten: there is another in its place. */
static void
provider_reset(prompt_provider_reader_t *reader,
    const prompt_provider_member_t *member, prompt_str_t way)
{
    char  *to;

    for ( /* void */ ; member->name.data != NULL; member++) {
        to = (char *) reader + member->offset;

        if (!provider_begins(member->name, way)) {
            continue;
        }

        if (member->read == prompt_provider_read_count) {
            *(int64_t *) (void *) to = PROMPT_USAGE_UNKNOWN;

        } else if (member->read == prompt_provider_read_code) {
            *(bool *) to = false;

        } else if (member->read == prompt_provider_read_string
                   || member->read == prompt_provider_read_arguments)
        {
            *(prompt_str_t *) (void *) to = prompt_str_absent;
        }
    }
}


/*
 * The member of that name of the object that way leads to (`usage.`), or the
 * first that is deeper within it; NULL: none of them is known.
 */
static const prompt_provider_member_t *
provider_find(const prompt_provider_member_t *member, prompt_str_t way,
    prompt_str_t name)
{
    char         first;
    size_t       len;
    const char  *at;

    if (name.len == 0) {
        return NULL;
    }

    len = way.len + name.len;
    first = way.len != 0 ? way.data[0] : name.data[0];

    for ( /* void */ ; member->name.data != NULL; member++) {
        at = member->name.data;

        if (at[0] == first && member->name.len >= len
            && (member->name.len == len || at[len] == '.')
            && memcmp(at + way.len, name.data, name.len) == 0
            && (way.len == 0 || memcmp(at, way.data, way.len) == 0))
        {
            return member;
        }
    }

    return NULL;
}


static void
provider_read_member(prompt_provider_reader_t *reader,
    const prompt_provider_member_t *member)
{
    if (member->read != NULL) {
        member->read(reader, (char *) reader + member->offset);

    } else if (member->each != NULL) {
        (void) prompt_provider_read_array(reader, member->each);

    } else {
        prompt_provider_read_usual(reader, member->words);
    }
}


/* Reads the object that way leads to; false (passed over): it is none. */
static bool
provider_read_way(prompt_provider_reader_t *reader,
    const prompt_provider_member_t *members, prompt_str_t way)
{
    bool                             again;
    prompt_str_t                     name, inner;
    const prompt_provider_member_t  *member, *table;

    again = false;

    if (!prompt_json_scan_object(&reader->scan)) {
        prompt_json_scan_skip(&reader->scan);
        return false;
    }

    while (provider_next(reader, &name)) {
        member = provider_find(members, way, name);

        if (member == NULL) {
            prompt_json_scan_skip(&reader->scan);
            continue;
        }

        if (member->name.len == way.len + name.len) {
            table = member->members;
            inner = prompt_str("");

            if (table == NULL) {
                provider_read_member(reader, member);
                continue;
            }

        } else {
            table = members;
            inner = prompt_str_of(member->name.data, way.len + name.len + 1);
        }

        if (again) {
            provider_reset(reader, table, inner);
        }

        again = true;
        (void) provider_read_way(reader, table, inner);
    }

    return true;
}


bool
prompt_provider_read_object(prompt_provider_reader_t *reader,
    const prompt_provider_member_t *members)
{
    return provider_read_way(reader, members, prompt_str(""));
}


bool
prompt_provider_read_array(prompt_provider_reader_t *reader,
    void (*read)(prompt_provider_reader_t *reader))
{
    if (!prompt_json_scan_array(&reader->scan)) {
        prompt_json_scan_skip(&reader->scan);
        return false;
    }

    while (prompt_json_scan_element(&reader->scan)) {
        read(reader);
    }

    return true;
}


bool
prompt_provider_read_first(prompt_provider_reader_t *reader,
    const prompt_provider_member_t *members)
{
    bool  found;

    if (!prompt_json_scan_array(&reader->scan)) {
        prompt_json_scan_skip(&reader->scan);
        return false;
    }

    if (!prompt_json_scan_element(&reader->scan)) {
        return false;
    }

    found = prompt_provider_read_object(reader, members);

    while (prompt_json_scan_element(&reader->scan)) {
        prompt_json_scan_skip(&reader->scan);
    }

    return found;
}


void
prompt_provider_read_string(prompt_provider_reader_t *reader, void *to)
{
    prompt_str_t   *text = to;
    prompt_json_t  *value;

    *text = prompt_str_absent;

    if (prompt_json_scan_type(&reader->scan) != PROMPT_JSON_STRING) {
        prompt_json_scan_skip(&reader->scan);
        return;
    }

    value = prompt_json_scan_value(&reader->scan, reader->arena);

    if (value != NULL) {
        *text = value->text;
    }
}


void
prompt_provider_read_thought(prompt_provider_reader_t *reader, void *to)
{
    const char          *start;
    prompt_json_type_t   type;

    (void) to;

    type = prompt_json_scan_type(&reader->scan);
    start = reader->scan.pos;

    prompt_json_scan_skip(&reader->scan);

    /* "", [] and {} are nothing */

    if (reader->stream != NULL && reader->scan.pos - start > 2
        && (type == PROMPT_JSON_STRING || type == PROMPT_JSON_ARRAY
            || type == PROMPT_JSON_OBJECT))
    {
        reader->stream->thought = true;
    }
}


void
prompt_provider_read_thinking(prompt_provider_reader_t *reader, void *to)
{
    prompt_str_t  *text = to;

    *text = prompt_str_absent;

    if (prompt_json_scan_type(&reader->scan) != PROMPT_JSON_STRING) {
        prompt_provider_read_thought(reader, to);
        return;
    }

    prompt_provider_read_string(reader, text);

    if (reader->stream != NULL && text->len != 0) {
        reader->stream->thought = true;
    }
}


/* mostly nothing is in it yet */
static void
provider_empty(prompt_buf_t *buf)
{
    if (buf->len != 0 || buf->status != PROMPT_BUF_OK) {
        prompt_buf_free(buf);
    }
}


void
prompt_provider_forget_text(prompt_provider_text_t *text)
{
    text->found = false;
    text->strange = false;
    text->only = prompt_str_absent;

    provider_empty(&text->parts);
}


void
prompt_provider_forget(prompt_provider_reader_t *reader)
{
    prompt_provider_forget_text(&reader->text);

    if (reader->stream == NULL) {
        provider_empty(&reader->calls);
        provider_empty(&reader->opaque);
    }

    reader->refusal = prompt_str_absent;
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
prompt_provider_add_tool(prompt_provider_reader_t *reader)
{
    if (reader->stream != NULL) {
        prompt_provider_event_tool(reader);

    } else if (reader->scan.error.status == PROMPT_JSON_OK) {
        prompt_provider_write_tool(&reader->tool, &reader->calls);
    }
}


void
prompt_provider_write_tool(const prompt_provider_tool_t *tool,
    prompt_buf_t *calls)
{
    if (tool->name.data == NULL) {
        return;
    }

    prompt_buf_char(calls, calls->len == 0 ? '[' : ',');
    prompt_buf_literal(calls, "{\"id\":");
    prompt_json_write_string(calls, tool->id);
    prompt_buf_literal(calls, ",\"name\":");
    prompt_json_write_string(calls, tool->name);
    prompt_buf_literal(calls, ",\"arguments\":");
    prompt_json_write_string(calls, tool->arguments.len != 0
                                    ? tool->arguments : tool->input);
    prompt_buf_char(calls, '}');
}


bool
prompt_provider_list(prompt_arena_t *arena, const prompt_buf_t *items,
    prompt_str_t *text)
{
    *text = prompt_str_absent;

    if (items->len != 0 && items->status == PROMPT_BUF_OK) {
        *text = prompt_arena_printf(arena, "%.*s]",
                                    prompt_str_arg(prompt_buf_view(items)));
    }

    return text->data != NULL
           || (items->len == 0 && items->status == PROMPT_BUF_OK);
}


/* The model did not write what is between. */
prompt_str_t
prompt_provider_compact(prompt_arena_t *arena, prompt_str_t json)
{
    bool         quoted;
    char        *copy;
    size_t       i, len;

    copy = prompt_arena_alloc(arena, json.len);
    if (copy == NULL) {
        return prompt_str_absent;
    }

    len = 0;
    quoted = false;

    for (i = 0; i < json.len; i++) {

        if (json.data[i] == '"') {
            quoted = !quoted;

        } else if (quoted && json.data[i] == '\\' && i + 1 < json.len) {
            copy[len++] = json.data[i++];

        } else if (!quoted && (unsigned char) json.data[i] <= ' ') {
            continue;
        }

        copy[len++] = json.data[i];
    }

    return prompt_str_of(copy, len);
}


void
prompt_provider_read_arguments(prompt_provider_reader_t *reader, void *to)
{
    const char          *start;
    prompt_str_t        *text = to;
    prompt_json_scan_t  *scan;

    scan = &reader->scan;

    if (prompt_json_scan_type(scan) == PROMPT_JSON_STRING) {
        prompt_provider_read_string(reader, text);
        return;
    }

    *text = prompt_str_absent;

    if (prompt_json_scan_type(scan) == PROMPT_JSON_NULL) {
        prompt_json_scan_skip(scan);
        return;
    }

    start = scan->pos;
    prompt_json_scan_skip(scan);

    if (scan->error.status == PROMPT_JSON_OK) {
        *text = prompt_provider_compact(reader->arena,
                    prompt_str_of(start, (size_t) (scan->pos - start)));

        if (text->data == NULL) {
            scan->error.status = PROMPT_JSON_NOMEM;
        }
    }
}


const prompt_provider_member_t  prompt_provider_part[] = {
    prompt_provider_string("type", part_type),
    prompt_provider_string("text", part_text),
    prompt_provider_string("id", tool.id),
    prompt_provider_string("name", tool.name),
    prompt_provider_member("input", prompt_provider_read_arguments, tool.input),
    prompt_provider_string("refusal", refusal),
    prompt_provider_member("thinking", prompt_provider_read_thinking,
                           thinking.text),
    prompt_provider_string("signature", thinking.signature),
    prompt_provider_member("data", prompt_provider_read_thinking,
                           thinking.data),
    prompt_provider_no_member
};


void
prompt_provider_read_part(prompt_provider_reader_t *reader)
{
    reader->part_type = prompt_str_absent;
    reader->part_text = prompt_str_absent;
    memset(&reader->thinking, 0, sizeof(reader->thinking));
    memset(&reader->tool, 0, sizeof(reader->tool));

    if (!prompt_provider_read_object(reader, prompt_provider_part)) {
        reader->text.strange = true;
    }

    if (prompt_provider_is_part(reader, "text")
        || prompt_provider_is_part(reader, "output_text"))
    {
        prompt_provider_add(&reader->text, reader->part_text);

    } else if (prompt_provider_is_part(reader, "tool_use")) {
        prompt_provider_add_tool(reader);
    }
}
