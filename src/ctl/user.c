/*
 * promptctl user: accounts.
 */

#include <stdio.h>

#include "ctl/output.h"
#include "ctl/user.h"
#include "prompt/text.h"


static json_t *ctl_user_json(const ctl_t *ctl, const ctl_postgres_t *pg,
    unsigned row);


int
ctl_user_add(ctl_t *ctl)
{
    json_t          *user;
    prompt_str_t     email, name;
    prompt_uuid_t    id;
    prompt_fault_t   fault;
    ctl_postgres_t   pg;

    email = prompt_str_from(ctl->arguments[0]);
    name = prompt_str_from(ctl_given(ctl, "name"));

    if (prompt_text_email(ctl->arena, email, prompt_str("e-mail"), &fault)
        != PROMPT_CHECK_OK)
    {
        ctl_wrong(ctl, "\"%s\" is not an e-mail address", ctl->arguments[0]);
    }

    if (name.data != NULL) {
        ctl_label(ctl, "name", PROMPT_LIMIT_USER_NAME);
    }

    ctl_postgres_open_schema(&pg, ctl);

    id = ctl_uuid();
    ctl_postgres_query(&pg, prompt_user_add(&pg.query, ctl_uuid_view(&id),
                                            email, name));

    if (pg.rows[0].count == 0) {
        ctl_fail("there is already a user %s", ctl->arguments[0]);
    }

    user = ctl_user_json(ctl, &pg, 0);

    if (!ctl->json) {
        (void) puts(ctl_text(user, "id").data);
        json_decref(user);

    } else {
        ctl_print_json(user);
    }

    ctl_postgres_close(&pg);

    return CTL_OK;
}


int
ctl_user_list(ctl_t *ctl)
{
    json_t          *user;
    unsigned         i;
    ctl_list_t       list;
    ctl_postgres_t   pg;

    static const ctl_column_t  columns[] = {
        { "ID", "id", NULL, NULL },
        { "EMAIL", "email", NULL, NULL },
        { "NAME", "name", NULL, NULL },
        { "CREATED", "createdAt", NULL, NULL },
        { NULL, NULL, NULL, NULL }
    };

    ctl_postgres_open_schema(&pg, ctl);
    ctl_postgres_query(&pg, prompt_user_list(&pg.query));
    ctl_list_begin(&list, ctl, columns);

    for (i = 0; i < pg.rows[0].count; i++) {
        user = ctl_user_json(ctl, &pg, i);
        ctl_list_add(&list, user);
        json_decref(user);
    }

    ctl_list_print(&list);
    ctl_postgres_close(&pg);

    return CTL_OK;
}


static json_t *
ctl_user_json(const ctl_t *ctl, const ctl_postgres_t *pg, unsigned row)
{
    prompt_user_t  user;

    prompt_user_row(&pg->rows[0], row, &user);

    return ctl_json(json_pack("{s:o, s:o, s:o, s:o}",
                     "id", ctl_json_text(ctl_uuid_text(ctl->arena, user.id)),
                     "email", ctl_json_text(user.email),
                     "name", ctl_json_text(user.name),
                     "createdAt", ctl_json_time(true, user.created_at)));
}


prompt_uuid_t
ctl_user_find(ctl_postgres_t *pg, const char *email)
{
    prompt_user_t  user;
    prompt_uuid_t  id;

    ctl_postgres_query(pg, prompt_user_by_email(&pg->query,
                                                prompt_str_from(email)));

    if (pg->rows[0].count == 0) {
        ctl_fail("there is no user %s; \"promptctl user add\" adds one",
                 email);
    }

    prompt_user_row(&pg->rows[0], 0, &user);
    memcpy(id.bytes, user.id.data, sizeof(id.bytes));

    return id;
}
