/*
 * promptctl user disable, enable and delete: users who leave.
 */

#include <stdio.h>
#include <stdlib.h>

#include "ctl/output.h"
#include "ctl/revoke.h"
#include "ctl/user.h"


/* ms until what somebody else is at is tried again */
#define CTL_LEAVE_PAUSE  200


typedef struct {
    ctl_t           *ctl;
    ctl_redis_t      redis;
    int64_t          wait;           /* as revocations do */
    ctl_postgres_t   pg;
    prompt_uuid_t    user;
    prompt_uuid_t    heir;
    bool             inherits;       /* there is an heir */
    const char      *id;             /* of the user, as text */
    char             place[128];     /* of the next step */
    json_t          *said;
} ctl_leave_t;


static void ctl_leave_begin(ctl_leave_t *leave, ctl_t *ctl);
static int ctl_leave_end(ctl_leave_t *leave);
static void ctl_leave_heir(ctl_leave_t *leave);
static void ctl_leave_disable(ctl_leave_t *leave, bool keep);
static int64_t ctl_leave_projects(ctl_leave_t *leave);
static int64_t ctl_leave_steps(ctl_leave_t *leave, const char *sql,
    const char *heir);
static bool ctl_leave_done(ctl_leave_t *leave, bool done) PROMPT_WARN_UNUSED;
static void ctl_leave_revoke(ctl_leave_t *leave);
static int64_t ctl_leave_count(const ctl_leave_t *leave, const char *what);
static void ctl_leave_say(ctl_leave_t *leave, const char *name,
    const char *words, int64_t count);


int
ctl_user_disable(ctl_t *ctl)
{
    ctl_leave_t  leave;

    ctl_leave_begin(&leave, ctl);
    ctl_leave_disable(&leave, ctl_given(ctl, "keep-project-keys") != NULL);

    return ctl_leave_end(&leave);
}


int
ctl_user_enable(ctl_t *ctl)
{
    prompt_uuid_t   id;
    ctl_postgres_t  pg;

    ctl_postgres_open_schema(&pg, ctl);

    id = ctl_user_find(&pg, ctl->arguments[0]);
    ctl_postgres_query(&pg, prompt_user_enable(&pg.query, ctl_uuid_view(&id)));

    if (pg.rows[0].count == 0) {
        ctl_fail("the user was deleted, which is for good");
    }

    ctl_postgres_close(&pg);

    return CTL_OK;
}


/*
 * Nothing is done where something stands against it.  The tombstone comes last:
 * up to it the user is found, and whoever runs this again goes on.
 */
int
ctl_user_delete(ctl_t *ctl)
{
    int64_t       projects, prompts, executions, sessions;
    const char   *heir;
    ctl_leave_t   leave;

    ctl_leave_begin(&leave, ctl);
    ctl_leave_heir(&leave);
    ctl_leave_disable(&leave, false);

    projects = prompts = executions = sessions = 0;
    heir = leave.inherits
           ? ctl_uuid_text(ctl->arena, ctl_uuid_view(&leave.heir)).data : NULL;

    do {
        projects += ctl_leave_projects(&leave);
        prompts += ctl_leave_steps(&leave, prompt_user_prompts_sql, heir);
        executions += ctl_leave_steps(&leave, prompt_user_executions_sql,
                                      NULL);
        sessions += ctl_leave_steps(&leave, prompt_user_traces_sql, NULL);

    } while (ctl_postgres_one(&leave.pg, prompt_user_bury_sql, 1, &leave.id)[0]
             != 't');

    ctl_leave_say(&leave, "leftProjects", "left projects", projects);
    ctl_leave_say(&leave, leave.inherits ? "transferredPrompts"
                                         : "deletedPrompts",
                  leave.inherits ? "transferred prompts" : "deleted prompts",
                  prompts);
    ctl_leave_say(&leave, "emptiedExecutions", "emptied executions",
                  executions);
    ctl_leave_say(&leave, "forgottenSessions", "forgotten sessions", sessions);

    return ctl_leave_end(&leave);
}


static void
ctl_leave_begin(ctl_leave_t *leave, ctl_t *ctl)
{
    memset(leave, 0, sizeof(ctl_leave_t));

    leave->ctl = ctl;
    leave->wait = ctl_revoke_wait(ctl);
    ctl_redis_configure(&leave->redis, ctl);
    ctl_postgres_open_schema(&leave->pg, ctl);
    leave->user = ctl_user_find(&leave->pg, ctl->arguments[0]);
    leave->id = ctl_uuid_text(ctl->arena, ctl_uuid_view(&leave->user)).data;
    leave->said = ctl_json(json_object());
}


static int
ctl_leave_end(ctl_leave_t *leave)
{
    ctl_postgres_close(&leave->pg);

    if (leave->ctl->json) {
        ctl_print_json(leave->said);
    } else {
        json_decref(leave->said);
    }

    return CTL_OK;
}


/* Who gets what the user has; where that is nobody, it must not be needed. */
static void
ctl_leave_heir(ctl_leave_t *leave)
{
    int             row;
    PGresult       *result;
    const char     *email;
    prompt_user_t   heir;

    email = ctl_given(leave->ctl, "transfer-to");
    leave->inherits = email != NULL;

    if (leave->inherits) {
        leave->heir = ctl_user_find(&leave->pg, email);
        prompt_user_row(&leave->pg.rows[0], 0, &heir);

        if (heir.disabled_at.known) {
            ctl_fail("--transfer-to %s is disabled: nothing was done", email);
        }

        if (memcmp(leave->heir.bytes, leave->user.bytes,
                   sizeof(leave->user.bytes))
            == 0)
        {
            ctl_fail("--transfer-to names the user who is to be deleted: "
                     "nothing was done");
        }

        return;
    }

    result = ctl_postgres_rows(&leave->pg, prompt_user_owns_sql, 1,
                               &leave->id);

    for (row = 0; row < PQntuples(result); row++) {
        ctl_error("%s is the last OWNER of the project \"%s\"",
                  leave->ctl->arguments[0], PQgetvalue(result, row, 0));
    }

    if (row != 0) {
        ctl_fail("nothing was done: make somebody else an OWNER, or say who "
                 "is by --transfer-to");
    }
}


/* keep: keys of projects go on, under who is OWNER */
static void
ctl_leave_disable(ctl_leave_t *leave, bool keep)
{
    ctl_postgres_t  *pg;

    pg = &leave->pg;

    do {
        if (!prompt_user_disable(&pg->query, ctl_uuid_view(&leave->user),
                                 keep))
        {
            ctl_no_memory();
        }

    } while (!ctl_leave_done(leave, ctl_postgres_run(pg, &pg->query)));

    ctl_leave_revoke(leave);

    ctl_leave_say(leave, "endedSessions", "ended sessions",
                  ctl_leave_count(leave, "session"));
    ctl_leave_say(leave, "endedKeys", "ended keys",
                  ctl_leave_count(leave, "key"));

    if (keep) {
        ctl_leave_say(leave, "keptKeys", "passed on keys",
                      ctl_leave_count(leave, "kept"));
    }
}


/* One after the other: how many the user has left. */
static int64_t
ctl_leave_projects(ctl_leave_t *leave)
{
    int64_t              left;
    ctl_postgres_t      *pg;
    prompt_user_left_t   row;

    pg = &leave->pg;

    for (left = 0; /* void */ ; left++) {

        /* each has a row of its own in the audit log */

        pg->audit_id = ctl_uuid();

        if (!prompt_user_leave(&pg->query, ctl_uuid_view(&leave->user),
                               leave->inherits ? ctl_uuid_view(&leave->heir)
                                               : prompt_str_absent))
        {
            ctl_no_memory();
        }

        if (!ctl_leave_done(leave, ctl_postgres_run(pg, &pg->query))) {
            left--;
            continue;
        }

        if (pg->rows[0].count == 0) {
            return left;
        }

        prompt_user_left_row(&pg->rows[0], 0, &row);

        if (prompt_str_eq(row.what, prompt_str("held"))) {
            ctl_fail("%s is the last OWNER of the project \"%.*s\" by now: "
                     "say who is by --transfer-to", leave->ctl->arguments[0],
                     prompt_str_arg(row.project));
        }

        ctl_leave_revoke(leave);
    }
}


/* Steps until nothing is left: the sum of what they did. */
static int64_t
ctl_leave_steps(ctl_leave_t *leave, const char *sql, const char *heir)
{
    int64_t      sum;
    PGresult    *result;
    const char  *params[3];

    sum = 0;
    params[0] = leave->id;
    params[1] = "";
    params[2] = heir;

    for ( ;; ) {
        result = ctl_postgres_text(&leave->pg, sql,
                                   sql == prompt_user_prompts_sql ? 3 : 2,
                                   params);

        if (!ctl_leave_done(leave, result != NULL)) {
            continue;
        }

        if (PQntuples(result) != 1) {
            ctl_postgres_failed(&leave->pg);
        }

        sum += strtoll(PQgetvalue(result, 0, 1), NULL, 10);

        if (PQgetisnull(result, 0, 0)) {
            return sum;
        }

        (void) snprintf(leave->place, sizeof(leave->place), "%s",
                        PQgetvalue(result, 0, 0));
        params[1] = leave->place;

        if (strcmp(leave->place, "wait") == 0) {
            ctl_sleep(CTL_LEAVE_PAUSE);
        }
    }
}


/*
 * Whether a statement was done; not where it is to be tried again, after a
 * while: somebody held a row, or took a name.  Else the run ends.
 */
static bool
ctl_leave_done(ctl_leave_t *leave, bool done)
{
    leave->pg.query.count = 0;

    if (done) {
        return true;
    }

    if (leave->pg.status != PROMPT_SQL_RETRY
        && leave->pg.status != PROMPT_SQL_LOCKED
        && leave->pg.status != PROMPT_SQL_DUPLICATE)
    {
        ctl_postgres_failed(&leave->pg);
    }

    ctl_sleep(CTL_LEAVE_PAUSE);

    return false;
}


/* All that the rows name. */
static void
ctl_leave_revoke(ctl_leave_t *leave)
{
    size_t                n;
    unsigned              i;
    prompt_str_t         *hashes;
    prompt_user_left_t    row;
    const prompt_rows_t  *rows;

    rows = &leave->pg.rows[0];

    hashes = prompt_arena_array(leave->ctl->arena, rows->count,
                                sizeof(prompt_str_t));
    if (hashes == NULL) {
        ctl_no_memory();
    }

    n = 0;

    for (i = 0; i < rows->count; i++) {
        prompt_user_left_row(rows, i, &row);

        if (row.hash.data != NULL) {
            hashes[n++] = row.hash;
        }
    }

    ctl_revoke(leave->ctl, &leave->redis, hashes, n, leave->wait);
}


static int64_t
ctl_leave_count(const ctl_leave_t *leave, const char *what)
{
    int64_t              n;
    unsigned             i;
    prompt_user_left_t   row;

    n = 0;

    for (i = 0; i < leave->pg.rows[0].count; i++) {
        prompt_user_left_row(&leave->pg.rows[0], i, &row);
        n += prompt_str_eq(row.what, prompt_str_from(what));
    }

    return n;
}


static void
ctl_leave_say(ctl_leave_t *leave, const char *name, const char *words,
    int64_t count)
{
    ctl_json_set(leave->said, name, json_integer((json_int_t) count));

    if (!leave->ctl->json) {
        (void) printf("%s: %lld\n", words, (long long) count);
    }
}
