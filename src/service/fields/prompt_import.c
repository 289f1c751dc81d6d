/*
 * importPrompts, and the fields of ImportResult.
 *
 * What is given is checked in steps, each item as its own mutation would, and
 * becomes rows; then one statement of the store (store/import.h) compares,
 * decides and does.  Faults are gathered, so that one answer tells many; what
 * is said of those rows is in prompt_import_answer.c.
 *
 * What is made of an import is larger than it is itself: it waits for room.
 */

#include "service/fields/fields.h"
#include "service/fields/prompt_import_impl.h"
#include "service/fields/room.h"

#include "prompt/name.h"
#include "service/frame/arguments.h"
#include "service/frame/input.h"
#include "service/upkeep/removal.h"
#include "service/worker/worker.h"
#include "store/sqlstate.h"


/* a step of checking: bytes written, items looked at */
#define NGX_HTTP_PROMPT_IMPORT_STEP    (256 * 1024)
#define NGX_HTTP_PROMPT_IMPORT_ITEMS   200

/* bytes of a list: with escapes and ids it is longer than what was given */
#define NGX_HTTP_PROMPT_IMPORT_MEMORY  (30 * 1024 * 1024)

/* as somebody else may create one of the prompts at this very moment */
#define NGX_HTTP_PROMPT_IMPORT_TRIES   4


static void ngx_http_prompt_import(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_import_free(void *data);
static void ngx_http_prompt_import_reserve(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_import_release(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_import_step(ngx_http_prompt_root_t *root);
static bool ngx_http_prompt_import_exceeds(
    const ngx_http_prompt_import_t *import);
static bool ngx_http_prompt_import_prompt(ngx_http_prompt_root_t *root,
    ngx_http_prompt_import_t *import) PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_import_label(ngx_http_prompt_root_t *root,
    ngx_http_prompt_import_t *import, uint32_t place,
    const prompt_json_t *given) PROMPT_WARN_UNUSED;
static bool ngx_http_prompt_import_version(ngx_http_prompt_root_t *root,
    ngx_http_prompt_import_t *import) PROMPT_WARN_UNUSED;
static int32_t ngx_http_prompt_import_number(const prompt_json_t *object);
static bool ngx_http_prompt_import_flag(const prompt_json_t *arguments,
    const char *name);
static void ngx_http_prompt_import_send(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_import_done(ngx_http_prompt_root_t *root);


#define result(member)                                                       \
    .offset = offsetof(ngx_http_prompt_import_t, member)

ngx_http_prompt_field_t  ngx_http_prompt_import_fields[] = {

    { .type = "Mutation", .name = "importPrompts",
      .scope = PROMPT_KEY_SCOPE_WRITE,
      .compile = ngx_http_prompt_compile_whole,
      .start = ngx_http_prompt_import },

    { .type = "ImportResult", .name = "created",
      .resolve = ngx_http_prompt_slot_int, result(created) },
    { .type = "ImportResult", .name = "changed",
      .resolve = ngx_http_prompt_slot_int, result(changed) },
    { .type = "ImportResult", .name = "deleted",
      .resolve = ngx_http_prompt_slot_int, result(deleted) },
    { .type = "ImportResult", .name = "changes",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_slot_list, result(list) },

    { .type = "ImportChange", .name = "prompt",
      .resolve = ngx_http_prompt_slot_text, result(change.prompt) },
    { .type = "ImportChange", .name = "what",
      .resolve = ngx_http_prompt_slot_text, result(change.what) },
    { .type = "ImportChange", .name = "version",
      .resolve = ngx_http_prompt_slot_maybe_int, result(change.version) },
    { .type = "ImportChange", .name = "label",
      .resolve = ngx_http_prompt_slot_text, result(change.label) },

    { .type = NULL }
};


static void
ngx_http_prompt_import(ngx_http_prompt_root_t *root)
{
    size_t                     i;
    ngx_pool_cleanup_t        *cln;
    const prompt_json_t       *prompts;
    ngx_http_prompt_import_t  *import;

    prompts = prompt_json_get(root->arguments, prompt_str("prompts"));

    cln = ngx_pool_cleanup_add(root->job->request->pool,
                               sizeof(ngx_http_prompt_import_t));
    if (cln == NULL) {
        ngx_http_prompt_root_fail_nomem(root);
        return;
    }

    import = cln->data;
    cln->handler = ngx_http_prompt_import_free;

    ngx_memzero(import, sizeof(ngx_http_prompt_import_t));

    for (i = 0; i < PROMPT_IMPORT_LISTS; i++) {
        prompt_buf_init(&import->rows.lists[i], NGX_HTTP_PROMPT_IMPORT_MEMORY);
    }

    import->prompt = prompts->first;
    import->rows.max_labels = PROMPT_LIMIT_LABELS;
    import->rows.max_deletions = PROMPT_LIMIT_IMPORT;
    import->rows.dry = ngx_http_prompt_import_flag(root->arguments,
                                                   "dryRun");
    import->rows.deletes = ngx_http_prompt_import_flag(root->arguments,
                                                       "delete");

    import->names = prompt_arena_alloc(root->job->arena,
                                       (prompts->count + 1)
                                       * sizeof(prompt_str_t));
    root->faults = prompt_json_new(root->job->arena, PROMPT_JSON_ARRAY);

    if (import->names == NULL || root->faults == NULL) {
        ngx_http_prompt_root_fail_nomem(root);
        return;
    }

    if (ngx_http_prompt_new_id(root, &import->now)) {
        ngx_http_prompt_read_other(root, import, false,
                                   ngx_http_prompt_import_reserve);
    }
}


/* The request ends; when there is an answer nothing is left. */
static void
ngx_http_prompt_import_free(void *data)
{
    ngx_http_prompt_import_t  *import = data;

    size_t  i;

    for (i = 0; i < PROMPT_IMPORT_LISTS; i++) {
        prompt_buf_free(&import->rows.lists[i]);
    }
}


static void
ngx_http_prompt_import_reserve(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_room_wait(root, ngx_http_prompt_import_step);
}


/* What was made of it, and the room; completes nothing. */
static void
ngx_http_prompt_import_release(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_import_free(ngx_http_prompt_other(root));
    ngx_http_prompt_room_leave(root);
}


static bool
ngx_http_prompt_import_flag(const prompt_json_t *arguments, const char *name)
{
    const prompt_json_t  *value;

    value = ngx_http_prompt_argument(arguments, prompt_str_from(name));

    return value != NULL && value->boolean;
}


static void
ngx_http_prompt_import_step(ngx_http_prompt_root_t *root)
{
    bool                       fine;
    size_t                     begin, faults;
    ngx_uint_t                 i;
    ngx_http_prompt_import_t  *import;

    import = ngx_http_prompt_other(root);
    begin = import->bytes;

    for (i = 0; i < NGX_HTTP_PROMPT_IMPORT_ITEMS; i++) {

        if (import->bytes - begin > NGX_HTTP_PROMPT_IMPORT_STEP) {
            break;
        }

        if (ngx_http_prompt_import_exceeds(import)) {
            ngx_http_prompt_import_release(root);
            root->faults = NULL;
            root->within = prompt_str_absent;
            ngx_http_prompt_root_wrong(root, "prompts",
                       "An import has at most %d prompts, as many versions and "
                       "as many labels, and %d MiB of texts and JSON.",
                       PROMPT_LIMIT_IMPORT,
                       PROMPT_LIMIT_IMPORT_BYTES / 1024 / 1024);
            return;
        }

        if (import->version == NULL && import->prompt == NULL) {
            root->within = prompt_str_absent;
            prompt_import_end(&import->rows);
            ngx_http_prompt_import_send(root);
            return;
        }

        faults = root->faults->count;

        fine = import->version != NULL
               ? ngx_http_prompt_import_version(root, import)
               : ngx_http_prompt_import_prompt(root, import);

        if (!fine && root->faults->count == faults) {
            return;                    /* memory: it was completed */
        }

        if (root->faults->count >= NGX_HTTP_PROMPT_IMPORT_FAULTS) {
            ngx_http_prompt_import_release(root);
            ngx_http_prompt_root_fail_faults(root);
            return;
        }
    }

    ngx_http_prompt_other_later(root);
}


static bool
ngx_http_prompt_import_exceeds(const ngx_http_prompt_import_t *import)
{
    return import->bytes > PROMPT_LIMIT_IMPORT_BYTES
           || import->count > PROMPT_LIMIT_IMPORT
           || import->rows.counts[PROMPT_IMPORT_VERSIONS] > PROMPT_LIMIT_IMPORT
           || import->rows.counts[PROMPT_IMPORT_LABELS_SET]
              > PROMPT_LIMIT_IMPORT;
}


static bool
ngx_http_prompt_import_prompt(ngx_http_prompt_root_t *root,
    ngx_http_prompt_import_t *import)
{
    uint32_t              place;
    prompt_mask_t         mask;
    prompt_record_t       prompt;
    const prompt_json_t  *given, *labels, *label;

    given = import->prompt;

    import->prompt = given->next;
    import->version = prompt_json_get(given, prompt_str("versions"))->first;
    import->count++;
    import->place = 0;
    import->previous = 0;

    ngx_memzero(&prompt, sizeof(prompt_record_t));

    prompt.owner_id = ngx_http_prompt_caller(root);
    prompt.category = prompt_str("GENERAL");

    if (!ngx_http_prompt_import_within(root, import->count - 1, NULL, 0)
        || !ngx_http_prompt_input_change(root, ngx_http_prompt_prompt_fields,
                                         "Prompt", given, &prompt, &mask)
        || !ngx_http_prompt_new_id(root, &prompt.id))
    {
        return false;
    }

    import->names[import->count - 1] = prompt.name;
    import->bytes += prompt.name.len + prompt.description.len;

    prompt_import_prompt(&import->rows, mask, &prompt);

    labels = ngx_http_prompt_argument(given, prompt_str("labels"));
    place = 0;

    for (label = labels != NULL ? labels->first : NULL;
         label != NULL;
         label = label->next)
    {
        if (!ngx_http_prompt_import_label(root, import, place++, label)) {
            return false;
        }
    }

    return true;
}


static bool
ngx_http_prompt_import_label(ngx_http_prompt_root_t *root,
    ngx_http_prompt_import_t *import, uint32_t place,
    const prompt_json_t *given)
{
    prompt_str_t    move;
    prompt_fault_t  fault;
    prompt_label_t  label;

    label.label = ngx_http_prompt_argument_text(given, prompt_str("label"));
    label.version = ngx_http_prompt_import_number(given);

    if (!ngx_http_prompt_import_within(root, import->count - 1, "labels",
                                       place)
        || !ngx_http_prompt_passed(root,
                                   prompt_label(root->job->arena, label.label,
                                                &fault),
                                   &fault)
        || !ngx_http_prompt_new_id(root, &move))
    {
        return false;
    }

    prompt_import_label(&import->rows, place, &label, move);

    return true;
}


static bool
ngx_http_prompt_import_version(ngx_http_prompt_root_t *root,
    ngx_http_prompt_import_t *import)
{
    int32_t               previous;
    uint32_t              place;
    prompt_version_t      version;
    const prompt_json_t  *given;

    given = import->version;
    place = import->place++;
    previous = import->previous;

    ngx_memzero(&version, sizeof(prompt_version_t));

    version.version = ngx_http_prompt_import_number(given);

    import->version = given->next;
    import->previous = version.version;

    if (!ngx_http_prompt_import_within(root, import->count - 1, "versions",
                                       place))
    {
        return false;
    }

    if (version.version <= previous) {
        return ngx_http_prompt_root_wrong(root, "version",
                   "version must be greater than %d.", (int) previous);
    }

    if (!ngx_http_prompt_version_read(root, given, &version)
        || !ngx_http_prompt_new_id(root, &version.id))
    {
        return false;
    }

    import->bytes += version.content.len + version.params.len
                     + version.input_schema.len + version.output_schema.len
                     + version.messages.cell.len;

    prompt_import_version(&import->rows, place, previous, &version);

    return true;
}


bool
ngx_http_prompt_import_within(ngx_http_prompt_root_t *root, uint32_t prompt,
    const char *list, uint32_t place)
{
    prompt_arena_t  *arena;

    arena = root->job->arena;

    root->within = list == NULL
                   ? prompt_arena_printf(arena, "prompts.%u.", prompt)
                   : prompt_arena_printf(arena, "prompts.%u.%s.%u.", prompt,
                                         list, place);

    if (root->within.data == NULL) {
        return ngx_http_prompt_root_fail_nomem(root);
    }

    return true;
}


/* Int!: an integer of 32 bits */
static int32_t
ngx_http_prompt_import_number(const prompt_json_t *object)
{
    int64_t  number;

    number = 0;
    (void) prompt_json_integer(prompt_json_get(object, prompt_str("version")),
                               &number);
    return (int32_t) number;
}


static void
ngx_http_prompt_import_send(ngx_http_prompt_root_t *root)
{
    bool                       bound;
    prompt_query_t            *query;
    ngx_http_prompt_import_t  *import;

    if (root->faults->count != 0) {
        ngx_http_prompt_import_release(root);
        ngx_http_prompt_root_fail_faults(root);
        return;
    }

    import = ngx_http_prompt_other(root);
    import->tries++;
    root->id = prompt_str("");         /* it makes many */

    if (ngx_http_prompt_other_query(root, &query)) {
        bound = prompt_import(query, ngx_http_prompt_caller(root),
                              &import->rows, import->now, &import->statement);

        /* those of a user would wait for each other's rows, and a connection
           with each of them */

        query->alone = true;
        query->locks = ngx_http_prompt_caller(root);

        ngx_http_prompt_root_send(root, bound, ngx_http_prompt_import_done);
    }
}


static void
ngx_http_prompt_import_done(ngx_http_prompt_root_t *root)
{
    prompt_str_t               state;
    gql_result_t               result;
    prompt_import_row_t        row;
    ngx_http_prompt_import_t  *import;

    import = ngx_http_prompt_other(root);
    state = prompt_str_from(root->result->sqlstate);

    if (root->result->status == NGX_HTTP_PROMPT_POSTGRES_ERROR
        && (prompt_sqlstate(state) == PROMPT_SQL_DUPLICATE
            || prompt_sqlstate(state) == PROMPT_SQL_RETRY)
        && import->tries < NGX_HTTP_PROMPT_IMPORT_TRIES)
    {
        ngx_http_prompt_import_send(root);
        return;
    }

    ngx_http_prompt_import_release(root);

    if (!ngx_http_prompt_root_succeeded(root)) {
        return;
    }

    import->answer = &root->result->rows[import->statement];

    if (import->answer->count != 0) {
        prompt_import_row(import->answer, 0, &row);

        if (row.kind >= PROMPT_IMPORT_PROMPTS_QUOTA) {
            root->faults = NULL;
            (void) ngx_http_prompt_fail_quota(root,
                       row.kind == PROMPT_IMPORT_PROMPTS_QUOTA ? "prompts"
                       : row.kind == PROMPT_IMPORT_BYTES_QUOTA ? "bytes"
                       : "versions");
            return;
        }

        if (row.kind >= PROMPT_IMPORT_FAULT) {
            ngx_http_prompt_import_faults(root, import);
            return;
        }
    }

    root->faults = NULL;
    ngx_http_prompt_import_count(import);

    if (import->deleted != 0 && !import->rows.dry) {
        ngx_http_prompt_removal_begin(
            ngx_http_prompt_get_worker(root->job->request), NULL);
    }

    ngx_http_prompt_import_shows(root, import);

    import->list.item = ngx_http_prompt_import_item;
    import->list.count = import->answer->count;

    ngx_http_prompt_result_object(import, &result);

    ngx_http_prompt_write_other(root, &result);
}
