/*
 * The properties of a prompt and of a version.
 */

#include "ctl/property.h"

#include "ctl/api.h"


const ctl_property_t  ctl_prompt_properties[] = {
    { "id", "id", CTL_TEXT, 0, NULL },
    { "name", "name", CTL_TEXT, CTL_FILED, NULL },
    { "description", "description", CTL_TEXT, CTL_FILED|CTL_NULLABLE, NULL },
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
      "{ role content placeholder }" },
    { "content", NULL, CTL_TEXT, CTL_FILED, NULL },
    { "params", "params", CTL_JSON, CTL_FILED, NULL },
    { "inputSchema", "input schema", CTL_JSON, CTL_FILED|CTL_NULLABLE, NULL },
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
        text = prompt_arena_printf(ctl->arena, "%.*s%s %s ",
                                   prompt_str_arg(text), p->name,
                                   p->selection != NULL ? p->selection : "");
    }

    return text.data != NULL
           ? prompt_arena_printf(ctl->arena, "%.*s%s }", prompt_str_arg(text),
                                 more)
           : prompt_str_absent;
}


/* without members that are null */

static prompt_json_t *
ctl_message_filed(ctl_t *ctl, const prompt_json_t *message)
{
    prompt_json_t        *filed;
    const prompt_json_t  *member;

    filed = ctl_object(ctl);

    for (member = message->first; member != NULL; member = member->next) {
        if (member->type != PROMPT_JSON_NULL
            && !ctl_set(ctl, filed, prompt_arena_copy(ctl->arena,
                                                      member->name).data,
                        member))
        {
            return NULL;
        }
    }

    return filed;
}


prompt_json_t *
ctl_property_filed(ctl_t *ctl, const ctl_property_t *property,
    const prompt_json_t *value)
{
    prompt_json_t        *list, *message;
    const prompt_json_t  *next;

    if (property->kind != CTL_MESSAGES) {
        return value != NULL ? prompt_json_copy(ctl->arena, value)
                             : prompt_json_new(ctl->arena, PROMPT_JSON_NULL);
    }

    list = prompt_json_new(ctl->arena, PROMPT_JSON_ARRAY);

    for (next = value != NULL ? value->first : NULL;
         next != NULL && list != NULL;
         next = next->next)
    {
        message = ctl_message_filed(ctl, next);

        if (message == NULL) {
            return NULL;
        }

        prompt_json_append(list, message);
    }

    return list;
}
