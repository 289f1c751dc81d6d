/*
 * Users: their statements.
 */

#include "store/user.h"
#include "store/statement_table.h"


#define PROMPT_USER_COLUMNS  "u.id, u.email, u.name, u.created_at"


static const uint32_t  prompt_types_id[] = { PROMPT_OID_UUID };

static const uint32_t  prompt_types_email[] = { PROMPT_OID_TEXT };

static const uint32_t  prompt_types_prompt[] = {
    PROMPT_OID_UUID, PROMPT_OID_UUID
};

static const uint32_t  prompt_types_add[] = {
    PROMPT_OID_UUID, PROMPT_OID_TEXT, PROMPT_OID_TEXT
};


const prompt_statement_t  prompt_sql_user_by_id = {
    PROMPT_STATEMENT_USER_BY_ID, "user_by_id",
    "SELECT " PROMPT_USER_COLUMNS " FROM users u WHERE u.id = $1",
    prompt_types(prompt_types_id), 4, 0, PROMPT_STATEMENT_READS
};


const prompt_statement_t  prompt_sql_user_by_email = {
    PROMPT_STATEMENT_USER_BY_EMAIL, "user_by_email",
    "SELECT " PROMPT_USER_COLUMNS " FROM users u"
    " WHERE lower(u.email) = lower($1)",
    prompt_types(prompt_types_email), 4, 0, PROMPT_STATEMENT_READS
};


const prompt_statement_t  prompt_sql_user_of_prompt = {
    PROMPT_STATEMENT_USER_OF_PROMPT, "user_of_prompt",
    "SELECT " PROMPT_USER_COLUMNS
    " FROM prompts p JOIN users u ON u.id = p.owner_id"
    " WHERE p.id = $1 AND p.state = 0 AND (p.owner_id = $2 OR p.is_public)",
    prompt_types(prompt_types_prompt), 4, 0, PROMPT_STATEMENT_READS
};


const prompt_statement_t  prompt_sql_user_add = {
    PROMPT_STATEMENT_USER_ADD, "user_add",
    "INSERT INTO users AS u (id, email, name) VALUES ($1, $2, $3)"
    " ON CONFLICT (lower(email)) DO NOTHING RETURNING " PROMPT_USER_COLUMNS,
    prompt_types(prompt_types_add), 4, 0, PROMPT_STATEMENT_COMMITS
};


const prompt_statement_t  prompt_sql_user_list = {
    PROMPT_STATEMENT_USER_LIST, "user_list",
    "SELECT " PROMPT_USER_COLUMNS " FROM users u ORDER BY u.id",
    0, NULL, 4, 0, PROMPT_STATEMENT_READS
};


bool
prompt_user_by_id(prompt_query_t *query, prompt_str_t id)
{
    prompt_bind_t  bind;

    prompt_bind_begin(&bind, query, &prompt_sql_user_by_id);
    prompt_bind_uuid(&bind, id);

    return prompt_bind_end(&bind);
}


bool
prompt_user_by_email(prompt_query_t *query, prompt_str_t email)
{
    prompt_bind_t  bind;

    prompt_bind_begin(&bind, query, &prompt_sql_user_by_email);
    prompt_bind_text(&bind, email);

    return prompt_bind_end(&bind);
}


bool
prompt_user_of_scope(prompt_query_t *query, const prompt_scope_t *scope)
{
    prompt_bind_t  bind;

    if (scope->kind != PROMPT_SCOPE_ID) {
        return prompt_user_by_id(query, scope->caller);
    }

    prompt_bind_begin(&bind, query, &prompt_sql_user_of_prompt);
    prompt_bind_uuid(&bind, scope->id);
    prompt_bind_uuid(&bind, scope->caller);

    return prompt_bind_end(&bind);
}


bool
prompt_user_add(prompt_query_t *query, prompt_str_t id, prompt_str_t email,
    prompt_str_t name)
{
    prompt_bind_t  bind;

    prompt_bind_begin(&bind, query, &prompt_sql_user_add);
    prompt_bind_uuid(&bind, id);
    prompt_bind_text(&bind, email);
    prompt_bind_text(&bind, name);

    return prompt_bind_end(&bind);
}


bool
prompt_user_list(prompt_query_t *query)
{
    prompt_bind_t  bind;

    prompt_bind_begin(&bind, query, &prompt_sql_user_list);

    return prompt_bind_end(&bind);
}


void
prompt_user_row(const prompt_rows_t *rows, unsigned row, prompt_user_t *user)
{
    user->id = prompt_rows_cell(rows, row, 0);
    user->email = prompt_rows_cell(rows, row, 1);
    user->name = prompt_rows_cell(rows, row, 2);
    user->created_at = prompt_cell_time(prompt_rows_cell(rows, row, 3));
}
