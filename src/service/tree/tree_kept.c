/*
 * Versions that the worker keeps: which to look for, to take, to put in.
 *
 * Prompts and versions were read at one moment, or the versions after the
 * prompts.  In the first case the rows are what the prompts say; in the second
 * there may be later ones, which are left out, or none any more, where a
 * prompt was deleted: then all is read again at one moment.
 */

#include "service/tree/tree_impl.h"

#include "service/tree/tree_read.h"
#include "service/worker/worker.h"


static uint64_t ngx_http_prompt_kept_key(const prompt_range_t *range);
static ngx_int_t ngx_http_prompt_kept_look(ngx_http_prompt_reading_t *reading,
    ngx_uint_t *nmissing, prompt_mask_t *columns);
static bool ngx_http_prompt_kept_wants(const ngx_http_prompt_kept_t *kept,
    ngx_uint_t i, const prompt_record_t *prompt);
static void ngx_http_prompt_kept_read(ngx_http_prompt_reading_t *reading,
    ngx_uint_t nmissing, prompt_mask_t columns);
static bool ngx_http_prompt_kept_ids(ngx_http_prompt_reading_t *reading,
    ngx_uint_t nmissing);
static void ngx_http_prompt_kept_read_done(ngx_http_prompt_root_t *root);
static bool ngx_http_prompt_kept_add(ngx_http_prompt_reading_t *reading,
    const prompt_statement_t *statement, const prompt_rows_t *rows,
    bool at_once);
static unsigned ngx_http_prompt_kept_group(const prompt_rows_t *rows,
    unsigned *first, prompt_str_t id);
static void ngx_http_prompt_kept_again(ngx_http_prompt_reading_t *reading);
static void ngx_http_prompt_kept_let_go(ngx_http_prompt_kept_t *kept);
static void ngx_http_prompt_kept_written(ngx_http_prompt_list_t *list,
    const gql_plan_field_t *field, prompt_str_t text);


void
ngx_http_prompt_kept_begin(ngx_http_prompt_reading_t *reading)
{
    ngx_http_prompt_kept_t  *kept;

    kept = &reading->kept;

    ngx_memzero(kept, sizeof(ngx_http_prompt_kept_t));

    kept->number = NGX_HTTP_PROMPT_KEPT_NONE;
    kept->cache =
        ngx_http_prompt_get_worker(reading->root->job->request)->versions;

    if (kept->cache == NULL) {
        return;
    }

    kept->key = ngx_http_prompt_kept_key(&reading->range);
    kept->state = prompt_version_cache_state(kept->cache, kept->key);
    kept->left_out = kept->state == PROMPT_KEPT_ALL;
}


/* Which prompts they are: of somebody, but for one by its id. */
static uint64_t
ngx_http_prompt_kept_key(const prompt_range_t *range)
{
    uint64_t  key;

    key = prompt_str_hash_seeded(range->kind == PROMPT_RANGE_ID ? range->id
                                                                : range->caller,
                                 range->kind);
    key = prompt_hash_mix(key ^ prompt_str_hash_seeded(range->name, 1));
    key = prompt_hash_mix(key ^ prompt_str_hash_seeded(range->after, 2));
    key = prompt_hash_mix(key ^ prompt_str_hash_seeded(range->category, 3));

    return prompt_hash_mix(key ^ range->first);
}


void
ngx_http_prompt_kept_find(ngx_http_prompt_reading_t *reading)
{
    ngx_uint_t     nmissing;
    prompt_mask_t  columns;

    switch (ngx_http_prompt_kept_look(reading, &nmissing, &columns)) {

    case NGX_OK:

        if (nmissing == 0) {
            ngx_http_prompt_write_short(reading);
            return;
        }

        ngx_http_prompt_kept_read(reading, nmissing, columns);
        return;

    case NGX_DECLINED:
        ngx_http_prompt_kept_again(reading);
        return;

    default:
        ngx_http_prompt_root_fail_nomem(reading->root);
    }
}


/* NGX_DECLINED: there are more than the other statements look at. */
static ngx_int_t
ngx_http_prompt_kept_look(ngx_http_prompt_reading_t *reading,
    ngx_uint_t *nmissing, prompt_mask_t *columns)
{
    prompt_mask_t            known;
    ngx_uint_t               i;
    prompt_record_t          prompt;
    ngx_http_prompt_kept_t  *kept;

    kept = &reading->kept;
    *nmissing = 0;
    *columns = kept->columns;

    kept->nprompts = ngx_http_prompt_tree_count(reading->tree);
    kept->prompts = prompt_arena_array(reading->root->job->arena,
                                       kept->nprompts,
                                       sizeof(prompt_kept_t *));
    if (kept->prompts == NULL) {
        return NGX_ERROR;
    }

    for (i = 0; i < kept->nprompts; i++) {
        ngx_http_prompt_tree_record(reading->tree, i, &prompt);

        if (!ngx_http_prompt_kept_wants(kept, i, &prompt)) {
            continue;
        }

        if ((uint32_t) prompt.last_version >= reading->range.max_rows) {
            return NGX_DECLINED;
        }

        known = kept->columns;
        kept->prompts[i] = prompt_version_cache_find(kept->cache, &prompt,
                                                     &known, ngx_current_msec);
        if (kept->prompts[i] == NULL) {
            (*nmissing)++;
            *columns |= known;
        }
    }

    return NGX_OK;
}


/* whether there are versions to be found of it, for the caller's eyes */
static bool
ngx_http_prompt_kept_wants(const ngx_http_prompt_kept_t *kept, ngx_uint_t i,
    const prompt_record_t *prompt)
{
    return kept->prompts[i] == NULL && prompt->allowed
           && prompt->last_version > 0;
}


/* The versions that are not there, while the rows of the prompts stay. */
static void
ngx_http_prompt_kept_read(ngx_http_prompt_reading_t *reading,
    ngx_uint_t nmissing, prompt_mask_t columns)
{
    prompt_query_t          *query;
    ngx_http_prompt_kept_t  *kept;
    ngx_http_prompt_root_t  *root;

    kept = &reading->kept;
    root = reading->root;

    if (!ngx_http_prompt_kept_ids(reading, nmissing)) {
        ngx_http_prompt_root_fail_nomem(root);
        return;
    }

    prompt_version_cache_missed(kept->cache, nmissing);
    ngx_http_prompt_root_swap(root, &kept->saved);

    if (ngx_http_prompt_root_begin(root, &query)) {
        ngx_http_prompt_root_send(root,
                                  prompt_version_read(query, &kept->missing,
                                                      NULL, columns),
                                  ngx_http_prompt_kept_read_done);
    }
}


/* false: memory */
static bool
ngx_http_prompt_kept_ids(ngx_http_prompt_reading_t *reading,
    ngx_uint_t nmissing)
{
    char                    *ids;
    ngx_uint_t               i, n;
    prompt_range_t          *missing;
    prompt_record_t          prompt;
    ngx_http_prompt_kept_t  *kept;

    kept = &reading->kept;
    missing = &kept->missing;

    ids = prompt_arena_array(reading->root->job->arena, nmissing,
                             PROMPT_UUID_LEN);
    if (ids == NULL) {
        return false;
    }

    for (i = 0, n = 0; i < kept->nprompts; i++) {
        ngx_http_prompt_tree_record(reading->tree, i, &prompt);

        if (ngx_http_prompt_kept_wants(kept, i, &prompt)) {
            ngx_memcpy(ids + n++ * PROMPT_UUID_LEN, prompt.id.data,
                       PROMPT_UUID_LEN);
        }
    }

    ngx_memzero(missing, sizeof(prompt_range_t));

    missing->caller = reading->range.caller;
    missing->max_rows = reading->range.max_rows;
    missing->max_bytes = reading->range.max_bytes;

    /* one prompt may be somebody else's */

    if (reading->list) {
        missing->kind = PROMPT_RANGE_IDS;
        missing->ids = prompt_str_of(ids, n * PROMPT_UUID_LEN);

    } else {
        missing->kind = PROMPT_RANGE_ID;
        missing->id = prompt_str_of(ids, PROMPT_UUID_LEN);
    }

    return true;
}


static void
ngx_http_prompt_kept_read_done(ngx_http_prompt_root_t *root)
{
    bool                        whole;
    const prompt_rows_t        *rows;
    const prompt_statement_t   *statement;
    ngx_http_prompt_kept_t     *kept;
    ngx_http_prompt_reading_t  *reading;

    reading = root->data;
    kept = &reading->kept;

    if (!ngx_http_prompt_root_succeeded(root)) {
        return;
    }

    rows = &root->result->rows[0];
    statement = root->query->bound[0].statement;

    whole = !prompt_rows_cut(&kept->missing, statement, rows)
            && ngx_http_prompt_kept_add(reading, statement, rows, false);

    ngx_http_prompt_root_release(root);
    ngx_http_prompt_root_swap(root, &kept->saved);

    if (!whole) {
        ngx_http_prompt_kept_again(reading);
        return;
    }

    ngx_http_prompt_write_short(reading);
}


/*
 * Puts in, and takes, what is missing; false: not all of it could be.  at_once:
 * the prompts were read at the same moment, and so there is nothing later.
 */
static bool
ngx_http_prompt_kept_add(ngx_http_prompt_reading_t *reading,
    const prompt_statement_t *statement, const prompt_rows_t *rows,
    bool at_once)
{
    bool                     whole;
    unsigned                 first, count;
    ngx_uint_t               i;
    prompt_record_t          prompt;
    ngx_http_prompt_kept_t  *kept;

    kept = &reading->kept;
    whole = true;
    first = 0;

    for (i = 0; i < kept->nprompts; i++) {
        ngx_http_prompt_tree_record(reading->tree, i, &prompt);

        count = ngx_http_prompt_kept_group(rows, &first, prompt.id);

        if (at_once && count != (unsigned) prompt.last_version
            && prompt.allowed)
        {
            whole = false;             /* somebody was at it by SQL */
            first += count;
            continue;
        }

        if (!ngx_http_prompt_kept_wants(kept, i, &prompt)) {
            first += count;
            continue;
        }

        kept->prompts[i] = prompt_version_cache_put(kept->cache, &prompt,
                                                    statement, rows, first,
                                                    count, ngx_current_msec);
        first += count;
        whole = whole && kept->prompts[i] != NULL;
    }

    return whole;
}


void
ngx_http_prompt_kept_put(ngx_http_prompt_reading_t *reading)
{
    const ngx_http_prompt_set_t  *set;
    ngx_http_prompt_kept_t       *kept;

    kept = &reading->kept;

    if (kept->cache == NULL || kept->number == NGX_HTTP_PROMPT_KEPT_NONE) {
        return;
    }

    kept->nprompts = ngx_http_prompt_tree_count(reading->tree);
    prompt_version_cache_missed(kept->cache, kept->nprompts);

    if (kept->state == PROMPT_KEPT_UNKNOWN) {
        kept->nprompts = 0;
        prompt_version_cache_know(kept->cache, kept->key, PROMPT_KEPT_ASKED);
        return;
    }

    set = &reading->tree->versions[kept->number];
    kept->prompts = prompt_arena_array(reading->root->job->arena,
                                       kept->nprompts,
                                       sizeof(prompt_kept_t *));

    prompt_version_cache_know(kept->cache, kept->key,
                              kept->prompts != NULL
                              && ngx_http_prompt_kept_add(reading,
                                                          set->statement,
                                                          set->rows, true)
                              ? PROMPT_KEPT_ALL : PROMPT_KEPT_UNKNOWN);

    ngx_http_prompt_kept_let_go(kept);
}


/* The rows of a prompt; those before them, whose prompts are not there, are
   left. */
static unsigned
ngx_http_prompt_kept_group(const prompt_rows_t *rows, unsigned *first,
    prompt_str_t id)
{
    int       order;
    unsigned  row;

    for (row = *first; row < rows->count; row++) {
        order = prompt_str_cmp(id, prompt_rows_cell(rows, row, 0));

        if (order > 0) {
            break;
        }

        if (order < 0) {
            *first = row + 1;
        }
    }

    return row - *first;
}


/* All of it, at one moment. */
static void
ngx_http_prompt_kept_again(ngx_http_prompt_reading_t *reading)
{
    ngx_http_prompt_kept_t  *kept;

    kept = &reading->kept;

    prompt_version_cache_know(kept->cache, kept->key, PROMPT_KEPT_UNKNOWN);

    ngx_http_prompt_kept_end(reading);
    ngx_http_prompt_root_release(reading->root);
    ngx_http_prompt_read_short(reading);
}


void
ngx_http_prompt_kept_end(ngx_http_prompt_reading_t *reading)
{
    ngx_http_prompt_kept_let_go(&reading->kept);
    ngx_http_prompt_postgres_free(reading->kept.saved.task);
    ngx_memzero(&reading->kept.saved, sizeof(ngx_http_prompt_root_saved_t));
}


static void
ngx_http_prompt_kept_let_go(ngx_http_prompt_kept_t *kept)
{
    ngx_uint_t  i;

    if (kept->prompts == NULL) {
        return;
    }

    for (i = 0; i < kept->nprompts; i++) {
        prompt_kept_release(kept->prompts[i]);
    }

    kept->prompts = NULL;
    kept->nprompts = 0;
}


void
ngx_http_prompt_resolve_kept(ngx_http_prompt_prompt_node_t *prompt,
    const gql_plan_field_t *field, gql_result_t *out)
{
    ngx_uint_t                             number;
    prompt_str_t                           text;
    ngx_http_prompt_set_t                 *set;
    ngx_http_prompt_tree_t                *tree;
    const ngx_http_prompt_project_list_t  *proj;

    tree = prompt->tree;
    number = *(ngx_uint_t *) field->data;
    set = &tree->versions[number];
    proj = &tree->proj->versions[number];

    set->next = 0;
    set->looked = 0;
    set->list.count = 0;
    set->list.written = NULL;

    /* the prompt that is being written is the one that was read last */

    set->kept = tree->kept->prompts[tree->prompts.next - 1];

    if (set->kept != NULL) {

        if (proj->form.data != NULL) {
            text = prompt_kept_text(set->kept, proj->form);

            if (text.data != NULL) {
                out->kind = GQL_RESULT_JSON_TEXT;
                out->u.text = text;
                return;
            }

            set->list.written = ngx_http_prompt_kept_written;
        }

        set->rows = prompt_kept_rows(set->kept);
        set->statement = prompt_kept_statement(set->kept);
        set->list.count = set->rows->count;
        set->item.version.record.prompt_id = prompt->record.id;
    }

    ngx_http_prompt_result_list(&set->list, out);
}


static void
ngx_http_prompt_kept_written(ngx_http_prompt_list_t *list,
    const gql_plan_field_t *field, prompt_str_t text)
{
    ngx_http_prompt_set_t  *set;

    set = (ngx_http_prompt_set_t *) list;

    prompt_kept_note(set->kept,
                     set->tree->proj->versions[*(ngx_uint_t *)
                                               field->data].form, text);
}
