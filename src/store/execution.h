/*
 * Executions: reading by range, and the life of one.
 *
 *     target    what is to be executed, and may the caller?
 *     start     a row `running`, not waited for on disk
 *     finish    how it ended, durable: replaces `running` and `lost`, never
 *               another final state
 *     record    the same of a row that may not be there: the start was lost,
 *               or is not committed yet
 *     sweep     what still runs 30 s after its time limit becomes `lost`
 *
 * start and sweep each want a query of their own: start, unless it reserves,
 * turns off waiting for the disk for the whole transaction that it is in.
 *
 * Functions that read or change append one statement to the query; false:
 * memory is short, or the query is full.  Views in rows live as long as the
 * rows.
 */

#ifndef PROMPT_STORE_EXECUTION_H
#define PROMPT_STORE_EXECUTION_H

#include "store/column.h"
#include "store/outcome.h"
#include "store/range.h"


typedef struct {
    prompt_str_t    prompt_id;       /* 16 bytes */
    int32_t         version;         /* 0: a draft */
    prompt_str_t    id;              /* 16 bytes */
    prompt_str_t    status;          /* running, succeeded, … */
    prompt_maybe_t  latency_ms;
    prompt_maybe_t  token_in;
    prompt_maybe_t  token_cached;
    prompt_maybe_t  token_cache_write;
    prompt_maybe_t  token_out;
    prompt_maybe_t  token_reasoning;
    prompt_str_t    cost_usd;        /* decimal text; absent: unknown */
    prompt_str_t    model;           /* absent: none */
    prompt_str_t    label;           /* it was asked for by; absent: none */
    int32_t         attempts;        /* calls of providers */
    prompt_str_t    input;           /* JSON text, output, error: absent */
    prompt_str_t    appended;        /* JSON text, as output */
    prompt_str_t    output;          /* also where another user ran it */
    prompt_str_t    error;
    prompt_str_t    finish_reason;   /* the provider's word; absent: none */
    prompt_objects_t  tool_calls;    /* {id, name, arguments}, as output */
    prompt_texts_t  output_errors;   /* as output; absent: not validated */
    prompt_str_t    trace_id;        /* 16 bytes; as output, and what follows */
    prompt_maybe_t  provider_status;
    prompt_str_t    provider_message;
    prompt_str_t    subject;
    prompt_str_t    metadata;        /* JSON text */
    int64_t         created_at;
    prompt_maybe_t  finished_at;     /* time */
    prompt_str_t    user_id;         /* who ran it, 16 bytes; absent: whose
                                        personal project it is; `id`: not
                                        the caller's to know */
    prompt_str_t    run_id;          /* which it is of; absent: none */
    prompt_str_t    key_id;          /* by which key, as output; absent: in a
                                        session */
    prompt_objects_t  scores;        /* {id, name, value, comment, source,
                                        createdBy, createdAt}, as output */
} prompt_execution_t;


/* what is to be executed */
typedef struct {
    prompt_str_t    prompt_id;       /* 16 bytes */
    prompt_str_t    owner_id;        /* 16 bytes */
    int64_t         updated_at;      /* the prompt's */
    int32_t         version;
    prompt_str_t    content;
    prompt_str_t    params;          /* JSON text */
    prompt_str_t    input_schema;    /* JSON text; absent: none */
    prompt_str_t    output_schema;   /* JSON text; absent: none */
    prompt_str_t    messages;        /* JSON text; absent: none */
    prompt_maybe_t  set_at;          /* of the label that names it, when it was
                                        set; unknown: none does */

    /* of that label, where it is a split; absent: it is none */
    prompt_str_t    split;           /* JSON text */
    prompt_str_t    salt;            /* these where there is one */
    prompt_str_t    slots;
} prompt_execution_target_t;


/* How it is known which version is to be executed. */
typedef enum {
    PROMPT_EXECUTION_READ = 0,       /* it was read for this execution */
    PROMPT_EXECUTION_KNOWN,          /* it was read before, by its number or as
                                        the latest one; */
    PROMPT_EXECUTION_LABELLED,       /* or by the label, or because it names
                                        none */
    PROMPT_EXECUTION_DRAFT           /* there is none: it is a draft */
} prompt_execution_known_t;


/* an execution that starts or ends; ids: 16 bytes */
typedef struct {
    prompt_str_t    id;
    prompt_str_t    prompt_id;
    int32_t         version;         /* of a draft 0 */
    prompt_str_t    caller;          /* the project that pays */
    prompt_str_t    user_id;         /* who runs it; absent: whose personal
                                        project that is */
    prompt_str_t    key_id;          /* by which key; absent: in a session */
    prompt_str_t    run_id;          /* absent: of none */
    prompt_str_t    model;           /* absent: none */
    prompt_str_t    label;           /* it was asked for by; absent: none */
    prompt_str_t    trace_id;        /* 16 bytes; absent: none */
    prompt_str_t    input;           /* JSON text */
    prompt_str_t    appended;        /* JSON text; absent: none */
    prompt_str_t    subject;         /* absent: none */
    prompt_str_t    metadata;        /* JSON text; absent: none */
    int64_t         timeout_ms;      /* start: the limit of the whole call */

    /* start: where it was known, only if it still is what was asked for */
    prompt_execution_known_t  known;
    int64_t         prompt_updated_at;   /* when it was read */
    prompt_str_t    asked;           /* LABELLED: the label that was looked for,
                                        and when that was set, which no two
                                        settings share */
    prompt_maybe_t  asked_set_at;

    /* of whom budgets may stand: the most that it costs, decimal text; absent:
       there are none.  Then what it did cost, absent: as much */
    prompt_str_t    reserved_usd;
    prompt_str_t    spent_usd;
    bool            exact;           /* see budget.h */

    /* finish */
    prompt_str_t    status;          /* succeeded, failed, cancelled */
    prompt_str_t    output;          /* absent: none */
    prompt_str_t    error;           /* absent: none */
    prompt_str_t    finish_reason;   /* absent: unknown */
    prompt_objects_t  tool_calls;    /* absent: none */
    prompt_str_t    output_json;     /* not stored: the output's value, where
                                        there is a schema and it is JSON */
    prompt_texts_t  output_errors;   /* absent: it was not validated */
    prompt_maybe_t  latency_ms;      /* 0 to 2,147,483,647, as are tokens */
    prompt_maybe_t  token_in;
    prompt_maybe_t  token_out;
    prompt_str_t    cost_usd;        /* plain decimal text; absent: unknown */
    int32_t         attempts;        /* calls of providers */
    prompt_maybe_t  provider_status; /* of a failure, HTTP */
    prompt_str_t    provider_message;   /* its words; absent: none */

    /* what the cost was computed from: US dollars for a million tokens */
    prompt_maybe_t  token_cached;    /* of token_in */
    prompt_maybe_t  token_cache_write;      /* of it, too; of these: */
    prompt_maybe_t  token_cache_write_1h;
    prompt_maybe_t  token_reasoning; /* of token_out */
    prompt_str_t    price_input;     /* absent: no price */
    prompt_str_t    price_cached_input;
    prompt_str_t    price_cache_write;
    prompt_str_t    price_cache_write_1h;
    prompt_str_t    price_output;
    int64_t         finished_at;     /* time */

    /* of the answer, not stored: what goes back with it, in which format, and
       all of it as a message, once it was asked for; absent: not there */
    prompt_str_t    opaque;
    prompt_str_t    format;
    prompt_str_t    message;
} prompt_execution_run_t;


/* their columns */
extern const prompt_resource_t  prompt_execution_resource;
extern const prompt_resource_t  prompt_run_resource;


/*
 * The newest there is of the last months ({lately}), of whatever prompt, and
 * the time in its id, 0 where there is none; and whether there are older ones.
 */
bool prompt_execution_newest(prompt_query_t *query) PROMPT_WARN_UNUSED;
int64_t prompt_execution_newest_row(const prompt_rows_t *rows, bool *older);

/*
 * An id a day above a time, which is put into id; absent where that is more
 * than an id has.  Asked for what is below it, PostgreSQL opens no month that
 * begins later.
 */
prompt_str_t prompt_execution_above(int64_t time, char id[PROMPT_UUID_LEN]);

/*
 * Of each version (versions: NULL for all) of the range's prompts the newest
 * `first` executions with ids below `after` (absent: all), in the order of the
 * versions (prompt_version_read()), newest first within each.  Of prompts that
 * are not the caller's own, only the caller's own executions; of prompts that
 * the caller may not read, none.  older: whether there may be some from before
 * these months (prompt_execution_newest_row()).
 */
bool prompt_execution_read(prompt_query_t *query, const prompt_range_t *range,
    const prompt_versions_t *versions, prompt_mask_t mask, uint32_t first,
    prompt_str_t after, bool older) PROMPT_WARN_UNUSED;

/* as prompt_row() */
static inline void
prompt_execution_row(const prompt_statement_t *statement,
    const prompt_rows_t *rows, unsigned row, prompt_execution_t *execution)
{
    prompt_columns_read(&prompt_execution_resource, statement->columns, rows,
                        row, 0, execution);
}


/* The version to be executed, or the latest where version is unknown. */
bool prompt_execution_target(prompt_query_t *query, prompt_str_t prompt_id,
    prompt_str_t caller, prompt_maybe_t version) PROMPT_WARN_UNUSED;

/*
 * The version that the label names, of a split that of the subject; or_latest:
 * where it names none, the latest.
 */
bool prompt_execution_labelled(prompt_query_t *query, prompt_str_t prompt_id,
    prompt_str_t caller, prompt_str_t label, bool or_latest,
    prompt_str_t subject) PROMPT_WARN_UNUSED;

/* The same of the caller's prompt of a name; label absent: by the version. */
bool prompt_execution_named(prompt_query_t *query, prompt_str_t name,
    prompt_str_t caller, prompt_maybe_t version, prompt_str_t label,
    bool or_latest, prompt_str_t subject) PROMPT_WARN_UNUSED;

/*
 * Of either: NOT_FOUND, FORBIDDEN, NO_VERSION, NO_LABEL, or DONE, and *target
 * is filled; but for NOT_FOUND the ids of prompt and owner are there.
 */
prompt_outcome_t prompt_execution_target_row(const prompt_rows_t *rows,
    prompt_execution_target_t *target);


/*
 * start does nothing where the version was deleted meanwhile, or is not what
 * was asked for any more, or the row is there already; finish where it is not
 * there, or in a final state already; record where the version was deleted, or
 * the row is in a final state already (so it can be sent again after a lost
 * answer).  None of this is an error.  One row (true) where something was
 * written, else none; whoever finishes without a row then records.
 *
 * A start that reserves is durable.  One that is exact answers with a row also
 * where it does nothing, as there is no room: prompt_budget_reserved_row()
 * (budget.h); without a row another one is to be sent that is.  What it has
 * reserved is settled by its end.
 */
bool prompt_execution_start(prompt_query_t *query,
    const prompt_execution_run_t *run) PROMPT_WARN_UNUSED;
bool prompt_execution_finish(prompt_query_t *query,
    const prompt_execution_run_t *run) PROMPT_WARN_UNUSED;
bool prompt_execution_record(prompt_query_t *query,
    const prompt_execution_run_t *run) PROMPT_WARN_UNUSED;

/*
 * A step of the sweep: marks executions as `lost` that are still `running`
 * 30 s after their time limit; passes over rows that somebody holds.  Looks at
 * so many rows at most that became old enough for it, and marks no more; none
 * where the clock jumped.
 */
bool prompt_execution_sweep(prompt_query_t *query, int32_t most,
    prompt_maybe_t clock) PROMPT_WARN_UNUSED;

/*
 * Deletes one for which the project has paid: NOT_FOUND, FORBIDDEN, RUNNING or
 * DONE.  Sums keep what it adds to them.
 */
bool prompt_execution_delete(prompt_query_t *query, prompt_str_t id,
    prompt_str_t project) PROMPT_WARN_UNUSED;

/*
 * How many were marked; *more: the next step is to follow at once; *failed:
 * the month that cannot be made, and why, or absent.
 */
int64_t prompt_execution_sweep_row(const prompt_rows_t *rows, bool *more,
    prompt_str_t *failed);

#endif /* PROMPT_STORE_EXECUTION_H */
