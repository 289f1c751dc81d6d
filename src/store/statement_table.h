/*
 * Inside the store: the statements that its files define, for the table in
 * statement.c.
 */

#ifndef PROMPT_STORE_STATEMENT_TABLE_H
#define PROMPT_STORE_STATEMENT_TABLE_H

#include "store/scope.h"
#include "store/statement.h"


/* api_key.c */
extern const prompt_statement_t  prompt_sql_api_key_by_hash;
extern const prompt_statement_t  prompt_sql_api_key_list;
extern const prompt_statement_t  prompt_sql_api_key_create;
extern const prompt_statement_t  prompt_sql_api_key_delete;
extern const prompt_statement_t  prompt_sql_api_key_delete_any;

/* execution.c */
extern const prompt_statement_t  prompt_sql_execution_target;
extern const prompt_statement_t  prompt_sql_execution_start;
extern const prompt_statement_t  prompt_sql_execution_finish;
extern const prompt_statement_t  prompt_sql_execution_sweep;
extern const prompt_shape_t
    prompt_execution_shapes[PROMPT_VERSIONS_STATEMENTS];

/* prompt.c */
extern const prompt_statement_t  prompt_sql_prompt_create;
extern const prompt_statement_t  prompt_sql_prompt_update;
extern const prompt_statement_t  prompt_sql_prompt_fork;
extern const prompt_statement_t  prompt_sql_prompt_fork_step;
extern const prompt_statement_t  prompt_sql_prompt_fork_end;
extern const prompt_statement_t  prompt_sql_prompt_fork_abandon;
extern const prompt_statement_t  prompt_sql_prompt_delete;
extern const prompt_statement_t  prompt_sql_prompt_remove;
extern const prompt_statement_t  prompt_sql_prompt_sweep;
extern const prompt_statement_t  prompt_sql_prompt_search;
extern const prompt_shape_t
    prompt_prompt_shapes[PROMPT_SCOPE_STATEMENTS];

/* schema_version.c */
extern const prompt_statement_t  prompt_sql_schema_version;

/* scope.c */
extern const prompt_statement_t  prompt_sql_snapshot;

/* user.c */
extern const prompt_statement_t  prompt_sql_user_by_id;
extern const prompt_statement_t  prompt_sql_user_by_email;
extern const prompt_statement_t  prompt_sql_user_of_prompt;
extern const prompt_statement_t  prompt_sql_user_add;
extern const prompt_statement_t  prompt_sql_user_list;

/* version.c */
extern const prompt_statement_t  prompt_sql_version_create;
extern const prompt_shape_t
    prompt_version_shapes[PROMPT_VERSIONS_STATEMENTS];

/* the number of parameters, from their types */
#define prompt_types(types)  sizeof(types) / sizeof((types)[0]), types

/*
 * A column by the bits of the mask: its cell where the statement has it, an
 * absent one where not; *column moves on.
 */
prompt_str_t prompt_shape_cell(const prompt_statement_t *statement,
    const prompt_rows_t *rows, unsigned row, uint32_t bit, unsigned *column);

#endif /* PROMPT_STORE_STATEMENT_TABLE_H */
