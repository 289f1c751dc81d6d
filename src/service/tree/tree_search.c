/*
 * Searching prompts: a bounded number is looked at by one statement, and what
 * was found is read by its ids, so that no statement searches again.
 */

#include "service/tree/tree_read.h"


/* prompts that one statement of a search looks at, and the time of all, ms */
#define NGX_HTTP_PROMPT_SEARCH_WINDOW  1000
#define NGX_HTTP_PROMPT_SEARCH_TIME    30000


static void ngx_http_prompt_search_done(ngx_http_prompt_root_t *root);


/* Looks at the next prompts, however few of them are found. */
void
ngx_http_prompt_search(ngx_http_prompt_reading_t *reading)
{
    prompt_query_t          *query;
    ngx_http_prompt_root_t  *root;

    root = reading->root;

    if (reading->found == NULL) {
        reading->found = prompt_arena_alloc(root->job->arena,
                                            NGX_HTTP_PROMPT_SEARCH_WINDOW
                                            * PROMPT_UUID_LEN);
        if (reading->found == NULL) {
            ngx_http_prompt_root_fail_nomem(root);
            return;
        }
    }

    if (ngx_current_msec - reading->start > NGX_HTTP_PROMPT_SEARCH_TIME) {
        ngx_http_prompt_root_wrong(root, "search",
                   "The search takes too long: narrow it with \"category\", or "
                   "go on from a prompt with \"first\" and \"after\".");
        return;
    }

    if (ngx_http_prompt_long_query(reading, &query)) {
        reading->range.kind = PROMPT_RANGE_LIST;

        ngx_http_prompt_root_send(root,
                                  prompt_search(query, &reading->range,
                                                reading->search,
                                                NGX_HTTP_PROMPT_SEARCH_WINDOW),
                                  ngx_http_prompt_search_done);
    }
}


static void
ngx_http_prompt_search_done(ngx_http_prompt_root_t *root)
{
    unsigned                    row;
    prompt_str_t                id;
    const prompt_rows_t        *rows;
    ngx_http_prompt_reading_t  *reading;

    reading = root->data;

    if (!ngx_http_prompt_root_succeeded(root)) {
        return;
    }

    rows = &root->result->rows[0];

    reading->nfound = 0;
    reading->nread = 0;
    reading->ended = rows->count < NGX_HTTP_PROMPT_SEARCH_WINDOW;

    for (row = 0; row < rows->count; row++) {

        if (!prompt_search_row(rows, row, &id)) {
            continue;
        }

        ngx_memcpy(reading->found + reading->nfound++ * PROMPT_UUID_LEN,
                   id.data, PROMPT_UUID_LEN);

        if (reading->limited && --reading->left == 0) {
            reading->ended = 1;
            break;
        }
    }

    if (!reading->ended) {
        ngx_memcpy(reading->after, id.data, PROMPT_UUID_LEN);
        reading->range.after = prompt_str_of(reading->after, PROMPT_UUID_LEN);
    }

    ngx_http_prompt_root_release(root);
    ngx_http_prompt_read_long(reading);
}


/* Reads some of what was found, or ends the list. */
void
ngx_http_prompt_read_found(ngx_http_prompt_reading_t *reading)
{
    uint32_t                             count, max;
    gql_result_t                         none;
    const ngx_http_prompt_projection_t  *proj;

    proj = reading->root->field->data;

    max = proj->nlists != 0 ? NGX_HTTP_PROMPT_WINDOW_NESTED
                                : NGX_HTTP_PROMPT_WINDOW;
    count = ngx_min(reading->nfound - reading->nread, max);

    if (count == 0) {
        none.kind = GQL_RESULT_LIST;
        none.u.list.handle = NULL;
        none.u.list.count = 0;

        ngx_http_prompt_read_stepped(reading,
                    gql_execution_part(reading->root->job->execution,
                                       reading->root->index, &none, true));
        return;
    }

    reading->range.kind = PROMPT_RANGE_IDS;
    reading->range.ids = prompt_str_of(reading->found
                                       + reading->nread * PROMPT_UUID_LEN,
                                       count * PROMPT_UUID_LEN);
    reading->nread += count;

    ngx_http_prompt_read_window(reading);
}
