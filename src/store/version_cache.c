/*
 * Versions that were read, kept in memory.
 *
 * What is kept of a prompt is one block: the places of its cells, and behind
 * them the cells.  It is counted; the cache itself is a reference.
 */

#include "store/version_cache.h"

#include "base/lru.h"

#include <stdlib.h>


/* questions of which something is known; a power of two */
#define PROMPT_KEPT_QUESTIONS  8192

/* the bits of their keys that say what */
#define PROMPT_KEPT_STATE      UINT64_C(3)

/* of a prompt, as most have them */
#define PROMPT_KEPT_USUAL      2048


typedef struct prompt_kept_text_s  prompt_kept_text_t;

struct prompt_kept_text_s {
    prompt_kept_text_t  *next;
    prompt_str_t         form;       /* both stand behind it */
    prompt_str_t         text;
};


/* a cell: where it begins; UINT32_MAX long: SQL NULL */
typedef struct {
    uint32_t  start;
    uint32_t  len;
} prompt_kept_cell_t;


struct prompt_kept_s {
    prompt_lru_entry_t         entry;            /* with its texts */
    unsigned                   refs;

    char                       id[PROMPT_UUID_LEN];
    int32_t                    last_version;
    int64_t                    updated_at;
    uint64_t                   since;

    prompt_kept_text_t        *texts;
    unsigned                   ntexts;

    const prompt_statement_t  *statement;
    unsigned                   columns;          /* without the prompt's id */
    prompt_rows_t              rows;
    const char                *data;
    prompt_kept_cell_t         cells[];
};


struct prompt_version_cache_s {
    prompt_lru_t   lru;
    uint64_t       hits;
    uint64_t       misses;
    uint64_t       known[PROMPT_KEPT_QUESTIONS];
    prompt_str_t  *scratch;                      /* cells to be copied */
    size_t         nscratch;
};


/* It fell out, and lives on while somebody refers to it. */
static void
prompt_kept_drop(prompt_lru_entry_t *entry)
{
    prompt_kept_release((prompt_kept_t *) entry);
}


prompt_version_cache_t *
prompt_version_cache_create(size_t max_bytes)
{
    prompt_version_cache_t  *cache;

    cache = calloc(1, sizeof(prompt_version_cache_t));
    if (cache == NULL) {
        return NULL;
    }

    if (!prompt_lru_init(&cache->lru, max_bytes, PROMPT_KEPT_USUAL,
                         prompt_kept_drop))
    {
        free(cache);
        return NULL;
    }

    return cache;
}


void
prompt_version_cache_clear(prompt_version_cache_t *cache)
{
    prompt_lru_clear(&cache->lru);
    memset(cache->known, 0, sizeof(cache->known));
}


void
prompt_version_cache_destroy(prompt_version_cache_t *cache)
{
    if (cache == NULL) {
        return;
    }

    prompt_lru_exit(&cache->lru);

    free(cache->scratch);
    free(cache);
}


void
prompt_version_cache_stats(const prompt_version_cache_t *cache,
    prompt_version_cache_stats_t *stats)
{
    stats->hits = cache->hits;
    stats->misses = cache->misses;
    stats->added = cache->lru.added;
    stats->bytes = cache->lru.bytes;
}


/* Not against collisions by intent: ids are made by the module. */
static uint64_t
prompt_kept_hash(const prompt_version_cache_t *cache, prompt_str_t id)
{
    return prompt_str_hash_seeded(id, (uintptr_t) cache);
}


static prompt_kept_t *
prompt_kept_find(const prompt_version_cache_t *cache, prompt_str_t id)
{
    prompt_kept_t       *kept;
    prompt_lru_entry_t  *entry;

    if (id.len != PROMPT_UUID_LEN) {
        return NULL;
    }

    for (entry = prompt_lru_first(&cache->lru, prompt_kept_hash(cache, id));
         entry != NULL;
         entry = prompt_lru_next(entry))
    {
        kept = (prompt_kept_t *) entry;

        if (memcmp(kept->id, id.data, PROMPT_UUID_LEN) == 0) {
            return kept;
        }
    }

    return NULL;
}


prompt_kept_t *
prompt_version_cache_find(prompt_version_cache_t *cache,
    const prompt_record_t *prompt, prompt_mask_t *columns, uint64_t now)
{
    prompt_mask_t   wanted;
    prompt_kept_t  *kept;

    kept = prompt_kept_find(cache, prompt->id);

    if (kept == NULL) {
        return NULL;
    }

    wanted = *columns;
    *columns |= kept->statement->columns;

    if (kept->last_version != prompt->last_version
        || kept->updated_at != prompt->updated_at
        || now - kept->since >= PROMPT_KEPT_TIME
        || (kept->statement->columns & wanted) != wanted)
    {
        return NULL;
    }

    cache->hits++;
    prompt_lru_use(&kept->entry);
    kept->refs++;

    return kept;
}


/*
 * The cells of count rows, each read once, and their bytes.  NULL: these are
 * not the versions 1, 2, 3 …, they are too large, or memory is short.
 */
static const prompt_str_t *
prompt_kept_cells(prompt_version_cache_t *cache,
    const prompt_statement_t *statement, const prompt_rows_t *rows,
    unsigned first, unsigned count, size_t *size)
{
    size_t         n;
    unsigned       row, column;
    prompt_str_t  *cell;

    n = (size_t) count * (statement->ncolumns - 1);
    *size = n * sizeof(prompt_kept_cell_t);

    if (*size > PROMPT_KEPT_BYTES) {
        return NULL;
    }

    if (n > cache->nscratch) {
        cell = realloc(cache->scratch, n * sizeof(prompt_str_t));
        if (cell == NULL) {
            return NULL;
        }

        cache->scratch = cell;
        cache->nscratch = n;
    }

    cell = cache->scratch;

    for (row = 0; row < count; row++) {

        for (column = 1; column < statement->ncolumns; column++) {
            *cell = prompt_rows_cell(rows, first + row, column);

            if (column == 1 && prompt_cell_int(*cell) != (int64_t) row + 1) {
                return NULL;
            }

            *size += cell->len;
            cell++;
        }

        if (*size > PROMPT_KEPT_BYTES) {
            return NULL;
        }
    }

    return cache->scratch;
}


static prompt_str_t
prompt_kept_cell(const prompt_rows_t *rows, unsigned row, unsigned column)
{
    const prompt_kept_t       *kept;
    const prompt_kept_cell_t  *place;

    kept = rows->result;

    if (column == 0 || column > kept->columns || row >= rows->count) {
        return prompt_str_absent;
    }

    place = &kept->cells[(size_t) row * kept->columns + column - 1];

    if (place->len == UINT32_MAX) {
        return prompt_str_absent;
    }

    return prompt_str_of(kept->data + place->start, place->len);
}


/* NULL: these rows are not kept */
static prompt_kept_t *
prompt_kept_copy(prompt_version_cache_t *cache,
    const prompt_statement_t *statement, const prompt_rows_t *rows,
    unsigned first, unsigned count, size_t *bytes)
{
    char                *data;
    size_t               i, n, size;
    prompt_kept_t       *kept;
    const prompt_str_t  *cell;
    prompt_kept_cell_t  *place;

    cell = prompt_kept_cells(cache, statement, rows, first, count, &size);
    kept = cell != NULL ? malloc(sizeof(prompt_kept_t) + size) : NULL;

    if (kept == NULL) {
        return NULL;
    }

    memset(kept, 0, sizeof(prompt_kept_t));

    *bytes = sizeof(prompt_kept_t) + size;
    kept->statement = statement;
    kept->columns = statement->ncolumns - 1;
    kept->rows.result = kept;
    kept->rows.count = count;
    kept->rows.cell = prompt_kept_cell;

    n = (size_t) count * kept->columns;
    place = kept->cells;
    data = (char *) (place + n);
    kept->data = data;

    for (i = 0; i < n; i++) {
        place[i].start = (uint32_t) (data - kept->data);
        place[i].len = UINT32_MAX;

        if (cell[i].data != NULL) {
            place[i].len = (uint32_t) cell[i].len;
            memcpy(data, cell[i].data, cell[i].len);
            data += cell[i].len;
        }
    }

    return kept;
}


prompt_kept_t *
prompt_version_cache_put(prompt_version_cache_t *cache,
    const prompt_record_t *prompt, const prompt_statement_t *statement,
    const prompt_rows_t *rows, unsigned first, unsigned count, uint64_t now)
{
    size_t          bytes;
    prompt_kept_t  *kept, *before;

    if (prompt->id.len != PROMPT_UUID_LEN || prompt->last_version < 0
        || count < (unsigned) prompt->last_version)
    {
        return NULL;
    }

    kept = prompt_kept_copy(cache, statement, rows, first,
                            (unsigned) prompt->last_version, &bytes);
    if (kept == NULL) {
        return NULL;
    }

    memcpy(kept->id, prompt->id.data, PROMPT_UUID_LEN);
    kept->last_version = prompt->last_version;
    kept->updated_at = prompt->updated_at;
    kept->since = now;
    kept->refs = 2;                  /* the cache's, and the caller's */

    before = prompt_kept_find(cache, prompt->id);

    if (before != NULL) {
        prompt_lru_remove(&before->entry);
    }

    prompt_lru_insert(&cache->lru, &kept->entry,
                      prompt_kept_hash(cache, prompt->id), bytes);

    return kept;
}


void
prompt_kept_release(prompt_kept_t *kept)
{
    prompt_kept_text_t  *text;

    if (kept == NULL || --kept->refs != 0) {
        return;
    }

    while (kept->texts != NULL) {
        text = kept->texts;
        kept->texts = text->next;
        free(text);
    }

    free(kept);
}


const prompt_rows_t *
prompt_kept_rows(const prompt_kept_t *kept)
{
    return &kept->rows;
}


const prompt_statement_t *
prompt_kept_statement(const prompt_kept_t *kept)
{
    return kept->statement;
}


prompt_str_t
prompt_kept_text(const prompt_kept_t *kept, prompt_str_t form)
{
    const prompt_kept_text_t  *text;

    for (text = kept->texts; text != NULL; text = text->next) {
        if (prompt_str_eq(text->form, form)) {
            return text->text;
        }
    }

    return prompt_str_absent;
}


void
prompt_kept_note(prompt_kept_t *kept, prompt_str_t form, prompt_str_t text)
{
    char                *data;
    size_t               bytes;
    prompt_kept_text_t  *note;

    bytes = sizeof(prompt_kept_text_t) + form.len + text.len;

    if (kept->entry.lru == NULL || kept->ntexts == PROMPT_KEPT_TEXTS
        || form.len > PROMPT_KEPT_FORM
        || bytes > PROMPT_KEPT_BYTES_ALL
        || kept->entry.bytes > PROMPT_KEPT_BYTES_ALL - bytes
        || prompt_kept_text(kept, form).data != NULL)
    {
        return;
    }

    note = malloc(bytes);
    if (note == NULL) {
        return;
    }

    data = (char *) (note + 1);

    memcpy(data, form.data, form.len);
    memcpy(data + form.len, text.data, text.len);

    note->form = prompt_str_of(data, form.len);
    note->text = prompt_str_of(data + form.len, text.len);
    note->next = kept->texts;

    kept->texts = note;
    kept->ntexts++;

    prompt_lru_grow(&kept->entry, bytes);
}


prompt_kept_state_t
prompt_version_cache_state(const prompt_version_cache_t *cache, uint64_t key)
{
    uint64_t  known;

    known = cache->known[(key >> 2) & (PROMPT_KEPT_QUESTIONS - 1)];

    if (((known ^ key) & ~PROMPT_KEPT_STATE) != 0) {
        return PROMPT_KEPT_UNKNOWN;
    }

    return (prompt_kept_state_t) (known & PROMPT_KEPT_STATE);
}


void
prompt_version_cache_know(prompt_version_cache_t *cache, uint64_t key,
    prompt_kept_state_t state)
{
    cache->known[(key >> 2) & (PROMPT_KEPT_QUESTIONS - 1)] =
        (key & ~PROMPT_KEPT_STATE) | (uint64_t) state;
}


void
prompt_version_cache_missed(prompt_version_cache_t *cache, uint64_t n)
{
    cache->misses += n;
}
