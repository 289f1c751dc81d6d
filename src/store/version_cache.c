/*
 * Versions that were read, kept in memory.
 *
 * What is kept of a prompt is one block: the places of its cells, and behind
 * them the cells.  It is counted; the cache itself is a reference.
 */

#include "store/version_cache.h"

#include <stdlib.h>


/* questions of which something is known; a power of two */
#define PROMPT_KEPT_QUESTIONS  8192

/* the bits of their keys that say what */
#define PROMPT_KEPT_STATE      UINT64_C(3)

/* bytes for which there is a bucket */
#define PROMPT_KEPT_BUCKET     2048


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
    prompt_version_cache_t    *cache;            /* NULL: it fell out */
    prompt_kept_t             *chain;            /* of its bucket */
    prompt_kept_t             *newer;
    prompt_kept_t             *older;
    unsigned                   refs;

    char                       id[PROMPT_UUID_LEN];
    int32_t                    last_version;
    int64_t                    updated_at;
    uint64_t                   since;

    size_t                     bytes;            /* with its texts */
    prompt_kept_text_t        *texts;
    unsigned                   ntexts;

    const prompt_statement_t  *statement;
    unsigned                   columns;          /* without the prompt's id */
    prompt_rows_t              rows;
    const char                *data;
    prompt_kept_cell_t         cells[];
};


struct prompt_version_cache_s {
    size_t                        max_bytes;
    size_t                        nbuckets;      /* a power of two */
    prompt_kept_t               **buckets;
    prompt_kept_t                *newest;
    prompt_kept_t                *oldest;
    prompt_version_cache_stats_t  stats;
    uint64_t                      known[PROMPT_KEPT_QUESTIONS];
    prompt_str_t                 *scratch;       /* cells to be copied */
    size_t                        nscratch;
};


static prompt_kept_t **prompt_kept_bucket(const prompt_version_cache_t *cache,
    prompt_str_t id);
static prompt_kept_t *prompt_kept_find(const prompt_version_cache_t *cache,
    prompt_str_t id);
static void prompt_kept_insert(prompt_version_cache_t *cache,
    prompt_kept_t *kept);
static void prompt_kept_use(prompt_version_cache_t *cache,
    prompt_kept_t *kept);
static void prompt_kept_unlink(prompt_version_cache_t *cache,
    prompt_kept_t *kept);
static void prompt_kept_remove(prompt_kept_t *kept);
static void prompt_kept_trim(prompt_version_cache_t *cache, size_t max_bytes);
static const prompt_str_t *prompt_kept_cells(prompt_version_cache_t *cache,
    const prompt_statement_t *statement, const prompt_rows_t *rows,
    unsigned first, unsigned count, size_t *size);
static prompt_kept_t *prompt_kept_copy(prompt_version_cache_t *cache,
    const prompt_statement_t *statement, const prompt_rows_t *rows,
    unsigned first, unsigned count);
static prompt_str_t prompt_kept_cell(const prompt_rows_t *rows, unsigned row,
    unsigned column);


prompt_version_cache_t *
prompt_version_cache_create(size_t max_bytes)
{
    prompt_version_cache_t  *cache;

    cache = calloc(1, sizeof(prompt_version_cache_t));
    if (cache == NULL) {
        return NULL;
    }

    cache->max_bytes = max_bytes;
    cache->nbuckets = 64;

    while (cache->nbuckets < max_bytes / PROMPT_KEPT_BUCKET) {
        cache->nbuckets *= 2;
    }

    cache->buckets = calloc(cache->nbuckets, sizeof(prompt_kept_t *));
    if (cache->buckets == NULL) {
        free(cache);
        return NULL;
    }

    return cache;
}


void
prompt_version_cache_destroy(prompt_version_cache_t *cache)
{
    if (cache == NULL) {
        return;
    }

    prompt_kept_trim(cache, 0);

    free(cache->scratch);
    free(cache->buckets);
    free(cache);
}


void
prompt_version_cache_stats(const prompt_version_cache_t *cache,
    prompt_version_cache_stats_t *stats)
{
    *stats = cache->stats;
}


prompt_kept_t *
prompt_version_cache_find(prompt_version_cache_t *cache,
    const prompt_record_t *prompt, uint32_t *columns, uint64_t now)
{
    uint32_t        wanted;
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

    cache->stats.hits++;
    prompt_kept_use(cache, kept);
    kept->refs++;

    return kept;
}


prompt_kept_t *
prompt_version_cache_put(prompt_version_cache_t *cache,
    const prompt_record_t *prompt, const prompt_statement_t *statement,
    const prompt_rows_t *rows, unsigned first, unsigned count, uint64_t now)
{
    prompt_kept_t  *kept, *before;

    if (prompt->id.len != PROMPT_UUID_LEN || prompt->last_version < 0
        || count < (unsigned) prompt->last_version)
    {
        return NULL;
    }

    kept = prompt_kept_copy(cache, statement, rows, first,
                            (unsigned) prompt->last_version);
    if (kept == NULL) {
        return NULL;
    }

    memcpy(kept->id, prompt->id.data, PROMPT_UUID_LEN);
    kept->last_version = prompt->last_version;
    kept->updated_at = prompt->updated_at;
    kept->since = now;
    kept->refs = 1;

    before = prompt_kept_find(cache, prompt->id);

    if (before != NULL) {
        prompt_kept_remove(before);
    }

    prompt_kept_insert(cache, kept);
    prompt_kept_trim(cache, cache->max_bytes);

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

    if (kept->cache == NULL || kept->ntexts == PROMPT_KEPT_TEXTS
        || form.len > PROMPT_KEPT_FORM
        || bytes > PROMPT_KEPT_BYTES_ALL
        || kept->bytes > PROMPT_KEPT_BYTES_ALL - bytes
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
    kept->bytes += bytes;
    kept->cache->stats.bytes += bytes;
    kept->cache->stats.added += bytes;

    prompt_kept_trim(kept->cache, kept->cache->max_bytes);
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
    cache->stats.misses += n;
}


/* Not against collisions by intent: ids are made by the module. */

static prompt_kept_t **
prompt_kept_bucket(const prompt_version_cache_t *cache, prompt_str_t id)
{
    uint64_t  hash;

    hash = prompt_str_hash_seeded(id, (uintptr_t) cache);

    return &cache->buckets[hash & (cache->nbuckets - 1)];
}


static prompt_kept_t *
prompt_kept_find(const prompt_version_cache_t *cache, prompt_str_t id)
{
    prompt_kept_t  *kept;

    if (id.len != PROMPT_UUID_LEN) {
        return NULL;
    }

    kept = *prompt_kept_bucket(cache, id);

    while (kept != NULL && memcmp(kept->id, id.data, PROMPT_UUID_LEN) != 0) {
        kept = kept->chain;
    }

    return kept;
}


/* The cache has a reference, and it is the newest. */

static void
prompt_kept_insert(prompt_version_cache_t *cache, prompt_kept_t *kept)
{
    prompt_kept_t  **bucket;

    bucket = prompt_kept_bucket(cache,
                                prompt_str_of(kept->id, PROMPT_UUID_LEN));
    kept->chain = *bucket;
    *bucket = kept;

    kept->cache = cache;
    kept->refs++;

    kept->newer = NULL;
    kept->older = cache->newest;

    if (cache->newest != NULL) {
        cache->newest->newer = kept;
    } else {
        cache->oldest = kept;
    }

    cache->newest = kept;

    cache->stats.bytes += kept->bytes;
    cache->stats.added += kept->bytes;
}


/* Moves it to the front. */

static void
prompt_kept_use(prompt_version_cache_t *cache, prompt_kept_t *kept)
{
    if (kept == cache->newest) {
        return;
    }

    prompt_kept_unlink(cache, kept);

    /* it is not the only one, so there is a newest one */

    kept->newer = NULL;
    kept->older = cache->newest;
    cache->newest->newer = kept;
    cache->newest = kept;
}


static void
prompt_kept_unlink(prompt_version_cache_t *cache, prompt_kept_t *kept)
{
    if (kept->newer != NULL) {
        kept->newer->older = kept->older;
    } else {
        cache->newest = kept->older;
    }

    if (kept->older != NULL) {
        kept->older->newer = kept->newer;
    } else {
        cache->oldest = kept->newer;
    }
}


/* It falls out, and lives on while somebody refers to it. */

static void
prompt_kept_remove(prompt_kept_t *kept)
{
    prompt_kept_t           **link;
    prompt_version_cache_t   *cache;

    cache = kept->cache;
    link = prompt_kept_bucket(cache, prompt_str_of(kept->id, PROMPT_UUID_LEN));

    while (*link != kept) {
        link = &(*link)->chain;
    }

    *link = kept->chain;

    prompt_kept_unlink(cache, kept);
    cache->stats.bytes -= kept->bytes;

    kept->cache = NULL;
    prompt_kept_release(kept);
}


static void
prompt_kept_trim(prompt_version_cache_t *cache, size_t max_bytes)
{
    prompt_kept_t  *kept, *newer;

    for (kept = cache->oldest;
         kept != NULL && cache->stats.bytes > max_bytes;
         kept = newer)
    {
        newer = kept->newer;
        prompt_kept_remove(kept);
    }
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


/* NULL: these rows are not kept */

static prompt_kept_t *
prompt_kept_copy(prompt_version_cache_t *cache,
    const prompt_statement_t *statement, const prompt_rows_t *rows,
    unsigned first, unsigned count)
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

    kept->bytes = sizeof(prompt_kept_t) + size;
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
