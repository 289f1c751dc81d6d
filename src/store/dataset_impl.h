/*
 * Datasets: what their statements and those of runs (run.c) have in common.
 */

#ifndef PROMPT_STORE_DATASET_IMPL_H
#define PROMPT_STORE_DATASET_IMPL_H

#include "store/dataset.h"
#include "store/statement_impl.h"


#define PROMPT_DATASET_NONE  "'00000000-0000-0000-0000-000000000000'"
#define PROMPT_DATASET_LAST  "'ffffffff-ffff-ffff-ffff-ffffffffffff'"

/* those of project $1: $2, or $4 below $3 */
#define PROMPT_DATASETS_SQL                                                  \
    "datasets d WHERE d.project_id = $1 AND d.state = 0"                     \
    " AND d.id >= coalesce($2, " PROMPT_DATASET_NONE "::uuid)"               \
    " AND d.id <= coalesce($2, " PROMPT_DATASET_LAST "::uuid)"               \
    " AND d.id < coalesce($3, " PROMPT_DATASET_LAST "::uuid)"                \
    " ORDER BY d.id DESC LIMIT $4"


/* as PROMPT_OTHERWISE has it of a prompt */
#define PROMPT_DATASET_OTHERWISE                                             \
    "coalesce((SELECT CASE WHEN x.project_id <> $2 THEN 2 END"               \
    " FROM datasets x WHERE x.id = $1 AND x.state = 0), 1)"

/* o: dataset $1 of project $2, which nobody else changes meanwhile */
#define PROMPT_DATASET_HELD(columns)                                         \
    "o AS MATERIALIZED ("                                                    \
    "SELECT " columns " FROM datasets"                                       \
    " WHERE id = $1 AND project_id = $2 AND state = 0 FOR NO KEY UPDATE)"


#define prompt_as_datasets(of)                                               \
    prompt_as_uuid((of)->project_id), prompt_as_maybe_uuid((of)->id),        \
    prompt_as_maybe_uuid((of)->after), prompt_as_limit((of)->first)

#endif /* PROMPT_STORE_DATASET_IMPL_H */
