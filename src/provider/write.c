/*
 * What the formats have in common in writing a request.
 */

#include "provider/provider_impl.h"

#include <inttypes.h>
#include <stdio.h>


size_t
prompt_provider_leading(const prompt_provider_request_t *request)
{
    size_t  n;

    n = 0;

    while (n < request->messages.count
           && prompt_provider_is_system(&request->messages.list[n]))
    {
        n++;
    }

    return n;
}


void
prompt_provider_write_next(prompt_buf_t *out)
{
    if (out->len == 0 || (out->data[out->len - 1] != '{'
                          && out->data[out->len - 1] != '['))
    {
        prompt_buf_char(out, ',');
    }
}


/* a name of ours, which has nothing to be escaped */
static void
provider_write_word(const char *name, prompt_buf_t *out)
{
    prompt_provider_write_next(out);
    prompt_buf_char(out, '"');
    prompt_buf_str(out, prompt_str_from(name));
    prompt_buf_literal(out, "\":");
}


void
prompt_provider_write_part(const char *type, const char *name,
    prompt_str_t text, prompt_str_t detail, prompt_buf_t *out)
{
    prompt_provider_write_next(out);
    prompt_buf_char(out, '{');
    prompt_provider_write_text("type", prompt_str_from(type), out);
    prompt_provider_write_text(name, text, out);
    prompt_provider_write_text("detail", detail, out);
    prompt_buf_char(out, '}');
}


void
prompt_provider_write_parts(const prompt_message_t *message, const char *type,
    prompt_provider_image_pt image, prompt_buf_t *out)
{
    size_t                        i;
    const prompt_message_part_t  *part;

    for (i = 0; i < message->nparts; i++) {
        part = &message->parts[i];

        if (part->text.data == NULL) {
            image(part, out);
            continue;
        }

        prompt_provider_write_part(type, "text", part->text, prompt_str_absent,
                                   out);
    }
}


void
prompt_provider_write_content(const char *name,
    const prompt_message_t *message, const char *type,
    prompt_provider_image_pt image, prompt_buf_t *out)
{
    provider_write_word(name, out);

    if (message->nparts != 0) {
        prompt_buf_char(out, '[');
        prompt_provider_write_parts(message, type, image, out);
        prompt_buf_char(out, ']');

    } else if (message->text.data != NULL) {
        prompt_json_write_string(out, message->text);

    } else {
        prompt_buf_literal(out, "null");
    }
}


void
prompt_provider_write_name(prompt_str_t name, prompt_buf_t *out)
{
    prompt_provider_write_next(out);
    prompt_json_write_string(out, name);
    prompt_buf_char(out, ':');
}


void
prompt_provider_write_text(const char *name, prompt_str_t text,
    prompt_buf_t *out)
{
    if (text.data != NULL) {
        provider_write_word(name, out);
        prompt_json_write_string(out, text);
    }
}


void
prompt_provider_write_member(const prompt_json_t *from, const char *name,
    const char *as, prompt_buf_t *out)
{
    const prompt_json_t  *value;

    value = prompt_provider_get(from, name);

    if (value != NULL) {
        provider_write_word(as, out);
        prompt_json_write(out, value);
    }
}


void
prompt_provider_write_members(const prompt_json_t *object, const char *without,
    prompt_buf_t *out)
{
    const prompt_json_t  *member;

    member = object != NULL && object->type == PROMPT_JSON_OBJECT
             ? object->first : NULL;

    for ( /* void */ ; member != NULL; member = member->next) {

        if (!prompt_str_eq(member->name, prompt_str_from(without))
            || without == NULL)
        {
            prompt_provider_write_name(member->name, out);
            prompt_json_write(out, member);
        }
    }
}


void
prompt_provider_write_function(const prompt_json_t *function,
    const char *parameters, prompt_buf_t *out)
{
    prompt_provider_write_member(function, "name", "name", out);
    prompt_provider_write_member(function, "description", "description", out);
    prompt_provider_write_member(function, "parameters", parameters, out);
}


const prompt_json_t *
prompt_provider_get(const prompt_json_t *object, const char *way)
{
    size_t  len;

    do {
        len = strcspn(way, ".");
        object = prompt_json_get(object, prompt_str_of(way, len));
        way += len + 1;
    } while (object != NULL && way[-1] == '.');

    return object != NULL && object->type != PROMPT_JSON_NULL ? object : NULL;
}


prompt_str_t
prompt_provider_text_of(const prompt_json_t *object, const char *way)
{
    const prompt_json_t  *value;

    value = prompt_provider_get(object, way);

    if (value == NULL || value->type != PROMPT_JSON_STRING) {
        return prompt_str_absent;
    }

    return value->text.len != 0 ? value->text : prompt_str("");
}


const char *
prompt_provider_wrong_object(const prompt_json_t *value)
{
    return value->type == PROMPT_JSON_OBJECT ? NULL : "must be an object";
}


/* only what no reader of paths takes for anything else stays */
void
prompt_provider_segment(prompt_str_t text, prompt_buf_t *out)
{
    size_t             i;
    unsigned char      c;
    static const char  hex[] = "0123456789ABCDEF";

    for (i = 0; i < text.len; i++) {
        c = (unsigned char) text.data[i];

        if ((c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z')
            || c == '-' || c == '.' || c == '_' || c == '~')
        {
            prompt_buf_char(out, (char) c);

        } else {
            prompt_buf_char(out, '%');
            prompt_buf_char(out, hex[c >> 4]);
            prompt_buf_char(out, hex[c & 0xf]);
        }
    }
}


void
prompt_provider_uri(const prompt_provider_request_t *request, prompt_buf_t *out)
{
    const prompt_provider_format_t  *format;

    format = request->format;
    prompt_buf_str(out, format->path);

    if (format->whole.data != NULL) {
        prompt_provider_segment(request->model, out);
        prompt_buf_str(out, request->stream ? format->streamed : format->whole);
    }
}


/* where a member of params goes */
typedef struct {
    prompt_str_t                    name;
    prompt_str_t                    group;
    const prompt_provider_param_t  *param;   /* NULL: as it is */
} provider_place_t;


/* false: nowhere */
static bool
provider_place(const prompt_provider_request_t *request,
    const prompt_json_t *value, provider_place_t *place)
{
    if (prompt_str_eq(value->name, prompt_str("model"))) {
        return false;
    }

    place->name = value->name;
    place->group = prompt_str_absent;
    place->param = prompt_provider_param(request->format->params, value->name);

    if (place->param != NULL) {
        place->group = place->param->group;

        if (place->param->as.data != NULL) {
            place->name = place->param->as;
        }
    }

    if (request->max_tokens_as.len != 0
        && (prompt_str_eq(value->name, prompt_str("max_tokens"))
            || prompt_str_eq(place->name, prompt_str("max_tokens"))))
    {
        place->name = request->max_tokens_as;
    }

    return !prompt_str_eq(place->name, prompt_str("model"))
           && value->type != PROMPT_JSON_NULL
           && (place->param == NULL
               || place->param->rule < PROMPT_PARAM_REFUSED);
}


/* whether another member has that place: the provider's own, or one before */
static bool
provider_taken(const prompt_provider_request_t *request,
    const prompt_json_t *value, const provider_place_t *place)
{
    provider_place_t      other;
    const prompt_json_t  *own, *given;

    own = place->group.len != 0
          ? prompt_json_get(request->params, place->group) : request->params;
    given = prompt_json_get(own, place->name);

    if ((own != request->params || !prompt_str_eq(place->name, value->name))
        && given != NULL && given->type != PROMPT_JSON_NULL)
    {
        return true;
    }

    if (place->param == NULL || place->param->as.data == NULL) {
        return false;
    }

    for (own = request->params->first; own != value; own = own->next) {

        if (provider_place(request, own, &other)
            && prompt_str_eq(other.name, place->name)
            && prompt_str_eq(other.group, place->group))
        {
            return true;
        }
    }

    return false;
}


/* the elements of an array, or what is none as the only one */
static void
provider_write_each(const prompt_json_t *value, prompt_buf_t *out,
    void (*write)(prompt_buf_t *out, const prompt_json_t *element))
{
    const prompt_json_t  *element, *end;

    element = value->type == PROMPT_JSON_ARRAY ? value->first : value;
    end = value->type == PROMPT_JSON_ARRAY ? NULL : value->next;
    prompt_buf_char(out, '[');

    for ( /* void */ ; element != end; element = element->next) {
        prompt_provider_write_next(out);
        write(out, element);
    }

    prompt_buf_char(out, ']');
}


/* One that writes nothing has no words for it: the name goes, too. */
static void
provider_write_value(const prompt_provider_request_t *request,
    const prompt_json_t *value, const provider_place_t *place,
    prompt_buf_t *out)
{
    size_t                          before, name;
    const prompt_provider_param_t  *param;

    param = place->param;
    before = out->len;
    prompt_provider_write_name(place->name, out);
    name = out->len;

    if (param != NULL && param->write != NULL) {
        param->write(request, value, out);

    } else if (param != NULL && param->each != NULL) {
        provider_write_each(value, out, param->each);

    } else {
        prompt_json_write(out, value);
    }

    if (out->len == name) {
        prompt_buf_truncate(out, before);
    }
}


/* all that go into a group, or, where that is absent, into none */
static void
provider_write_into(const prompt_provider_request_t *request,
    prompt_str_t group, prompt_buf_t *out)
{
    provider_place_t      place;
    const prompt_json_t  *value;

    for (value = request->params->first; value != NULL; value = value->next) {

        if (provider_place(request, value, &place)
            && prompt_str_eq(place.group, group)
            && (group.len == 0 || !prompt_str_eq(value->name, group))
            && !provider_taken(request, value, &place))
        {
            provider_write_value(request, value, &place, out);
        }
    }
}


static void
provider_write_group(const prompt_provider_request_t *request,
    prompt_str_t group, prompt_buf_t *out)
{
    size_t  before;

    before = out->len;
    prompt_provider_write_name(group, out);
    prompt_buf_char(out, '{');

    provider_write_into(request, group, out);
    prompt_provider_write_members(prompt_json_get(request->params, group),
                                  NULL, out);

    if (out->len != 0 && out->data[out->len - 1] == '{') {
        prompt_buf_truncate(out, before);

    } else {
        prompt_buf_char(out, '}');
    }
}


/* Groups of which all members are APART are written by their format. */
void
prompt_provider_write_params(const prompt_provider_request_t *request,
    prompt_buf_t *out)
{
    const prompt_provider_param_t  *param, *first;

    provider_write_into(request, prompt_str_absent, out);

    for (param = request->format->params; param->name.data != NULL; param++) {
        if (param->group.len == 0 || param->rule != PROMPT_PARAM_KNOWN) {
            continue;
        }

        first = request->format->params;

        while (!prompt_str_eq(first->group, param->group)
               || first->rule != PROMPT_PARAM_KNOWN)
        {
            first++;
        }

        if (first == param) {
            provider_write_group(request, param->group, out);
        }
    }
}


/* a member in front of all others */
static void
provider_put(prompt_json_t *object, prompt_json_t *value, const char *name,
    prompt_json_type_t type)
{
    value->type = type;
    value->name = prompt_str_from(name);
    value->next = object->first;
    object->first = value;
}


/* A schema of the output is what response_format says, as chat has it. */
static void
provider_write_formed(const prompt_provider_request_t *request,
    prompt_buf_t *out)
{
    prompt_json_t              params, format, type, wrapper, name, schema;
    prompt_provider_request_t  formed;

    if (request->output_schema == NULL) {
        request->format->write(request, out);
        return;
    }

    formed = *request;
    formed.params = &params;
    params = *request->params;
    schema = *request->output_schema;

    memset(&format, 0, sizeof(format));
    type = name = wrapper = format;
    type.text = prompt_str("json_schema");
    name.text = prompt_str("output");

    provider_put(&wrapper, &schema, "schema", schema.type);
    provider_put(&wrapper, &name, "name", PROMPT_JSON_STRING);
    provider_put(&format, &wrapper, "json_schema", PROMPT_JSON_OBJECT);
    provider_put(&format, &type, "type", PROMPT_JSON_STRING);
    provider_put(&params, &format, "response_format", PROMPT_JSON_OBJECT);

    request->format->write(&formed, out);
}


/* where params do not bound the output: max_tokens of the request, or of all */
void
prompt_provider_request(const prompt_provider_request_t *request,
    prompt_buf_t *out)
{
    char                       digits[32];
    int64_t                    most;
    prompt_json_t              params, number;
    prompt_provider_request_t  bounded;

    most = request->max_tokens != 0 ? request->max_tokens
                                    : request->format->max_tokens;

    if (most > 0 && prompt_provider_params_most(request) == 0) {
        memset(&number, 0, sizeof(number));
        number.text = prompt_str_of(digits, (size_t) snprintf(digits,
                                    sizeof(digits), "%" PRId64, most));
        params = *request->params;
        provider_put(&params, &number, "max_tokens", PROMPT_JSON_NUMBER);

        bounded = *request;
        bounded.params = &params;
        request = &bounded;
    }

    prompt_buf_char(out, '{');
    provider_write_formed(request, out);
    prompt_buf_char(out, '}');
}
