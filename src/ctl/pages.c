/*
 * Lists page by page.
 */

#include "ctl/pages.h"
#include "ctl/property.h"


/* of prompts: a description is up to 60 KiB of JSON */
#define CTL_PROMPTS_FIRST   100

/*
 * A version is up to 1 MiB of content, of which JSON may make six, and 8.5 MiB
 * of JSON: of one the answer stays below its limit of 16 MiB, whatever it
 * consists of.
 */
#define CTL_VERSIONS_FIRST  1


typedef struct {
    ctl_api_t        *api;
    const char       *document;
    char              after[PROMPT_UUID_TEXT_LEN];
    bool              begun;                 /* after is set */
    bool              ended;
    int             (*each)(void *data, const prompt_json_t *prompt);
    void             *data;
} ctl_prompts_page_t;


static int ctl_prompts_page(ctl_prompts_page_t *page);
static int ctl_prompts_ask(ctl_prompts_page_t *page, prompt_json_t **list);
static bool ctl_prompts_move(ctl_prompts_page_t *page, prompt_str_t id);
static int ctl_versions_fetch(ctl_versions_t *versions);
static int ctl_versions_ask(ctl_versions_t *versions, prompt_json_t **list);
static bool ctl_page_id(char out[PROMPT_UUID_TEXT_LEN], prompt_str_t id);


int
ctl_prompts_each(ctl_api_t *api, const char *selection,
    int (*each)(void *data, const prompt_json_t *prompt), void *data)
{
    int                  rc;
    ctl_t               *ctl;
    prompt_str_t         document;
    prompt_arena_t      *arena;
    ctl_prompts_page_t   page;

    ctl = api->ctl;
    arena = ctl->arena;

    document = prompt_arena_printf(arena, "query ($after: ID)"
                                   " { prompts(first: %d, after: $after) %s }",
                                   CTL_PROMPTS_FIRST, selection);
    if (document.data == NULL) {
        return ctl_no_memory();
    }

    memset(&page, 0, sizeof(ctl_prompts_page_t));

    page.api = api;
    page.document = document.data;
    page.each = each;
    page.data = data;

    do {
        ctl->arena = prompt_arena_create(CTL_MEMORY);

        rc = ctl->arena != NULL ? ctl_prompts_page(&page) : ctl_no_memory();

        prompt_arena_destroy(ctl->arena);
        ctl->arena = arena;

    } while (rc == CTL_OK && !page.ended);

    return rc;
}


static int
ctl_prompts_page(ctl_prompts_page_t *page)
{
    int                   rc;
    prompt_json_t        *list;
    const prompt_json_t  *prompt;

    list = NULL;

    rc = ctl_prompts_ask(page, &list);

    if (rc != CTL_OK || list == NULL) {
        return rc;
    }

    page->ended = list->count < CTL_PROMPTS_FIRST;

    for (prompt = list->first;
         prompt != NULL && rc == CTL_OK;
         prompt = prompt->next)
    {
        if (!ctl_prompts_move(page, ctl_text(prompt, "id"))) {
            ctl_error("the answer has prompts that are not newest first");
            return CTL_FAILED;
        }

        rc = page->each(page->data, prompt);
    }

    return rc;
}


static int
ctl_prompts_ask(ctl_prompts_page_t *page, prompt_json_t **list)
{
    int             rc;
    prompt_str_t    after;
    prompt_json_t  *variables, *data;

    after = page->begun ? prompt_str_of(page->after, PROMPT_UUID_TEXT_LEN)
                        : prompt_str_absent;

    variables = ctl_object(page->api->ctl);

    if (!ctl_set_text(page->api->ctl, variables, "after", after)) {
        return ctl_no_memory();
    }

    rc = ctl_api_call(page->api, page->document, variables, &data);
    if (rc != CTL_OK) {
        return rc;
    }

    *list = ctl_member(data, "prompts");

    if (*list == NULL || (*list)->type != PROMPT_JSON_ARRAY) {
        ctl_error("the answer has no prompts");
        return CTL_FAILED;
    }

    return CTL_OK;
}


/* Ids descend, so that it ends, whatever an endpoint answers. */

static bool
ctl_prompts_move(ctl_prompts_page_t *page, prompt_str_t id)
{
    char  text[PROMPT_UUID_TEXT_LEN];

    if (!ctl_page_id(text, id)
        || (page->begun
            && memcmp(text, page->after, PROMPT_UUID_TEXT_LEN) >= 0))
    {
        return false;
    }

    memcpy(page->after, text, PROMPT_UUID_TEXT_LEN);
    page->begun = true;

    return true;
}


bool
ctl_versions_begin(ctl_versions_t *versions, ctl_api_t *api,
    prompt_str_t prompt, prompt_str_t after)
{
    memset(versions, 0, sizeof(ctl_versions_t));

    versions->api = api;
    versions->begun = after.data != NULL;

    if (!ctl_page_id(versions->prompt, prompt)
        || (versions->begun && !ctl_page_id(versions->after, after)))
    {
        ctl_error("the answer has an invalid id");
        return false;
    }

    return true;
}


int
ctl_versions_next(ctl_versions_t *versions, const prompt_json_t **version)
{
    int      rc;
    int64_t  number;

    *version = NULL;

    if (versions->next == NULL && !versions->ended) {
        rc = ctl_versions_fetch(versions);

        if (rc != CTL_OK) {
            return rc;
        }
    }

    if (versions->next == NULL) {
        return CTL_OK;
    }

    /* they ascend, so that it ends, whatever an endpoint answers */

    number = ctl_integer(versions->next, "version");

    if (number <= versions->number) {
        ctl_error("the answer has versions out of order");
        return CTL_FAILED;
    }

    *version = versions->next;
    versions->next = versions->next->next;
    versions->number = number;

    return CTL_OK;
}


void
ctl_versions_end(ctl_versions_t *versions)
{
    prompt_arena_destroy(versions->arena);

    versions->arena = NULL;
    versions->next = NULL;
    versions->ended = true;
}


/* Calls take memory from the run's arena: for its time that is the page's. */

static int
ctl_versions_fetch(ctl_versions_t *versions)
{
    int              rc;
    ctl_t           *ctl;
    prompt_json_t   *list;
    prompt_arena_t  *arena;

    ctl = versions->api->ctl;
    arena = ctl->arena;

    prompt_arena_destroy(versions->arena);

    versions->arena = prompt_arena_create(CTL_MEMORY);
    if (versions->arena == NULL) {
        return ctl_no_memory();
    }

    list = NULL;

    ctl->arena = versions->arena;
    rc = ctl_versions_ask(versions, &list);
    ctl->arena = arena;

    if (rc != CTL_OK || list == NULL) {
        return rc;
    }

    versions->next = list->first;
    versions->ended = list->count < CTL_VERSIONS_FIRST;

    if (!versions->ended) {
        versions->begun = true;

        if (!ctl_page_id(versions->after, ctl_text(list->last, "id"))) {
            ctl_error("the answer has a version without an id");
            return CTL_FAILED;
        }
    }

    return CTL_OK;
}


static int
ctl_versions_ask(ctl_versions_t *versions, prompt_json_t **list)
{
    int             rc;
    ctl_t          *ctl;
    prompt_str_t    id, after, document;
    prompt_json_t  *variables, *data;

    ctl = versions->api->ctl;
    id = prompt_str_of(versions->prompt, PROMPT_UUID_TEXT_LEN);
    after = versions->begun
            ? prompt_str_of(versions->after, PROMPT_UUID_TEXT_LEN)
            : prompt_str_absent;

    variables = ctl_object(ctl);

    if (!ctl_set_text(ctl, variables, "id", id)
        || !ctl_set_text(ctl, variables, "after", after))
    {
        return ctl_no_memory();
    }

    document = ctl_selection(ctl, ctl_version_properties, 0, "");

    if (document.data != NULL) {
        document = prompt_arena_printf(ctl->arena,
                       "query ($id: ID!, $after: ID) { p: prompt(id: $id)"
                       " { versions(first: %d, after: $after) %s } }",
                       CTL_VERSIONS_FIRST, document.data);
    }

    if (document.data == NULL) {
        return ctl_no_memory();
    }

    rc = ctl_api_call(versions->api, document.data, variables, &data);
    if (rc != CTL_OK) {
        return rc;
    }

    *list = ctl_member(ctl_member(data, "p"), "versions");

    if (*list == NULL || (*list)->type != PROMPT_JSON_ARRAY
        || (*list)->count > CTL_VERSIONS_FIRST)
    {
        ctl_error("the answer has no versions");
        return CTL_FAILED;
    }

    return CTL_OK;
}


static bool
ctl_page_id(char out[PROMPT_UUID_TEXT_LEN], prompt_str_t id)
{
    prompt_uuid_t  uuid;

    if (!prompt_uuid_parse(id, &uuid)) {
        return false;
    }

    prompt_uuid_format(&uuid, out);

    return true;
}
