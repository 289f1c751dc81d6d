/*
 * Quotas: how much a project has of what prompt_quota bounds.
 */

#ifndef PROMPT_STORE_QUOTA_H
#define PROMPT_STORE_QUOTA_H

#include "store/value.h"


typedef struct {
    int32_t  prompts;
    int32_t  versions;
    int32_t  keys;
    int32_t  members;
    double   bytes;                  /* contents of versions */
    int32_t  in_flight;              /* executions that run */
} prompt_usage_t;


bool prompt_project_usage(prompt_query_t *query, prompt_str_t project)
    PROMPT_WARN_UNUSED;
void prompt_project_usage_row(const prompt_rows_t *rows,
    prompt_usage_t *usage);

#endif /* PROMPT_STORE_QUOTA_H */
