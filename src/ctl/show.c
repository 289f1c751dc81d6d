/*
 * promptctl show: a prompt and its versions, for people or as JSON.
 */

#include <stdio.h>

#include "ctl/output.h"
#include "ctl/pages.h"
#include "ctl/property.h"


#define CTL_SHOW_LAST  10
#define CTL_SHOW_MAX   999


static void ctl_show_versions(ctl_api_t *api, json_t *prompt, size_t last);
static void ctl_show_head(const ctl_t *ctl, const json_t *prompt, size_t last);
static void ctl_show_labels(const ctl_t *ctl, const json_t *labels);
static void ctl_show_property(const ctl_property_t *p, const json_t *value);
static void ctl_show_version(const json_t *version);
static void ctl_show_messages(const json_t *messages);
static void ctl_show_beside(const json_t *message);
static const char *ctl_role(prompt_str_t role);
static void ctl_show_line(const char *title, prompt_str_t text);


int
ctl_show(ctl_t *ctl)
{
    long           last;
    json_t        *prompt;
    ctl_api_t      api;
    prompt_str_t   more;

    last = ctl_number(ctl, "--last", ctl_given(ctl, "last"), CTL_SHOW_MAX,
                      CTL_SHOW_LAST);

    ctl_api_open(&api, ctl);

    /* with the version before those that are shown */

    more = ctl_printf(ctl, "createdBy { id email name }"
                      " labels { label version"
                      " split { version permille } setAt }"
                      " versions(last: %ld) { id version }", last + 1);

    prompt = ctl_api_prompt(&api, ctl->arguments[0],
                            ctl_selection(ctl, ctl_prompt_properties, 0,
                                          more.data).data);

    if (!ctl->json) {
        ctl_show_head(ctl, prompt, (size_t) last);
    }

    ctl_show_versions(&api, prompt, (size_t) last);

    if (ctl->json) {
        ctl_print_json(prompt);
    } else {
        json_decref(prompt);
    }

    ctl_api_close(&api);

    return CTL_OK;
}


/* The latest ones, their texts page by page; as JSON in place of their ids. */
static void
ctl_show_versions(ctl_api_t *api, json_t *prompt, size_t last)
{
    json_t          *ids, *whole;
    prompt_str_t     after;
    const json_t    *version;
    ctl_versions_t   versions;

    ids = json_object_get(prompt, "versions");
    whole = ctl_json(json_array());

    if (json_array_size(ids) != 0) {
        after = json_array_size(ids) > last
                ? ctl_text(json_array_get(ids, 0), "id") : prompt_str_absent;

        ctl_versions_begin(&versions, api, ctl_text(prompt, "id"), after);

        while ((version = ctl_versions_next(&versions)) != NULL) {

            if (!api->ctl->json) {
                ctl_show_version(version);

            } else {
                ctl_json_append(whole, json_deep_copy(version));
            }
        }
    }

    ctl_json_set(prompt, "versions", whole);
}


/* The name comes first, what is long last. */
static void
ctl_show_head(const ctl_t *ctl, const json_t *prompt, size_t last)
{
    json_t                *versions;
    prompt_str_t           description;
    const ctl_property_t  *p;

    description = ctl_text(prompt, "description");

    ctl_show_line("name", ctl_text(prompt, "name"));

    ctl_property_foreach(p, ctl_prompt_properties, 0) {
        if (strcmp(p->name, "name") != 0
            && strcmp(p->name, "description") != 0)
        {
            ctl_show_property(p, json_object_get(prompt, p->name));
        }
    }

    ctl_show_line("created by", ctl_text(json_object_get(prompt, "createdBy"),
                                         "email"));
    ctl_show_labels(ctl, json_object_get(prompt, "labels"));

    if (description.len != 0) {
        ctl_show_line("description", description);
    }

    versions = json_object_get(prompt, "versions");

    if (json_array_size(versions) > last) {
        versions = json_array_get(versions, json_array_size(versions) - 1);

        (void) printf("%-13s%lld, of which the latest %zu follow\n",
                      "versions", (long long) ctl_integer(versions, "version"),
                      last);
    }
}


/* a line each: there may be 64 */
static void
ctl_show_labels(const ctl_t *ctl, const json_t *labels)
{
    size_t   i;
    json_t  *label;

    json_array_foreach(labels, i, label) {
        (void) printf("%-12s version %s  ", "label",
                      ctl_label_shares(ctl, label).data);
        ctl_print(ctl_text(label, "label"));
        (void) fputc('\n', stdout);
    }
}


static void
ctl_show_property(const ctl_property_t *p, const json_t *value)
{
    prompt_buf_t  buf;

    if (p->title == NULL
        || ((p->flags & CTL_OMITTED) != 0
            && (value == NULL || json_is_null(value))))
    {
        return;
    }

    switch (p->kind) {

    case CTL_TEXT:
        ctl_show_line(p->title, ctl_text_of(value));
        return;

    case CTL_BOOLEAN:
        ctl_show_line(p->title, json_is_true(value) ? prompt_str("yes")
                                                    : prompt_str("no"));
        return;

    default:
        break;
    }

    prompt_buf_init(&buf, CTL_JSON_MAX);
    ctl_json_write(&buf, value, false);
    ctl_show_line(p->title, prompt_buf_view(&buf));
    prompt_buf_free(&buf);
}


static void
ctl_show_version(const json_t *version)
{
    const ctl_property_t  *p;

    (void) printf("\nversion %lld  ",
                  (long long) ctl_integer(version, "version"));
    ctl_print(ctl_text(version, "createdAt"));
    (void) fputc('\n', stdout);

    ctl_property_foreach(p, ctl_version_properties, 0) {
        ctl_show_property(p, json_object_get(version, p->name));
    }

    ctl_show_messages(json_object_get(version, "messages"));
    ctl_print(ctl_text(version, "content"));
    (void) fputc('\n', stdout);
}


/* what comes before the content, each under its role; all below a blank line */
static void
ctl_show_messages(const json_t *messages)
{
    size_t         i;
    json_t        *message;
    prompt_str_t   role;

    (void) fputc('\n', stdout);

    json_array_foreach(messages, i, message) {
        role = ctl_text(message, "role");

        if (role.data != NULL) {
            ctl_show_line(ctl_role(role), ctl_text(message, "content"));
            ctl_show_beside(message);
        } else {
            ctl_show_line("messages of", ctl_text(message, "placeholder"));
        }
    }

    if (json_array_size(messages) != 0) {
        (void) printf("%-13s", ctl_role(prompt_str("USER")));
    }
}


/* what a message has beside its text */
static void
ctl_show_beside(const json_t *message)
{
    size_t         i;
    json_t        *value;
    prompt_str_t   id;

    id = ctl_text(message, "toolCallId");

    if (id.data != NULL) {
        ctl_show_line("  answers", id);
    }

    json_array_foreach(json_object_get(message, "images"), i, value) {
        ctl_show_line("  picture", ctl_text_of(value));
    }

    json_array_foreach(json_object_get(message, "toolCalls"), i, value) {
        (void) printf("%-13s", "  calls");
        ctl_print(ctl_text(value, "name"));
        (void) fputc(' ', stdout);
        ctl_print(ctl_text(value, "arguments"));
        (void) fputc(' ', stdout);
        ctl_print(ctl_text(value, "id"));
        (void) fputc('\n', stdout);
    }
}


static const char *
ctl_role(prompt_str_t role)
{
    if (prompt_str_eq(role, prompt_str("SYSTEM"))) {
        return "system";
    }

    if (prompt_str_eq(role, prompt_str("TOOL"))) {
        return "tool";
    }

    return prompt_str_eq(role, prompt_str("ASSISTANT")) ? "assistant" : "user";
}


static void
ctl_show_line(const char *title, prompt_str_t text)
{
    (void) printf("%-12s ", title);
    ctl_print(text);
    (void) fputc('\n', stdout);
}
