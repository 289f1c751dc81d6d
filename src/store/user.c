/*
 * Users: their statements.
 */

#include "store/user.h"
#include "store/statement_impl.h"


#define column(member, kind, flags)                                          \
    prompt_column_is(prompt_user_t, member, kind, flags)

static const prompt_column_t  prompt_user_columns[] = {
    column(id, UUID, PROMPT_COLUMN_ID|PROMPT_COLUMN_CREATE),
    column(email, TEXT, PROMPT_COLUMN_SHORT|PROMPT_COLUMN_CREATE),
    column(name, TEXT,
           PROMPT_COLUMN_SHORT|PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_CREATE),
    column(created_at, TIME, PROMPT_COLUMN_OF_ID)
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


const prompt_source_t  prompt_sql_user_of_prompt = {
    "SELECT {user select u}"
    " FROM prompts p JOIN users u ON u.id = p.owner_id"
    " WHERE p.id = $1 AND p.state = 0 AND (p.owner_id = $2 OR p.is_public)",
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
prompt_user_of_range(prompt_query_t *query, const prompt_range_t *range)
{
    if (range->kind != PROMPT_RANGE_ID) {
        return prompt_user_by_id(query, range->caller);
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


void
prompt_user_row(const prompt_rows_t *rows, unsigned row, prompt_user_t *user)
{
    prompt_columns_read(&prompt_user_resource,
                        prompt_columns_returned(&prompt_user_resource), rows,
                        row, 0, user);
}
