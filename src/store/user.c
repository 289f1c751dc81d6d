/*
 * Users: their statements.
 */

#include "store/user.h"
#include "store/api_key.h"
#include "store/role.h"
#include "store/statement_impl.h"


#define column(member, kind, flags)                                          \
    prompt_column_is(prompt_user_t, member, kind, flags)

static const prompt_column_t  prompt_user_columns[] = {
    column(id, UUID, PROMPT_COLUMN_ID|PROMPT_COLUMN_CREATE),
    column(email, TEXT, PROMPT_COLUMN_SHORT|PROMPT_COLUMN_CREATE),
    column(name, TEXT,
           PROMPT_COLUMN_SHORT|PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_CREATE),
    column(created_at, TIME, PROMPT_COLUMN_OF_ID),
    column(disabled_at, TIME, PROMPT_COLUMN_NULLABLE)
};

#undef column

const prompt_resource_t  prompt_user_resource = {
    "user", 'u', prompt_columns(prompt_user_columns)
};


const prompt_source_t  prompt_sql_user_by_id = {
    "SELECT {user row u} FROM {each}(SELECT {user all} FROM users"
    " WHERE id = $1{fence}) u",
    "u", 0, PROMPT_STATEMENT_READS
};


const prompt_source_t  prompt_sql_user_by_email = {
    "SELECT {user select u} FROM users u"
    " WHERE " PROMPT_EMAIL("u.email") " = " PROMPT_EMAIL("$1"),
    "t", 0, PROMPT_STATEMENT_READS
};


const prompt_source_t  prompt_sql_user_of_project = {
    "SELECT {user select u}"
    " FROM project_members m JOIN users u ON u.id = m.user_id"
    " WHERE m.project_id = $1 ORDER BY m.user_id",
    "u", 0, PROMPT_STATEMENT_READS
};


const prompt_source_t  prompt_sql_user_of_prompt = {
    "SELECT {user select u} FROM users u WHERE u.id = ANY (ARRAY("
    "SELECT m.user_id FROM project_members m WHERE m.project_id = ANY (ARRAY["
    "$2, (SELECT p.owner_id FROM prompts p WHERE p.id = $1 AND p.state = 0"
    " AND (p.owner_id = $2 OR p.is_public))]))) ORDER BY u.id",
    "uu", 0, PROMPT_STATEMENT_READS
};


const prompt_source_t  prompt_sql_user_add = {
    "WITH c AS ("
    "INSERT INTO users AS u ({user create}, created_at)"
    " VALUES ({user create_values}, $1)"
    " ON CONFLICT (" PROMPT_EMAIL("email") ")"
    " DO NOTHING RETURNING {user all}), "
    PROMPT_AUDIT_OF("id", "{by user}", "'User', id, email, NULL FROM c")
    "SELECT {user row c} FROM c",
    "z", 0, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_user_list = {
    "SELECT {user select u} FROM users u ORDER BY u.id",
    "", 0, PROMPT_STATEMENT_READS
};


/* the row of a deletion, too, which begins so */
const prompt_source_t  prompt_sql_user_disable = {
    "WITH "
    PROMPT_AUDIT_OF("id", "{by user}", "'User', id, email, CASE WHEN $2 THEN"
                    " json_build_object('keepProjectKeys', true) END"
                    " FROM users WHERE id = $1")
    "SELECT what, hash, NULL FROM prompt_user_disable($1, $2)",
    "ub", 3, PROMPT_STATEMENT_COMMITS
};


/* one that was deleted has another e-mail, by which nobody comes back */
const prompt_source_t  prompt_sql_user_enable = {
    "WITH o AS (SELECT id, email, disabled_at FROM users"
    " WHERE id = $1 AND email <> 'deleted-' || id || '@deleted.invalid'"
    " FOR UPDATE), "
    "c AS (UPDATE users SET disabled_at = NULL FROM o WHERE users.id = o.id"
    " AND o.disabled_at IS NOT NULL RETURNING o.id, o.email), "
    PROMPT_AUDIT_OF("id", "{by user}", "'User', id, email, NULL FROM c")
    "SELECT true FROM o",
    "u", 1, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_user_leave = {
    "WITH l AS MATERIALIZED (SELECT * FROM prompt_user_leave($1, $2)), "
    PROMPT_AUDIT_OF("l.project_id", "{by user}",
                    "'User', u.id, u.email, json_build_object('before', "
                    PROMPT_ROLE_NAME("l.role") ", 'after', NULL, 'owner',"
                    " CASE l.what WHEN 'given' THEN (SELECT h.email"
                    " FROM users h WHERE h.id = $2) END)"
                    " FROM l JOIN users u ON u.id = $1"
                    " WHERE l.what IN ('left', 'given')")
    "SELECT what, hash, project FROM l",
    "uu", 3, PROMPT_STATEMENT_COMMITS
};


const char  prompt_user_owns_sql[] =
    "SELECT name FROM prompt_user_owns($1::uuid)";

const char  prompt_user_prompts_sql[] =
    "SELECT place, done FROM prompt_user_prompts($1::uuid, $3::uuid, $2)";

const char  prompt_user_executions_sql[] =
    "SELECT place, done FROM prompt_user_executions($1::uuid, $2)";

const char  prompt_user_traces_sql[] =
    "SELECT place, done FROM prompt_user_traces($1::uuid, $2)";

const char  prompt_user_bury_sql[] = "SELECT prompt_user_bury($1::uuid)";


bool
prompt_user_by_id(prompt_query_t *query, prompt_str_t id)
{
    return prompt_append(query, PROMPT_STATEMENT_USER_BY_ID,
                         prompt_as_uuid(id));
}


bool
prompt_user_by_email(prompt_query_t *query, prompt_str_t email)
{
    return prompt_append(query, PROMPT_STATEMENT_USER_BY_EMAIL,
                         prompt_as_text(email));
}


bool
prompt_user_of_project(prompt_query_t *query, prompt_str_t project)
{
    return prompt_append(query, PROMPT_STATEMENT_USER_OF_PROJECT,
                         prompt_as_uuid(project));
}


bool
prompt_user_of_range(prompt_query_t *query, const prompt_range_t *range)
{
    if (range->kind != PROMPT_RANGE_ID || range->own) {
        return prompt_user_of_project(query, range->caller);
    }

    return prompt_append(query, PROMPT_STATEMENT_USER_OF_PROMPT,
                         prompt_as_uuid(range->id),
                         prompt_as_uuid(range->caller));
}


bool
prompt_user_add(prompt_query_t *query, prompt_str_t id, prompt_str_t email,
    prompt_str_t name)
{
    prompt_user_t  user;

    memset(&user, 0, sizeof(prompt_user_t));
    user.id = id;
    user.email = email;
    user.name = name;

    return prompt_append(query, PROMPT_STATEMENT_USER_ADD,
                         prompt_as_id_time(id),
                         prompt_as_create(&prompt_user_resource, &user));
}


bool
prompt_user_list(prompt_query_t *query)
{
    return prompt_append_plain(query, PROMPT_STATEMENT_USER_LIST);
}


bool
prompt_user_disable(prompt_query_t *query, prompt_str_t id, bool keep)
{
    return prompt_append(query, PROMPT_STATEMENT_USER_DISABLE,
                         prompt_as_uuid(id), prompt_as_bool(keep));
}


bool
prompt_user_enable(prompt_query_t *query, prompt_str_t id)
{
    return prompt_append(query, PROMPT_STATEMENT_USER_ENABLE,
                         prompt_as_uuid(id));
}


bool
prompt_user_leave(prompt_query_t *query, prompt_str_t id, prompt_str_t heir)
{
    return prompt_append(query, PROMPT_STATEMENT_USER_LEAVE,
                         prompt_as_uuid(id), prompt_as_maybe_uuid(heir));
}


void
prompt_user_left_row(const prompt_rows_t *rows, unsigned row,
    prompt_user_left_t *left)
{
    left->what = prompt_rows_cell(rows, row, 0);
    left->hash = prompt_rows_cell(rows, row, 1);
    left->project = prompt_rows_cell(rows, row, 2);

    if (left->hash.len != PROMPT_API_KEY_HASH_LEN) {
        left->hash = prompt_str_absent;
    }
}


void
prompt_user_row(const prompt_rows_t *rows, unsigned row, prompt_user_t *user)
{
    prompt_columns_read_returned(&prompt_user_resource, rows, row, 0, user);
}


void
prompt_user_find(const prompt_rows_t *rows, prompt_str_t id,
    prompt_user_t *user)
{
    int       order;
    unsigned  low, high, middle;

    low = 0;
    high = rows->count;

    while (low < high) {
        middle = (low + high) / 2;
        order = prompt_str_cmp(prompt_rows_cell(rows, middle, 0), id);

        if (order == 0) {
            prompt_user_row(rows, middle, user);
            return;
        }

        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }

    memset(user, 0, sizeof(prompt_user_t));

    user->id = id;
    user->email = prompt_str("deleted@invalid");
}
