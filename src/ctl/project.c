/*
 * promptctl project: projects of several, and their members.
 */

#include <stdio.h>

#include "ctl/output.h"
#include "ctl/revoke.h"
#include "ctl/user.h"
#include "prompt/limits.h"
#include "store/member.h"


static json_t *ctl_project_json(const ctl_t *ctl, const ctl_postgres_t *pg,
    unsigned row);
static void ctl_project_refused(const ctl_t *ctl, prompt_outcome_t outcome);


int
ctl_project_list(ctl_t *ctl)
{
    json_t         *project;
    unsigned        i;
    ctl_list_t      list;
    ctl_postgres_t  pg;

    static const ctl_column_t  columns[] = {
        { "ID", "id", NULL, NULL },
        { "NAME", "name", NULL, NULL },
        { "MEMBERS", "members", NULL, NULL },
        { "OWNERS", "owners", NULL, NULL },
        { "CREATED", "createdAt", NULL, NULL },
        { NULL, NULL, NULL, NULL }
    };

    ctl_postgres_open_schema(&pg, ctl);
    ctl_postgres_query(&pg, prompt_project_list(&pg.query, prompt_str_absent));
    ctl_list_begin(&list, ctl, columns);

    for (i = 0; i < pg.rows[0].count; i++) {
        project = ctl_project_json(ctl, &pg, i);
        ctl_list_add(&list, project);
        json_decref(project);
    }

    ctl_list_print(&list);
    ctl_postgres_close(&pg);

    return CTL_OK;
}


static json_t *
ctl_project_json(const ctl_t *ctl, const ctl_postgres_t *pg, unsigned row)
{
    prompt_project_summary_t  summary;

    prompt_project_list_row(&pg->rows[0], row, &summary);

    return ctl_json(json_pack("{s:o, s:o, s:I, s:o, s:o}",
                 "id", ctl_json_text(ctl_uuid_text(ctl->arena,
                                                   summary.project.id)),
                 "name", ctl_json_text(summary.project.name),
                 "members", (json_int_t) summary.members,
                 "owners", ctl_json_text(summary.owners),
                 "createdAt", ctl_json_time(true,
                                            summary.project.created_at)));
}


int
ctl_project_add(ctl_t *ctl)
{
    prompt_uuid_t   id, owner;
    ctl_postgres_t  pg;

    if (ctl_given(ctl, "owner") == NULL) {
        ctl_wrong(ctl, "--owner EMAIL is required");
    }

    ctl_label_is(ctl, "NAME", ctl->arguments[0], PROMPT_LIMIT_PROJECT_NAME);
    ctl_postgres_open_schema(&pg, ctl);

    id = ctl_uuid();
    owner = ctl_user_find(&pg, ctl_given(ctl, "owner"));

    ctl_postgres_query(&pg,
        prompt_project_create(&pg.query, ctl_uuid_view(&id),
                              prompt_str_from(ctl->arguments[0]),
                              ctl_uuid_view(&owner)));

    if (prompt_outcome_row(&pg.rows[0]) != PROMPT_OUTCOME_DONE) {
        ctl_fail("%s is a member of %d projects already",
                 ctl_given(ctl, "owner"), PROMPT_PROJECTS_MAX);
    }

    if (ctl->json) {
        ctl_print_json(ctl_json(json_pack("{s:o}", "id",
                 ctl_json_text(ctl_uuid_text(ctl->arena,
                                             ctl_uuid_view(&id))))));
    } else {
        (void) puts(ctl_uuid_text(ctl->arena, ctl_uuid_view(&id)).data);
    }

    ctl_postgres_close(&pg);

    return CTL_OK;
}


int
ctl_project_member(ctl_t *ctl)
{
    size_t               n;
    int64_t              wait;
    unsigned             row;
    const char          *name;
    ctl_redis_t          redis;
    prompt_str_t        *hashes;
    prompt_role_e        role;
    prompt_uuid_t        project, user;
    ctl_postgres_t       pg;
    prompt_membership_t  made;

    name = ctl->arguments[2];
    role = prompt_role_of(prompt_str_from(name));

    if (role == PROMPT_ROLE_NONE && strcmp(name, "none") != 0) {
        ctl_wrong(ctl, "ROLE must be OWNER, ADMIN, EDITOR, VIEWER or none, not "
                  "\"%s\"", name);
    }

    wait = ctl_revoke_wait(ctl);
    ctl_redis_configure(&redis, ctl);

    ctl_postgres_open_schema(&pg, ctl);

    project = ctl_project_find(&pg, ctl->arguments[0]);
    user = ctl_user_find(&pg, ctl->arguments[1]);

    ctl_postgres_query(&pg,
        prompt_member_set(&pg.query, ctl_uuid_view(&project),
                          ctl_uuid_view(&user), role, prompt_str_absent));

    prompt_membership_row(&pg.rows[PROMPT_MEMBER_STATEMENTS - 1], 0, &made);
    ctl_project_refused(ctl, made.outcome);

    n = 0;
    hashes = prompt_arena_array(ctl->arena,
                                pg.rows[PROMPT_MEMBER_STATEMENTS - 1].count,
                                sizeof(prompt_str_t));
    if (hashes == NULL) {
        ctl_no_memory();
    }

    for (row = 0; row < pg.rows[PROMPT_MEMBER_STATEMENTS - 1].count; row++) {
        prompt_membership_row(&pg.rows[PROMPT_MEMBER_STATEMENTS - 1], row,
                              &made);

        if (made.hash.data != NULL) {
            hashes[n++] = ctl_copy(ctl, made.hash);
        }
    }

    ctl_postgres_close(&pg);
    ctl_revoke(ctl, &redis, hashes, n, wait);

    return CTL_OK;
}


prompt_uuid_t
ctl_project_find(ctl_postgres_t *pg, const char *name)
{
    prompt_uuid_t             id;
    prompt_project_summary_t  summary;

    ctl_postgres_query(pg, prompt_project_list(&pg->query,
                                               prompt_str_from(name)));

    if (pg->rows[0].count == 0) {
        ctl_fail("there is no project \"%s\" of several", name);
    }

    if (pg->rows[0].count > 1) {
        ctl_fail("there are several projects \"%s\": \"promptctl project "
                 "list\" shows the ids", name);
    }

    prompt_project_list_row(&pg->rows[0], 0, &summary);
    memcpy(id.bytes, summary.project.id.data, sizeof(id.bytes));

    return id;
}


static void
ctl_project_refused(const ctl_t *ctl, prompt_outcome_t outcome)
{
    switch (outcome) {

    case PROMPT_OUTCOME_DONE:
        return;

    case PROMPT_OUTCOME_NOT_FOUND:
        ctl_fail("%s is no member of the project", ctl->arguments[1]);

    case PROMPT_OUTCOME_LAST_OWNER:
        ctl_fail("%s is the only OWNER: make another member an OWNER first",
                 ctl->arguments[1]);

    default:
        ctl_fail("the database gave an unexpected answer");
    }
}
