/*
 * PostgreSQL's clock: its statement.
 */

#include "store/clock.h"
#include "store/statement_impl.h"


const prompt_source_t  prompt_sql_clock = {
    "SELECT now()", "", 1, PROMPT_STATEMENT_READS
};


bool
prompt_clock(prompt_query_t *query)
{
    return prompt_append_plain(query, PROMPT_STATEMENT_CLOCK);
}


prompt_maybe_t
prompt_clock_row(const prompt_rows_t *rows)
{
    return prompt_cell_maybe_time(rows->count == 1
                                  ? prompt_rows_cell(rows, 0, 0)
                                  : prompt_str_absent);
}
