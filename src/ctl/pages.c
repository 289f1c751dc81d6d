/*
 * Lists page by page.
 */

#include "ctl/output.h"
#include "ctl/pages.h"
#include "ctl/property.h"


/* of prompts: a description is up to 60 KiB of JSON */
#define CTL_PROMPTS_FIRST   100

/*
 * A version is up to 1 MiB of content, of which JSON may make six, and 8.5 MiB
 * of JSON: of one the answer stays below its limit of 16 MiB, whatever it
 * consists of.
 */
#define CTL_VERSIONS_FIRST  "1"


static prompt_str_t ctl_page_id(const ctl_t *ctl, prompt_str_t text);


void
ctl_prompts_each(ctl_api_t *api, const char *selection,
    void (*each)(void *data, const json_t *prompt), void *data)
{
    size_t         i, n;
    json_t        *variables, *answer, *list, *prompt;
    const char    *document;
    prompt_str_t   id, last;

    document = ctl_printf(api->ctl, "query ($after: ID)"
                          " { prompts(first: %d, after: $after) %s }",
                          CTL_PROMPTS_FIRST, selection).data;
    variables = ctl_json(json_pack("{s:n}", "after"));
    last = prompt_str_absent;

    do {
        answer = ctl_api_call(api, document, variables);
        list = ctl_list(answer, "prompts");

        if (list == NULL) {
            ctl_fail("the answer has no prompts");
        }

        json_array_foreach(list, i, prompt) {

            /* ids descend, so that it ends, whatever an endpoint answers */

            id = ctl_page_id(api->ctl, ctl_text(prompt, "id"));

            if (last.data != NULL && prompt_str_cmp(id, last) >= 0) {
                ctl_fail("the answer has prompts that are not newest first");
            }

            last = id;
            each(data, prompt);
        }

        n = json_array_size(list);
        ctl_json_set(variables, "after", ctl_json_text(last));
        json_decref(answer);

    } while (n >= CTL_PROMPTS_FIRST);

    json_decref(variables);
}


void
ctl_versions_begin(ctl_versions_t *versions, ctl_api_t *api,
    prompt_str_t prompt, prompt_str_t after)
{
    const ctl_t  *ctl;

    ctl = api->ctl;

    if (after.data != NULL) {
        after = ctl_page_id(ctl, after);
    }

    memset(versions, 0, sizeof(ctl_versions_t));

    versions->api = api;
    versions->document = ctl_printf(ctl, "query ($id: ID!, $after: ID) {"
        " p: prompt(id: $id) { versions(first: " CTL_VERSIONS_FIRST ","
        " after: $after) %s } }",
        ctl_selection(ctl, ctl_version_properties, 0, "").data).data;
    versions->variables = ctl_json(json_pack("{s:o, s:o}",
                              "id", ctl_json_text(ctl_page_id(ctl, prompt)),
                              "after", ctl_json_text(after)));
}


const json_t *
ctl_versions_next(ctl_versions_t *versions)
{
    json_t   *list, *version;
    int64_t   number;

    json_decref(versions->answer);

    versions->answer = ctl_api_call(versions->api, versions->document,
                                    versions->variables);

    list = ctl_list(json_object_get(versions->answer, "p"), "versions");

    if (list == NULL || json_array_size(list) > 1) {
        ctl_fail("the answer has no versions");
    }

    version = json_array_get(list, 0);

    if (version == NULL) {
        json_decref(versions->answer);
        json_decref(versions->variables);
        return NULL;
    }

    /* they ascend, so that it ends, whatever an endpoint answers */

    number = ctl_integer(version, "version");

    if (number <= versions->number) {
        ctl_fail("the answer has versions out of order");
    }

    versions->number = number;

    ctl_json_set(versions->variables, "after",
                 ctl_json_text(ctl_page_id(versions->api->ctl,
                                           ctl_text(version, "id"))));

    return version;
}


/* An id as ids are written, which can be compared. */
static prompt_str_t
ctl_page_id(const ctl_t *ctl, prompt_str_t text)
{
    prompt_uuid_t  id;

    if (!prompt_uuid_parse(text, &id)) {
        ctl_fail("the answer has an invalid id");
    }

    return ctl_uuid_text(ctl->arena, ctl_uuid_view(&id));
}
