/*
 * The properties of a prompt and of a version.
 */

#include "ctl/property.h"


const ctl_property_t  ctl_prompt_properties[] = {
    { "id", "id", CTL_TEXT, 0, NULL },
    { "name", "name", CTL_TEXT, CTL_FILED, NULL },
    { "description", "description", CTL_TEXT, CTL_FILED, NULL },
    { "category", "category", CTL_TEXT, CTL_FILED, NULL },
    { "isPublic", "public", CTL_BOOLEAN, CTL_FILED, NULL },
    { "createdAt", "created", CTL_TEXT, 0, NULL },
    { "updatedAt", "updated", CTL_TEXT, 0, NULL },
    { NULL, NULL, CTL_TEXT, 0, NULL }
};


/* content has a file of its own */
const ctl_property_t  ctl_version_properties[] = {
    { "id", NULL, CTL_TEXT, 0, NULL },
    { "version", NULL, CTL_INTEGER, 0, NULL },
    { "messages", NULL, CTL_MESSAGES, CTL_FILED|CTL_OMITTED,
      "{ role content images toolCalls { id name arguments } toolCallId"
      " placeholder }" },
    { "content", NULL, CTL_TEXT, CTL_FILED, NULL },
    { "params", "params", CTL_JSON, CTL_FILED, NULL },
    { "inputSchema", "input schema", CTL_JSON, CTL_FILED|CTL_OMITTED, NULL },
    { "outputSchema", "output schema", CTL_JSON, CTL_FILED|CTL_OMITTED, NULL },
    { "note", "note", CTL_TEXT, CTL_FILED|CTL_OMITTED, NULL },
    { "createdAt", NULL, CTL_TEXT, 0, NULL },
    { NULL, NULL, CTL_TEXT, 0, NULL }
};


const ctl_property_t *
ctl_property(const ctl_property_t *p, unsigned flags)
{
    for ( /* void */ ; p->name != NULL; p++) {
        if ((p->flags & flags) == flags) {
            return p;
        }
    }

    return NULL;
}


prompt_str_t
ctl_selection(const ctl_t *ctl, const ctl_property_t *properties,
    unsigned flags, const char *more)
{
    prompt_str_t           text;
    const ctl_property_t  *p;

    text = prompt_str("{ ");

    ctl_property_foreach(p, properties, flags) {
        text = ctl_printf(ctl, "%s%s %s ", text.data, p->name,
                          p->selection != NULL ? p->selection : "");
    }

    return ctl_printf(ctl, "%s%s }", text.data, more);
}


json_t *
ctl_property_filed(const ctl_property_t *property, const json_t *object)
{
    size_t       i;
    void        *next;
    json_t      *value, *message, *member;
    const char  *name;

    value = json_deep_copy(json_object_get(object, property->name));
    value = ctl_json(value != NULL ? value : json_null());

    json_array_foreach(property->kind == CTL_MESSAGES ? value : NULL, i,
                       message)
    {
        json_object_foreach_safe(message, next, name, member) {
            if (json_is_null(member)
                || (json_is_array(member) && json_array_size(member) == 0))
            {
                (void) json_object_del(message, name);
            }
        }
    }

    if ((property->flags & CTL_OMITTED) != 0
        && (json_is_null(value)
            || (json_is_array(value) && json_array_size(value) == 0)))
    {
        json_decref(value);
        return NULL;
    }

    return value;
}
