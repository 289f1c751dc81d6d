/*
 * The table of statements, and the making of shapes.
 */

#include <stdio.h>
#include <stdlib.h>

#include "store/statement_table.h"


/* twice the variants, so that probing ends soon */
#define PROMPT_STATEMENT_SLOTS  512


/* a statement that was made: its text follows in the same block */
typedef struct {
    prompt_statement_t  statement;
    uint32_t            guarded;     /* by the columns of the result */
    char                name[40];
    char                sql[];
} prompt_variant_t;


static const prompt_shape_t *prompt_shape(prompt_shape_id_t id);
static prompt_variant_t *prompt_variant_make(const prompt_shape_t *shape,
    unsigned id, uint32_t mask);
static size_t prompt_variant_write(const prompt_shape_t *shape,
    uint32_t mask, char *sql, size_t size);
static size_t prompt_variant_append(char *sql, size_t size, size_t len,
    const char *text);


static const prompt_statement_t *const
    prompt_statements[PROMPT_STATEMENT_FIXED] =
{
    [PROMPT_STATEMENT_SCHEMA_VERSION] = &prompt_sql_schema_version,
    [PROMPT_STATEMENT_SNAPSHOT] = &prompt_sql_snapshot,
    [PROMPT_STATEMENT_API_KEY_BY_HASH] = &prompt_sql_api_key_by_hash,
    [PROMPT_STATEMENT_API_KEY_LIST] = &prompt_sql_api_key_list,
    [PROMPT_STATEMENT_API_KEY_CREATE] = &prompt_sql_api_key_create,
    [PROMPT_STATEMENT_API_KEY_DELETE] = &prompt_sql_api_key_delete,
    [PROMPT_STATEMENT_API_KEY_DELETE_ANY] = &prompt_sql_api_key_delete_any,
    [PROMPT_STATEMENT_USER_BY_ID] = &prompt_sql_user_by_id,
    [PROMPT_STATEMENT_USER_BY_EMAIL] = &prompt_sql_user_by_email,
    [PROMPT_STATEMENT_USER_OF_PROMPT] = &prompt_sql_user_of_prompt,
    [PROMPT_STATEMENT_USER_ADD] = &prompt_sql_user_add,
    [PROMPT_STATEMENT_USER_LIST] = &prompt_sql_user_list,
    [PROMPT_STATEMENT_PROMPT_CREATE] = &prompt_sql_prompt_create,
    [PROMPT_STATEMENT_PROMPT_UPDATE] = &prompt_sql_prompt_update,
    [PROMPT_STATEMENT_PROMPT_FORK] = &prompt_sql_prompt_fork,
    [PROMPT_STATEMENT_PROMPT_FORK_STEP] = &prompt_sql_prompt_fork_step,
    [PROMPT_STATEMENT_PROMPT_FORK_END] = &prompt_sql_prompt_fork_end,
    [PROMPT_STATEMENT_PROMPT_FORK_ABANDON] = &prompt_sql_prompt_fork_abandon,
    [PROMPT_STATEMENT_PROMPT_DELETE] = &prompt_sql_prompt_delete,
    [PROMPT_STATEMENT_PROMPT_REMOVE] = &prompt_sql_prompt_remove,
    [PROMPT_STATEMENT_PROMPT_SWEEP] = &prompt_sql_prompt_sweep,
    [PROMPT_STATEMENT_PROMPT_SEARCH] = &prompt_sql_prompt_search,
    [PROMPT_STATEMENT_VERSION_CREATE] = &prompt_sql_version_create,
    [PROMPT_STATEMENT_EXECUTION_TARGET] = &prompt_sql_execution_target,
    [PROMPT_STATEMENT_EXECUTION_START] = &prompt_sql_execution_start,
    [PROMPT_STATEMENT_EXECUTION_FINISH] = &prompt_sql_execution_finish,
    [PROMPT_STATEMENT_EXECUTION_SWEEP] = &prompt_sql_execution_sweep
};


/* what was made, by id; first come the shapes with all their columns */
static prompt_variant_t
    *prompt_made[PROMPT_SHAPE_COUNT + PROMPT_STATEMENT_VARIANTS];

static unsigned  prompt_made_variants;

/* index into prompt_made + 1, by shape and mask; 0: free */
static uint16_t  prompt_slots[PROMPT_STATEMENT_SLOTS];
static uint32_t  prompt_slot_keys[PROMPT_STATEMENT_SLOTS];


const prompt_statement_t *
prompt_statement_shape(prompt_shape_id_t id, uint32_t mask)
{
    size_t                 slot;
    uint32_t               all, key;
    unsigned               index;
    prompt_variant_t      *variant;
    const prompt_shape_t  *shape;

    shape = prompt_shape(id);
    all = (UINT32_C(1) << shape->ncolumns) - 1;
    mask &= all;

    key = ((uint32_t) id << 16) | mask;
    slot = (key * UINT32_C(2654435761)) >> 23;
    index = (unsigned) id;

    if (mask != all) {

        while (prompt_slots[slot] != 0) {

            if (prompt_slot_keys[slot] == key) {
                return &prompt_made[prompt_slots[slot] - 1]->statement;
            }

            slot = (slot + 1) % PROMPT_STATEMENT_SLOTS;
        }

        if (prompt_made_variants < PROMPT_STATEMENT_VARIANTS) {
            index = PROMPT_SHAPE_COUNT + prompt_made_variants;

        } else {
            mask = all;
        }
    }

    if (prompt_made[index] != NULL) {
        return &prompt_made[index]->statement;
    }

    variant = prompt_variant_make(shape, PROMPT_STATEMENT_FIXED + index, mask);
    if (variant == NULL) {
        return NULL;
    }

    prompt_made[index] = variant;

    if (mask != all) {
        prompt_made_variants++;
        prompt_slots[slot] = (uint16_t) (index + 1);
        prompt_slot_keys[slot] = key;
    }

    return &variant->statement;
}


static const prompt_shape_t *
prompt_shape(prompt_shape_id_t id)
{
    if (id >= PROMPT_SHAPE_EXECUTION_BY_ID) {
        return &prompt_execution_shapes[id - PROMPT_SHAPE_EXECUTION_BY_ID];
    }

    if (id >= PROMPT_SHAPE_VERSION_BY_ID) {
        return &prompt_version_shapes[id - PROMPT_SHAPE_VERSION_BY_ID];
    }

    return &prompt_prompt_shapes[id];
}


static prompt_variant_t *
prompt_variant_make(const prompt_shape_t *shape, unsigned id, uint32_t mask)
{
    size_t             size;
    uint32_t           bits;
    unsigned           ncolumns;
    prompt_variant_t  *variant;

    size = prompt_variant_write(shape, mask, NULL, 0) + 1;

    variant = calloc(1, sizeof(prompt_variant_t) + size);
    if (variant == NULL) {
        return NULL;
    }

    (void) prompt_variant_write(shape, mask, variant->sql, size);

    (void) snprintf(variant->name, sizeof(variant->name), "%s_%x",
                    shape->name, (unsigned) mask);

    ncolumns = shape->nalways;

    for (bits = 0; bits < shape->ncolumns; bits++) {

        if ((mask & (UINT32_C(1) << bits)) == 0) {
            continue;
        }

        if (shape->guarded & (UINT32_C(1) << bits)) {
            variant->guarded |= UINT32_C(1) << ncolumns;
        }

        ncolumns++;
    }

    variant->statement.id = id;
    variant->statement.name = variant->name;
    variant->statement.sql = variant->sql;
    variant->statement.nparams = shape->nparams;
    variant->statement.types = shape->types;
    variant->statement.ncolumns = ncolumns;
    variant->statement.columns = mask;

    return variant;
}


/* Returns the length of the text; writes it where it fits into size. */

static size_t
prompt_variant_write(const prompt_shape_t *shape, uint32_t mask, char *sql,
    size_t size)
{
    size_t    len;
    unsigned  i;

    len = prompt_variant_append(sql, size, 0, "SELECT ");
    len = prompt_variant_append(sql, size, len, shape->always);

    for (i = 0; i < shape->ncolumns; i++) {

        if ((mask & (UINT32_C(1) << i)) == 0) {
            continue;
        }

        len = prompt_variant_append(sql, size, len, ", ");
        len = prompt_variant_append(sql, size, len, shape->columns[i]);
    }

    len = prompt_variant_append(sql, size, len, " ");

    return prompt_variant_append(sql, size, len, shape->tail);
}


static size_t
prompt_variant_append(char *sql, size_t size, size_t len, const char *text)
{
    size_t  n;

    n = strlen(text);

    /* the block is zeroed: the text ends with NUL wherever it stops */

    if (len + n < size) {
        memcpy(sql + len, text, n);
    }

    return len + n;
}


const prompt_statement_t *
prompt_statement_fixed(prompt_statement_id_t id)
{
    return prompt_statements[id];
}


const prompt_statement_t *
prompt_statement_by_id(unsigned id)
{
    if (id < PROMPT_STATEMENT_FIXED) {
        return prompt_statements[id];
    }

    if (id >= PROMPT_STATEMENT_MAX
        || prompt_made[id - PROMPT_STATEMENT_FIXED] == NULL)
    {
        return NULL;
    }

    return &prompt_made[id - PROMPT_STATEMENT_FIXED]->statement;
}


uint32_t
prompt_statement_guarded(const prompt_statement_t *statement)
{
    return statement->id < PROMPT_STATEMENT_FIXED
           ? 0 : prompt_made[statement->id - PROMPT_STATEMENT_FIXED]->guarded;
}


void
prompt_statement_free_all(void)
{
    size_t  i;

    for (i = 0; i < sizeof(prompt_made) / sizeof(prompt_made[0]); i++) {
        free(prompt_made[i]);
        prompt_made[i] = NULL;
    }

    memset(prompt_slots, 0, sizeof(prompt_slots));
    prompt_made_variants = 0;
}


prompt_str_t
prompt_shape_cell(const prompt_statement_t *statement,
    const prompt_rows_t *rows, unsigned row, uint32_t bit, unsigned *column)
{
    if ((statement->columns & bit) == 0) {
        return prompt_str_absent;
    }

    return prompt_rows_cell(rows, row, (*column)++);
}
