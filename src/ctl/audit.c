/*
 * promptctl audit: who changed what, and what was refused; of all projects.
 * And the rows of those of its own changes that no statement of the store does.
 */

#include "ctl/output.h"
#include "ctl/user.h"
#include "store/audit.h"
#include "store/log.h"


/* where no time is given */
#define CTL_AUDIT_SINCE  (INT64_C(7) * 86400 * 1000000)      /* µs */


static const char *ctl_audit_since(const ctl_t *ctl);
static const char *ctl_audit_project(const ctl_t *ctl, ctl_postgres_t *pg);


int
ctl_audit(ctl_t *ctl)
{
    int              row;
    json_t          *entry;
    PGresult        *result;
    ctl_list_t       list;
    const char      *params[3];
    json_error_t     error;
    ctl_postgres_t   pg;

    static const ctl_column_t  columns[] = {
        { "AT", "at", NULL, NULL },
        { "ACTOR", "actor", NULL, NULL },
        { "ADDRESS", "address", NULL, NULL },
        { "ACTION", "action", NULL, NULL },
        { "SUBJECT", "subject", NULL, NULL },
        { "NAME", "subjectName", NULL, NULL },
        { "DETAIL", "detail", NULL, NULL },
        { NULL, NULL, NULL, NULL }
    };

    params[0] = ctl_audit_since(ctl);
    params[2] = ctl->json ? "t" : "f";

    ctl_postgres_open_schema(&pg, ctl);
    params[1] = ctl_audit_project(ctl, &pg);

    result = ctl_postgres_rows(&pg, prompt_audit_all_sql, 3, params);
    ctl_list_begin(&list, ctl, columns);

    for (row = 0; row < PQntuples(result); row++) {
        entry = ctl_json(ctl_json_read(
                             prompt_str_from(PQgetvalue(result, row, 0)),
                             &error));
        ctl_list_add(&list, entry);
        json_decref(entry);
    }

    ctl_list_print(&list);
    ctl_postgres_close(&pg);

    return CTL_OK;
}


/* the first id of that time */
static const char *
ctl_audit_since(const ctl_t *ctl)
{
    char         id[PROMPT_UUID_LEN];
    int64_t      time;
    const char  *text;

    text = ctl_given(ctl, "since");
    time = ctl_now_ms() * 1000 - CTL_AUDIT_SINCE;

    if (text != NULL && !ctl_moment(text, -1, &time)) {
        ctl_wrong(ctl, "--since must be a date (2027-01-31T00:00:00Z) or a "
                  "time before now (7d), not \"%s\"", text);
    }

    return ctl_copy(ctl, ctl_uuid_text(ctl->arena, prompt_log_id(time, id)))
           .data;
}


/* NULL: any */
static const char *
ctl_audit_project(const ctl_t *ctl, ctl_postgres_t *pg)
{
    const char     *text;
    prompt_uuid_t   id;

    text = ctl_given(ctl, "project");

    if (text == NULL || prompt_uuid_parse(prompt_str_from(text), &id)) {
        return text;
    }

    id = strchr(text, '@') != NULL ? ctl_user_find(pg, text)
                                   : ctl_project_find(pg, text);

    return ctl_copy(ctl, ctl_uuid_text(ctl->arena, ctl_uuid_view(&id))).data;
}


void
ctl_audit_add(ctl_postgres_t *pg, prompt_str_t detail)
{
    prompt_audit_t  what;

    memset(&what, 0, sizeof(prompt_audit_t));
    what.detail = detail;

    ctl_postgres_query(pg, prompt_audit_add(&pg->query, &what));
}
