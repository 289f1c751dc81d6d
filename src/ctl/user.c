/*
 * promptctl user: accounts.
 */

#include <stdio.h>

#include "ctl/output.h"
#include "ctl/postgres.h"
#include "ctl/user.h"
#include "prompt/text.h"


#define CTL_EMAIL_MAX      320               /* characters */
#define CTL_USER_NAME_MAX  200


static bool ctl_email_valid(const ctl_t *ctl, prompt_str_t email);
static int ctl_user_add_to(ctl_t *ctl, ctl_postgres_t *pg,
    prompt_str_t email, prompt_str_t name);
static int ctl_user_list_from(ctl_t *ctl, ctl_postgres_t *pg);
static void ctl_user_json(ctl_output_t *out, const prompt_user_t *user);


int
ctl_user_add(ctl_t *ctl)
{
    int             rc;
    prompt_str_t    email, name;
    ctl_postgres_t  pg;

    email = prompt_str_from(ctl->arguments[0]);
    name = prompt_str_from(ctl_given(ctl, "name"));

    if (!ctl_email_valid(ctl, email)) {
        return ctl_wrong(ctl, "\"%s\" is not an e-mail address",
                         ctl->arguments[0]);
    }

    if (name.data != NULL) {
        rc = ctl_label(ctl, "name", CTL_USER_NAME_MAX);
        if (rc != CTL_OK) {
            return rc;
        }
    }

    rc = ctl_postgres_open_schema(&pg, ctl);
    if (rc != CTL_OK) {
        return rc;
    }

    rc = ctl_user_add_to(ctl, &pg, email, name);

    ctl_postgres_close(&pg);

    return rc;
}


/* as the check of the table has it: one "@" between what is no space */

static bool
ctl_email_valid(const ctl_t *ctl, prompt_str_t email)
{
    size_t           i;
    const char      *at;
    prompt_fault_t   fault;

    if (prompt_text_label(ctl->arena, email, prompt_str("e-mail"),
                          CTL_EMAIL_MAX, &fault)
        != PROMPT_CHECK_OK)
    {
        return false;
    }

    at = memchr(email.data, '@', email.len);

    if (at == NULL || at == email.data
        || at == email.data + email.len - 1
        || memchr(at + 1, '@', (size_t) (email.data + email.len - at - 1))
           != NULL)
    {
        return false;
    }

    for (i = 0; i < email.len; i++) {
        if (email.data[i] == ' ') {
            return false;
        }
    }

    return true;
}


static int
ctl_user_add_to(ctl_t *ctl, ctl_postgres_t *pg, prompt_str_t email,
    prompt_str_t name)
{
    prompt_uuid_t   id;
    prompt_user_t   user;
    prompt_query_t  query;
    ctl_output_t    out;
    prompt_str_t    text;

    if (!ctl_uuid(&id)) {
        return CTL_FAILED;
    }

    query.arena = ctl->arena;
    query.count = 0;

    if (!prompt_user_add(&query, ctl_uuid_view(&id), email, name)) {
        return ctl_no_memory();
    }

    if (!ctl_postgres_run(pg, &query)) {
        return ctl_postgres_failed(pg);
    }

    if (pg->rows[0].count == 0) {
        ctl_error("there is already a user %s", ctl->arguments[0]);
        return CTL_FAILED;
    }

    prompt_user_row(&pg->rows[0], 0, &user);

    if (ctl->json) {
        ctl_output_init(&out);
        ctl_user_json(&out, &user);
        return ctl_output_print(&out);
    }

    text = ctl_uuid_text(ctl->arena, user.id);
    if (text.data == NULL) {
        return ctl_no_memory();
    }

    (void) printf("%.*s\n", prompt_str_arg(text));

    return CTL_OK;
}


int
ctl_user_list(ctl_t *ctl)
{
    int             rc;
    ctl_postgres_t  pg;

    rc = ctl_postgres_open_schema(&pg, ctl);
    if (rc != CTL_OK) {
        return rc;
    }

    rc = ctl_user_list_from(ctl, &pg);

    ctl_postgres_close(&pg);

    return rc;
}


static int
ctl_user_list_from(ctl_t *ctl, ctl_postgres_t *pg)
{
    unsigned                  i;
    ctl_table_t               table;
    ctl_output_t              out;
    prompt_str_t              cells[4];
    prompt_user_t             user;
    prompt_query_t            query;
    static const char *const  titles[] = { "ID", "EMAIL", "NAME", "CREATED" };

    query.arena = ctl->arena;
    query.count = 0;

    if (!prompt_user_list(&query)) {
        return ctl_no_memory();
    }

    if (!ctl_postgres_run(pg, &query)) {
        return ctl_postgres_failed(pg);
    }

    if (ctl->json) {
        ctl_output_init(&out);
        ctl_output_begin(&out, '[');

        for (i = 0; i < pg->rows[0].count; i++) {
            prompt_user_row(&pg->rows[0], i, &user);
            ctl_user_json(&out, &user);
        }

        ctl_output_end(&out, ']');

        return ctl_output_print(&out);
    }

    ctl_table_init(&table, ctl->arena, 4, titles);

    for (i = 0; i < pg->rows[0].count; i++) {
        prompt_user_row(&pg->rows[0], i, &user);

        cells[0] = ctl_uuid_text(ctl->arena, user.id);
        cells[1] = user.email;
        cells[2] = user.name;
        cells[3] = ctl_time_text(ctl->arena, user.created_at);

        ctl_table_line(&table, cells);
    }

    return ctl_table_print(&table);
}


static void
ctl_user_json(ctl_output_t *out, const prompt_user_t *user)
{
    ctl_output_begin(out, '{');
    ctl_output_name(out, "id");
    ctl_output_uuid(out, user->id);
    ctl_output_name(out, "email");
    ctl_output_string(out, user->email);
    ctl_output_name(out, "name");
    ctl_output_string(out, user->name);
    ctl_output_name(out, "createdAt");
    ctl_output_time(out, true, user->created_at);
    ctl_output_end(out, '}');
}


int
ctl_user_find(ctl_t *ctl, ctl_postgres_t *pg, const char *email,
    prompt_uuid_t *id)
{
    prompt_user_t   user;
    prompt_query_t  query;

    query.arena = ctl->arena;
    query.count = 0;

    if (!prompt_user_by_email(&query, prompt_str_from(email))) {
        return ctl_no_memory();
    }

    if (!ctl_postgres_run(pg, &query)) {
        return ctl_postgres_failed(pg);
    }

    if (pg->rows[0].count == 0) {
        ctl_error("there is no user %s; \"promptctl user add\" adds one",
                  email);
        return CTL_FAILED;
    }

    prompt_user_row(&pg->rows[0], 0, &user);
    memcpy(id->bytes, user.id.data, sizeof(id->bytes));

    return CTL_OK;
}
