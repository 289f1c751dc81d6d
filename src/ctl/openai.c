/*
 * promptctl import --openai.  What is left of a body when all that is known was
 * taken from it is a fault: a model would be asked otherwise without it.
 */

#include <ctype.h>
#include <stdlib.h>

#include "ctl/files.h"
#include "ctl/openai.h"


/* one body, on its way to a version */
typedef struct {
    const ctl_t  *ctl;
    const char   *place;                     /* in the file */
    json_t       *body;
    json_t       *messages, *params;
    json_t       *properties;                /* of its inputSchema */
    bool          fault;
} ctl_openai_t;

typedef struct {
    const char  *name;                       /* "A", "A.B" */
    const char  *as;                         /* of params; NULL: no answer is
                                                another without it */
    const char  *wrap;                       /* of chat completions */
} ctl_openai_member_t;


#define ctl_openai_same(name)  { name, name, NULL }
#define ctl_openai_none(name)  { name, NULL, NULL }

static const ctl_openai_member_t  ctl_openai_members[] = {
    { "max_output_tokens", "max_completion_tokens", NULL },
    { "text.format", "response_format", "json_schema" },
    { "text.verbosity", "verbosity", NULL },
    { "reasoning.effort", "reasoning_effort", NULL },
    { "tools", "tools", "function" },
    { "tool_choice", "tool_choice", "function" },
    ctl_openai_same("model"), ctl_openai_same("temperature"),
    ctl_openai_same("top_p"), ctl_openai_same("max_tokens"),
    ctl_openai_same("max_completion_tokens"), ctl_openai_same("stop"),
    ctl_openai_same("seed"), ctl_openai_same("frequency_penalty"),
    ctl_openai_same("presence_penalty"), ctl_openai_same("top_logprobs"),
    ctl_openai_same("response_format"), ctl_openai_same("reasoning_effort"),
    ctl_openai_same("verbosity"), ctl_openai_same("parallel_tool_calls"),
    ctl_openai_same("prompt_cache_key"),
    ctl_openai_none("reasoning.summary"), ctl_openai_none("variables"),
    ctl_openai_none("prompt.variables"), ctl_openai_none("id"),
    ctl_openai_none("object"), ctl_openai_none("created_at"),
    ctl_openai_none("store"), ctl_openai_none("stream"),
    ctl_openai_none("include"), ctl_openai_none("metadata"),
};


static void
ctl_openai_fault(ctl_openai_t *o, const char *at, const char *what)
{
    ctl_error("%s: %s: %s", o->place, at, what);
    o->fault = true;
}


static bool
ctl_openai_is(const json_t *value, const char *word)
{
    return prompt_str_eq(ctl_text_of(value),
                         prompt_str_of(word, strlen(word)));
}


/* null and what is empty say nothing */
static bool
ctl_openai_empty(const json_t *value)
{
    return value == NULL || json_is_null(value)
           || (json_is_array(value) && json_array_size(value) == 0)
           || (json_is_object(value) && json_object_size(value) == 0);
}


/* The member, which is gone from the body then; NULL where it says nothing. */
static json_t *
ctl_openai_take(ctl_openai_t *o, const char *name)
{
    json_t      *object, *value;
    const char  *dot;

    object = o->body;
    dot = strchr(name, '.');

    if (dot != NULL) {
        object = json_object_get(object,
                                 ctl_copy(o->ctl, prompt_str_of(name,
                                             (size_t) (dot - name))).data);
        name = dot + 1;
    }

    value = json_incref(json_object_get(object, name));
    (void) json_object_del(object, name);

    return ctl_openai_empty(value) ? NULL : value;
}


/*
 * A type with what stands beside it, which chat completions have in a member.
 * NULL: plain text, which is what there is without it.
 */
static json_t *
ctl_openai_wrap(ctl_openai_t *o, json_t *value, const char *at,
    const char *name)
{
    json_t  *type;

    type = json_object_get(value, "type");

    if (ctl_openai_is(type, "text")) {
        return NULL;
    }

    if (strcmp(name, "function") == 0 && json_is_object(value)
        && !ctl_openai_is(type, "function"))
    {
        ctl_openai_fault(o, at, "only functions can be tools");
    }

    if (json_object_size(value) < 2 || json_object_get(value, name) != NULL) {
        return value;
    }

    json_incref(type);
    (void) json_object_del(value, "type");

    return ctl_json(json_pack("{s:o*, s:o}", "type", type, name, value));
}


static void
ctl_openai_params(ctl_openai_t *o)
{
    size_t                      i, j;
    json_t                     *value, *item;
    const ctl_openai_member_t  *m;

    for (i = 0; i < sizeof(ctl_openai_members) / sizeof(*m); i++) {
        m = &ctl_openai_members[i];
        value = ctl_openai_take(o, m->name);

        if (m->wrap != NULL) {
            json_array_foreach(value, j, item) {
                item = ctl_openai_wrap(o, json_incref(item), m->name, m->wrap);
                (void) json_array_set_new(value, j, item);
            }

            value = json_is_array(value) ? value
                    : ctl_openai_wrap(o, value, m->name, m->wrap);
        }

        if (value != NULL && m->as != NULL) {
            ctl_json_set(o->params, m->as, value);
        }
    }

    /* which providers refuse without tools */

    if (json_object_get(o->params, "tools") == NULL) {
        (void) json_object_del(o->params, "tool_choice");
        (void) json_object_del(o->params, "parallel_tool_calls");
    }
}


/* what else begins with {{ is the service's to judge */
static void
ctl_openai_placeholders(ctl_openai_t *o, prompt_str_t text)
{
    bool         plain;
    const char  *name, *end;

    for (end = text.data; (name = strstr(end, "{{")) != NULL; /* void */ ) {
        plain = name == text.data || name[-1] != '\\';
        name += 2 + strspn(name + 2, " \t\n");
        end = name + strcspn(name, " \t\n.{}");

        if (plain && end != name
            && strncmp(end + strspn(end, " \t\n"), "}}", 2) == 0)
        {
            ctl_json_set(o->properties,
                         ctl_printf(o->ctl, "%.*s", (int) (end - name),
                                    name).data,
                         json_pack("{s:s}", "type", "string"));
        }
    }
}


/* a string or part: another line of the message, or a picture beside it */
static void
ctl_openai_part(ctl_openai_t *o, const char *at, const json_t *part,
    json_t *message)
{
    prompt_str_t  text, image, before;

    text = json_is_string(part) ? ctl_text_of(part) : ctl_text(part, "text");
    image = ctl_text(part, "image_url");
    before = ctl_text(message, "content");

    if (text.data != NULL && memchr(text.data, '\0', text.len) != NULL) {
        ctl_openai_fault(o, at, "has U+0000");
        return;
    }

    if (text.data != NULL) {
        ctl_json_set(message, "content",
                     ctl_json_text(ctl_printf(o->ctl, "%.*s%s%.*s",
                                              prompt_str_arg(before),
                                              before.len != 0 ? "\n" : "",
                                              prompt_str_arg(text))));
    } else if (image.data != NULL) {
        ctl_json_append(json_object_get(message, "images"),
                        ctl_json_text(image));
        text = image;

    } else {
        ctl_openai_fault(o, at, "neither text nor the address of a picture");
        return;
    }

    ctl_openai_placeholders(o, text);
}


static void
ctl_openai_message(ctl_openai_t *o, const char *at, const char *role,
    json_t *content)
{
    char    *p, *upper;
    size_t   i;
    json_t  *message, *part;

    upper = (char *) ctl_printf(o->ctl, "%s", strcmp(role, "developer") == 0
                                              ? "system" : role).data;

    for (p = upper; *p != '\0'; p++) {
        *p = (char) toupper((unsigned char) *p);
    }

    message = ctl_json(json_pack("{s:s, s:s, s:[]}", "role", upper, "content",
                                 "", "images"));

    if (!json_is_array(content)) {
        ctl_openai_part(o, at, content, message);
    }

    json_array_foreach(content, i, part) {
        ctl_openai_part(o, ctl_printf(o->ctl, "%s.content[%zu]", at, i).data,
                        part, message);
    }

    if (json_array_size(json_object_get(message, "images")) == 0) {
        (void) json_object_del(message, "images");
    }

    ctl_json_append(o->messages, message);
}


/* a text of that role, or messages */
static void
ctl_openai_items(ctl_openai_t *o, const char *name, const char *role)
{
    size_t       i;
    json_t      *items, *item;
    const char  *at, *said;

    items = ctl_openai_take(o, name);

    if (items != NULL && !json_is_array(items)) {
        ctl_openai_message(o, name, role, items);
    }

    json_array_foreach(items, i, item) {
        at = ctl_printf(o->ctl, "%s[%zu]", name, i).data;
        said = ctl_text(item, "role").data;

        if (said == NULL || json_object_get(item, "tool_calls") != NULL) {
            ctl_openai_fault(o, at, "no message, or one that calls tools");
            continue;
        }

        ctl_openai_message(o, at, said, json_object_get(item, "content"));
    }
}


/* The last message is the content, where a person says it. */
static json_t *
ctl_openai_version(ctl_openai_t *o, int64_t number)
{
    size_t       last;
    json_t      *message, *required, *schema, *content;
    const char  *name;

    last = json_array_size(o->messages) - 1;
    message = json_array_get(o->messages, last);
    content = ctl_json(json_string(""));
    required = ctl_json(json_array());
    schema = NULL;

    /* pictures stay before it */

    if (ctl_openai_is(json_object_get(message, "role"), "USER")) {
        content = json_incref(json_object_get(message, "content"));
        ctl_json_set(message, "content", json_string(""));

        if (json_object_get(message, "images") == NULL) {
            (void) json_array_remove(o->messages, last);
        }
    }

    json_object_foreach(o->properties, name, message) {
        ctl_json_append(required, json_string(name));
    }

    if (json_array_size(required) != 0) {
        schema = ctl_json(json_pack("{s:s, s:o, s:o}", "type", "object",
                                    "properties", o->properties, "required",
                                    required));
    }

    return ctl_json(json_pack("{s:I, s:o, s:o, s:o, s:o*}", "version",
                              (json_int_t) number, "messages", o->messages,
                              "content", content, "params", o->params,
                              "inputSchema", schema));
}


/* "id", or "version" which may be a number; of prompt, or beside it */
static json_t *
ctl_openai_which(ctl_openai_t *o, const char *name)
{
    json_t  *inner, *outer;

    inner = ctl_openai_take(o, ctl_printf(o->ctl, "prompt.%s", name).data);
    outer = ctl_openai_take(o, name);

    return inner != NULL ? inner : outer;
}


/* The version goes to the prompt of its name, which may be a new one. */
static void
ctl_openai_body(ctl_openai_t *o, json_t *prompts, json_t *places)
{
    size_t         i;
    json_t        *name, *id, *version, *versions, *left;
    const char    *at;
    prompt_str_t   digits;

    name = ctl_openai_take(o, "name");
    id = ctl_openai_which(o, "id");
    id = id != NULL ? id : ctl_openai_which(o, "prompt_id");
    name = name != NULL ? name : id;
    version = ctl_openai_which(o, "version");

    ctl_openai_items(o, "instructions", "system");
    ctl_openai_items(o, "input", "user");
    ctl_openai_items(o, "messages", "user");
    ctl_openai_params(o);

    json_object_foreach(o->body, at, left) {
        if (!ctl_openai_empty(left)) {
            ctl_openai_fault(o, at, "has no place in a prompt: remove it");
        }
    }

    if (ctl_text_of(name).len == 0) {
        ctl_openai_fault(o, "name", "must be given, or the prompt's id");
        return;
    }

    for (i = 0; i < json_array_size(prompts)
         && !json_equal(json_object_get(json_array_get(prompts, i), "name"),
                        name); i++)
    {
        /* void */
    }

    if (i == json_array_size(prompts)) {
        ctl_json_append(prompts, json_pack("{s:O, s:[]}", "name", name,
                                           "versions"));
        ctl_json_append(places, json_array());
    }

    versions = json_object_get(json_array_get(prompts, i), "versions");
    digits = ctl_number_of(version);
    digits = digits.data != NULL ? digits : ctl_text_of(version);

    ctl_json_append(versions, ctl_openai_version(o, digits.data != NULL
                              ? strtoll(digits.data, NULL, 10)
                              : (int64_t) json_array_size(versions) + 1));
    ctl_json_append(json_array_get(places, i), json_string(o->place));
}


json_t *
ctl_openai_read(const ctl_t *ctl, const char *path, json_t **places)
{
    size_t         i;
    json_t        *list, *prompts;
    ctl_openai_t   o;

    list = ctl_file_json(path);
    list = ctl_list(list, "data") != NULL ? ctl_list(list, "data") : list;
    list = json_is_array(list) ? list : ctl_json(json_pack("[o]", list));

    memset(&o, 0, sizeof(o));
    o.ctl = ctl;
    prompts = ctl_json(json_array());
    *places = ctl_json(json_array());

    json_array_foreach(list, i, o.body) {
        o.place = ctl_printf(ctl, "%s: prompt %zu", path, i + 1).data;
        o.messages = ctl_json(json_array());
        o.params = ctl_json(json_object());
        o.properties = ctl_json(json_object());

        ctl_openai_body(&o, prompts, *places);
    }

    if (o.fault) {
        ctl_fail("nothing was sent");
    }

    return prompts;
}
