/*
 * promptctl show: a prompt and its versions, for people or as JSON.
 */

#include <stdio.h>

#include "ctl/api.h"
#include "ctl/output.h"
#include "ctl/pages.h"
#include "ctl/property.h"


#define CTL_SHOW_LAST  10
#define CTL_SHOW_MAX   999


static int ctl_show_prompt(ctl_api_t *api, long last);
static int ctl_show_versions(ctl_api_t *api, const prompt_json_t *prompt,
    long last, ctl_output_t *out);
static void ctl_show_json_head(ctl_output_t *out,
    const prompt_json_t *prompt);
static void ctl_show_json_member(ctl_output_t *out,
    const prompt_json_t *prompt, const char *name);
static void ctl_show_head(const prompt_json_t *prompt, long last);
static void ctl_show_labels(const prompt_json_t *labels);
static void ctl_show_property(const ctl_property_t *p,
    const prompt_json_t *value);
static void ctl_show_version(const prompt_json_t *version);
static void ctl_show_line(const char *title, prompt_str_t text);
static void ctl_show_json(const char *title, const prompt_json_t *value);
static void ctl_show_messages(const prompt_json_t *messages);
static const char *ctl_role(prompt_str_t role);


int
ctl_show(ctl_t *ctl)
{
    int          rc;
    long         last;
    ctl_api_t    api;
    const char  *text;

    last = CTL_SHOW_LAST;
    text = ctl_given(ctl, "last");

    if (text != NULL && !ctl_number(text, CTL_SHOW_MAX, &last)) {
        return ctl_wrong(ctl, "--last must be a number from 1 to %d, not "
                         "\"%s\"",
                         CTL_SHOW_MAX, text);
    }

    rc = ctl_api_open(&api, ctl);
    if (rc != CTL_OK) {
        return rc;
    }

    rc = ctl_show_prompt(&api, last);

    ctl_api_close(&api);

    return rc;
}


static int
ctl_show_prompt(ctl_api_t *api, long last)
{
    int             rc;
    ctl_t          *ctl;
    ctl_output_t    out;
    prompt_str_t    selection;
    prompt_json_t  *prompt;

    ctl = api->ctl;

    /* with the version before those that are shown */

    selection = prompt_arena_printf(ctl->arena, "createdBy { id email name }"
                                    " labels { label version setAt }"
                                    " versions(last: %ld) { id version }",
                                    last + 1);
    if (selection.data != NULL) {
        selection = ctl_selection(ctl, ctl_prompt_properties, 0,
                                  selection.data);
    }

    if (selection.data == NULL) {
        return ctl_no_memory();
    }

    rc = ctl_api_prompt(api, ctl->arguments[0], selection.data, &prompt);

    if (rc != CTL_OK) {
        return rc;
    }

    if (prompt == NULL) {
        return ctl_api_no_prompt(ctl->arguments[0]);
    }

    if (!ctl->json) {
        ctl_show_head(prompt, last);
        return ctl_show_versions(api, prompt, last, NULL);
    }

    ctl_output_init(&out);
    ctl_show_json_head(&out, prompt);

    rc = ctl_show_versions(api, prompt, last, &out);

    ctl_output_end(&out, ']');
    ctl_output_end(&out, '}');

    if (rc == CTL_OK) {
        return ctl_output_print(&out);
    }

    prompt_buf_free(&out.buf);

    return rc;
}


/* the latest ones, their texts page by page; out: NULL for people */

static int
ctl_show_versions(ctl_api_t *api, const prompt_json_t *prompt, long last,
    ctl_output_t *out)
{
    int                   rc;
    prompt_str_t          after;
    ctl_versions_t        versions;
    const prompt_json_t  *list, *version;

    list = ctl_member(prompt, "versions");

    if (list == NULL || list->count == 0) {
        return CTL_OK;
    }

    after = (long) list->count > last ? ctl_text(list->first, "id")
                                      : prompt_str_absent;

    if (!ctl_versions_begin(&versions, api, ctl_text(prompt, "id"), after)) {
        return CTL_FAILED;
    }

    while ((rc = ctl_versions_next(&versions, &version)) == CTL_OK
           && version != NULL)
    {
        if (out != NULL) {
            ctl_output_json(out, version);
        } else {
            ctl_show_version(version);
        }
    }

    ctl_versions_end(&versions);

    return rc;
}


static void
ctl_show_json_head(ctl_output_t *out, const prompt_json_t *prompt)
{
    const ctl_property_t  *p;

    ctl_output_begin(out, '{');

    for (p = ctl_property(ctl_prompt_properties, 0);
         p != NULL;
         p = ctl_property(p + 1, 0))
    {
        ctl_show_json_member(out, prompt, p->name);
    }

    ctl_show_json_member(out, prompt, "createdBy");
    ctl_show_json_member(out, prompt, "labels");

    ctl_output_name(out, "versions");
    ctl_output_begin(out, '[');
}


static void
ctl_show_json_member(ctl_output_t *out, const prompt_json_t *prompt,
    const char *name)
{
    const prompt_json_t  *member;

    member = ctl_member(prompt, name);

    if (member != NULL) {
        ctl_output_name(out, name);
        ctl_output_json(out, member);
    }
}


/* The name comes first, what is long last. */

static void
ctl_show_head(const prompt_json_t *prompt, long last)
{
    prompt_str_t           description;
    const prompt_json_t   *versions;
    const ctl_property_t  *p;

    description = ctl_text(prompt, "description");

    ctl_show_line("name", ctl_text(prompt, "name"));

    for (p = ctl_property(ctl_prompt_properties, 0);
         p != NULL;
         p = ctl_property(p + 1, 0))
    {
        if (strcmp(p->name, "name") != 0
            && strcmp(p->name, "description") != 0)
        {
            ctl_show_property(p, ctl_member(prompt, p->name));
        }
    }

    ctl_show_line("created by",
                  ctl_text(ctl_member(prompt, "createdBy"), "email"));
    ctl_show_labels(ctl_member(prompt, "labels"));

    if (description.len != 0) {
        ctl_show_line("description", description);
    }

    versions = ctl_member(prompt, "versions");

    if (versions != NULL && (long) versions->count > last) {
        (void) printf("%-13s%lld, of which the latest %ld follow\n",
                      "versions",
                      (long long) ctl_integer(versions->last, "version"),
                      last);
    }
}


/* a line each: there may be 64 */

static void
ctl_show_labels(const prompt_json_t *labels)
{
    const prompt_json_t  *label;

    for (label = labels != NULL ? labels->first : NULL;
         label != NULL;
         label = label->next)
    {
        (void) printf("%-13sversion %lld  ", "label", (long long)
                      ctl_integer(label, "version"));
        ctl_print(ctl_text(label, "label"));
        (void) fputc('\n', stdout);
    }
}


static void
ctl_show_property(const ctl_property_t *p, const prompt_json_t *value)
{
    if (p->title == NULL) {
        return;
    }

    switch (p->kind) {

    case CTL_TEXT:
        ctl_show_line(p->title, value != NULL ? value->text
                                              : prompt_str_absent);
        return;

    case CTL_BOOLEAN:
        ctl_show_line(p->title, value != NULL && value->boolean
                                ? prompt_str("yes") : prompt_str("no"));
        return;

    default:
        ctl_show_json(p->title, value);
    }
}


static void
ctl_show_version(const prompt_json_t *version)
{
    const ctl_property_t  *p;

    (void) printf("\nversion %lld  ",
                  (long long) ctl_integer(version, "version"));
    ctl_print(ctl_text(version, "createdAt"));
    (void) fputc('\n', stdout);

    for (p = ctl_property(ctl_version_properties, 0);
         p != NULL;
         p = ctl_property(p + 1, 0))
    {
        ctl_show_property(p, ctl_member(version, p->name));
    }

    ctl_show_messages(ctl_member(version, "messages"));
    ctl_print(ctl_text(version, "content"));
    (void) fputc('\n', stdout);
}


/* what comes before the content, each under its role; all below a blank line */

static void
ctl_show_messages(const prompt_json_t *messages)
{
    prompt_str_t          role;
    const prompt_json_t  *message;

    (void) fputc('\n', stdout);

    if (messages == NULL || messages->count == 0) {
        return;
    }

    for (message = messages->first; message != NULL; message = message->next) {
        role = ctl_text(message, "role");

        if (role.data != NULL) {
            ctl_show_line(ctl_role(role), ctl_text(message, "content"));
        } else {
            ctl_show_line("messages of", ctl_text(message, "placeholder"));
        }
    }

    (void) printf("%-13s", ctl_role(prompt_str("USER")));
}


static const char *
ctl_role(prompt_str_t role)
{
    if (prompt_str_eq(role, prompt_str("SYSTEM"))) {
        return "system";
    }

    return prompt_str_eq(role, prompt_str("ASSISTANT")) ? "assistant" : "user";
}


static void
ctl_show_line(const char *title, prompt_str_t text)
{
    (void) printf("%-13s", title);
    ctl_print(text);
    (void) fputc('\n', stdout);
}


static void
ctl_show_json(const char *title, const prompt_json_t *value)
{
    prompt_buf_t  buf;

    if (value == NULL || value->type == PROMPT_JSON_NULL) {
        return;
    }

    prompt_buf_init(&buf, CTL_OUTPUT_MAX);
    prompt_json_write(&buf, value);
    ctl_show_line(title, prompt_buf_view(&buf));
    prompt_buf_free(&buf);
}
