/*
 * The statements, each made where it is first wanted.
 */

#include <stdio.h>
#include <stdlib.h>

#include "store/statement_impl.h"


/* twice the variants, so that probing ends soon */
#define PROMPT_STATEMENT_SLOTS  4096

/*
 * What PostgreSQL keeps of a statement, measured over all of them: for each
 * byte of its text, less of one for several, and for each look into executions,
 * which is planned for some months.
 */
#define PROMPT_STATEMENT_BYTE   128
#define PROMPT_STATEMENT_ROWS   72
#define PROMPT_STATEMENT_LOOK   (112 * 1024)

/*
 * For fewer rows, one statement each costs PostgreSQL less; of those that call
 * functions, even two.
 */
#define PROMPT_STATEMENT_FEW    3
#define PROMPT_STATEMENT_CALLS  2


/* a statement that was made: its text follows in the same block */
typedef struct {
    prompt_statement_t  statement;
    prompt_mask_t       guarded;     /* by the columns of the result */
    char                name[40];
    uint32_t            types[];     /* and the text, and by */
} prompt_made_t;


typedef struct {
    const char             *name;
    const prompt_source_t  *source;
    unsigned                rows;    /* 0: one */
} prompt_fixed_t;

#define PROMPT_STATEMENT_FIXED_ENTRY(id, name)                               \
    { #name, &prompt_sql_##name, 0 },
#define PROMPT_STATEMENT_MANY_ENTRY(id, name, rows)                          \
    { #name "_" #rows, &prompt_sql_##name, rows },

static const prompt_fixed_t  prompt_fixed[PROMPT_STATEMENT_FIXED] = {
    PROMPT_STATEMENTS(PROMPT_STATEMENT_FIXED_ENTRY)
    PROMPT_STATEMENTS_MANY(PROMPT_STATEMENT_MANY_ENTRY)
};


/* by id: fixed ones, families with all their columns, variants */
static prompt_made_t  *prompt_made[PROMPT_STATEMENT_MAX];

static unsigned  prompt_made_variants;

/* what a family always reads; 0: not asked for yet; and what is BESIDE */
static prompt_mask_t  prompt_small[PROMPT_FAMILY_COUNT];
static prompt_mask_t  prompt_beside[PROMPT_FAMILY_COUNT];

/* ids of variants, by family and mask; 0: free */
static uint16_t  prompt_slots[PROMPT_STATEMENT_SLOTS];
static uint64_t  prompt_slot_keys[PROMPT_STATEMENT_SLOTS];


/* the families of a resource follow one another in this order of ids */
static const struct {
    prompt_family_id_t      first;
    const prompt_family_t  *families;
} prompt_families[] = {
    { PROMPT_FAMILY_RUN_CELLS, prompt_run_families },
    { PROMPT_FAMILY_LOG_PROMPTS_PAGE, prompt_log_prompt_families },
    { PROMPT_FAMILY_LOG_PAGE, prompt_log_families },
    { PROMPT_FAMILY_MOVE_BY_ID, prompt_move_families },
    { PROMPT_FAMILY_LABEL_BY_ID, prompt_label_families },
    { PROMPT_FAMILY_EXECUTION_BY_ID, prompt_execution_families },
    { PROMPT_FAMILY_VERSION_BY_ID, prompt_version_families },
    { PROMPT_FAMILY_PROMPT_BY_ID, prompt_prompt_families }
};


static const prompt_family_t *
prompt_family(prompt_family_id_t id, unsigned *index)
{
    size_t  i;

    for (i = 0; id < prompt_families[i].first; i++) {
        /* void */
    }

    *index = id - prompt_families[i].first;

    return &prompt_families[i].families[*index];
}


static size_t
prompt_statement_weigh(const char *sql, unsigned rows)
{
    size_t       weight;
    const char  *look;

    static const char  executions[] = " FROM executions ";

    weight = strlen(sql)
             * (rows != 0 ? PROMPT_STATEMENT_ROWS : PROMPT_STATEMENT_BYTE);

    for (look = strstr(sql, executions); look != NULL;
         look = strstr(look + 1, executions))
    {
        weight += PROMPT_STATEMENT_LOOK;
    }

    return weight;
}


/* Keeps what was written, with name, columns and effect; frees the text. */
static const prompt_statement_t *
prompt_statement_make(unsigned id, prompt_statement_text_t *text,
    const prompt_statement_t *with)
{
    char           *sql;
    unsigned        i, nparams;
    uint8_t        *by;
    prompt_made_t  *made;

    made = NULL;
    nparams = text->nparams * (text->rows != 0 ? text->rows : 1);

    if (text->sql.status == PROMPT_BUF_OK
        && text->nparams <= PROMPT_STORE_MAX_PARAMS)
    {
        made = calloc(1, sizeof(prompt_made_t) + nparams * sizeof(uint32_t)
                         + text->sql.len + text->nparams);
    }

    if (made != NULL) {
        sql = (char *) &made->types[nparams];

        memcpy(sql, text->sql.data, text->sql.len);
        by = memcpy(sql + text->sql.len, text->by, text->nparams);
        (void) snprintf(made->name, sizeof(made->name), "%s", with->name);

        for (i = 0; i < nparams; i++) {
            made->types[i] =
                      prompt_statement_type(text->params[i % text->nparams]);
        }

        made->guarded = text->guarded;
        made->statement = *with;
        made->statement.id = id;
        made->statement.name = made->name;
        made->statement.sql = sql;
        made->statement.nparams = nparams;
        made->statement.types = made->types;
        made->statement.ncolumns = text->ncolumns;
        made->statement.by = text->nby != 0 ? by : NULL;
        made->statement.weight = prompt_statement_weigh(sql, with->rows);

        prompt_made[id] = made;
    }

    prompt_buf_free(&text->sql);

    return made != NULL ? &made->statement : NULL;
}


static const prompt_statement_t *
prompt_variant_make(prompt_family_id_t id, unsigned made, prompt_mask_t mask)
{
    char                      name[40];
    unsigned                  index;
    prompt_statement_t        with;
    const prompt_family_t    *family;
    prompt_statement_text_t   text;

    family = prompt_family(id, &index);

    prompt_statement_write_family(&text, family,
                                  id < PROMPT_FAMILY_LOG_PAGE
                                  ? prompt_range_params[index] : "",
                                  mask);

    (void) snprintf(name, sizeof(name), "%s_%llx", family->name,
                    (unsigned long long) mask);

    memset(&with, 0, sizeof(prompt_statement_t));
    with.name = name;
    with.columns = mask;

    return prompt_statement_make(made, &text, &with);
}


const prompt_statement_t *
prompt_statement_family(prompt_family_id_t id, prompt_mask_t mask)
{
    size_t                     slot;
    prompt_mask_t              all;
    uint64_t                   key;
    unsigned                   index, made;
    const prompt_family_t     *family;
    const prompt_statement_t  *statement;

    family = prompt_family(id, &index);
    all = PROMPT_MASK_ALL(family->resource);

    if (prompt_small[id] == 0) {
        prompt_small[id] = prompt_columns_small(family->resource);
        prompt_beside[id] = prompt_columns_with(family->resource,
                                                PROMPT_COLUMN_BESIDE);
    }

    mask = (mask & all) | prompt_small[id];
    mask |= (mask & prompt_beside[id]) >> 1 | (mask << 1 & prompt_beside[id]);

    key = ((uint64_t) id << PROMPT_COLUMNS_MAX) | mask;
    slot = (size_t) ((key * UINT64_C(0x9e3779b97f4a7c15)) >> 52);
    made = PROMPT_STATEMENT_FIXED + (unsigned) id;

    if (mask != all) {

        while (prompt_slots[slot] != 0) {

            if (prompt_slot_keys[slot] == key) {
                return &prompt_made[prompt_slots[slot]]->statement;
            }

            slot = (slot + 1) % PROMPT_STATEMENT_SLOTS;
        }

        if (prompt_made_variants < PROMPT_STATEMENT_VARIANTS) {
            made = PROMPT_STATEMENT_FIXED + PROMPT_FAMILY_COUNT
                   + prompt_made_variants;

        } else {
            mask = all;
        }
    }

    if (prompt_made[made] != NULL) {
        return &prompt_made[made]->statement;
    }

    statement = prompt_variant_make(id, made, mask);

    if (statement != NULL && mask != all) {
        prompt_made_variants++;
        prompt_slots[slot] = (uint16_t) made;
        prompt_slot_keys[slot] = key;
    }

    return statement;
}


const prompt_statement_t *
prompt_statement_fixed(prompt_statement_id_t id)
{
    prompt_statement_t        with;
    const prompt_source_t    *source;
    prompt_statement_text_t   text;

    if (prompt_made[id] != NULL) {
        return &prompt_made[id]->statement;
    }

    source = prompt_fixed[id].source;
    prompt_statement_write(&text, source->sql, source->params,
                           prompt_fixed[id].rows);
    text.ncolumns += source->ncolumns;

    memset(&with, 0, sizeof(prompt_statement_t));
    with.name = prompt_fixed[id].name;
    with.effect = source->effect;
    with.rows = prompt_fixed[id].rows;

    return prompt_statement_make((unsigned) id, &text, &with);
}


const prompt_statement_t *
prompt_statement_many(const prompt_statement_t *statement, unsigned count)
{
    unsigned                i;
    const prompt_source_t  *source;

    if (count < (statement->ncolumns > 1
                 && statement->effect == PROMPT_STATEMENT_COMMITS
                 ? PROMPT_STATEMENT_CALLS : PROMPT_STATEMENT_FEW)
        || statement->id >= PROMPT_STATEMENT_MANY_FIRST
        || prompt_made[statement->id] == NULL
        || &prompt_made[statement->id]->statement != statement)
    {
        return NULL;
    }

    source = prompt_fixed[statement->id].source;

    for (i = PROMPT_STATEMENT_MANY_FIRST; i < PROMPT_STATEMENT_FIXED; i++) {

        if (prompt_fixed[i].source == source && count <= prompt_fixed[i].rows) {
            return prompt_statement_fixed((prompt_statement_id_t) i);
        }
    }

    return NULL;
}


prompt_mask_t
prompt_statement_guarded(const prompt_statement_t *statement)
{
    return prompt_made[statement->id]->guarded;
}


void
prompt_statement_free_all(void)
{
    size_t  i;

    for (i = 0; i < PROMPT_STATEMENT_MAX; i++) {
        free(prompt_made[i]);
        prompt_made[i] = NULL;
    }

    memset(prompt_slots, 0, sizeof(prompt_slots));
    prompt_made_variants = 0;
}
