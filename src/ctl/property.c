/*
 * The properties of a prompt and of a version.
 */

#include "ctl/property.h"


const ctl_property_t  ctl_prompt_properties[] = {
    { "id", "id", CTL_TEXT, 0 },
    { "name", "name", CTL_TEXT, CTL_FILED },
    { "description", "description", CTL_TEXT, CTL_FILED|CTL_NULLABLE },
    { "category", "category", CTL_TEXT, CTL_FILED },
    { "isPublic", "public", CTL_BOOLEAN, CTL_FILED },
    { "createdAt", "created", CTL_TEXT, 0 },
    { "updatedAt", "updated", CTL_TEXT, 0 },
    { NULL, NULL, CTL_TEXT, 0 }
};


/* content has a file of its own */
const ctl_property_t  ctl_version_properties[] = {
    { "id", NULL, CTL_TEXT, 0 },
    { "version", NULL, CTL_INTEGER, 0 },
    { "content", NULL, CTL_TEXT, CTL_FILED },
    { "params", "params", CTL_JSON, CTL_FILED },
    { "inputSchema", "input schema", CTL_JSON, CTL_FILED|CTL_NULLABLE },
    { "createdAt", NULL, CTL_TEXT, 0 },
    { NULL, NULL, CTL_TEXT, 0 }
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
ctl_selection(ctl_t *ctl, const ctl_property_t *properties, unsigned flags,
    const char *more)
{
    prompt_str_t           text;
    const ctl_property_t  *p;

    text = prompt_str("{ ");

    for (p = ctl_property(properties, flags);
         p != NULL && text.data != NULL;
         p = ctl_property(p + 1, flags))
    {
        text = prompt_arena_printf(ctl->arena, "%.*s%s ", prompt_str_arg(text),
                                   p->name);
    }

    return text.data != NULL
           ? prompt_arena_printf(ctl->arena, "%.*s%s }", prompt_str_arg(text),
                                 more)
           : prompt_str_absent;
}


bool
ctl_property_fits(const ctl_property_t *property, const prompt_json_t *value)
{
    const prompt_json_t  *item;

    if (value->type == PROMPT_JSON_NULL) {
        return (property->flags & CTL_NULLABLE) != 0;
    }

    switch (property->kind) {

    case CTL_TEXT:
        return value->type == PROMPT_JSON_STRING;

    case CTL_TEXTS:

        if (value->type != PROMPT_JSON_ARRAY) {
            return false;
        }

        for (item = value->first; item != NULL; item = item->next) {
            if (item->type != PROMPT_JSON_STRING) {
                return false;
            }
        }

        return true;

    case CTL_BOOLEAN:
        return value->type == PROMPT_JSON_BOOLEAN;

    case CTL_INTEGER:
        return value->type == PROMPT_JSON_NUMBER;

    case CTL_JSON:
        break;
    }

    return true;
}
