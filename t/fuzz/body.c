/*
 * Fuzz target: a whole request as it comes over HTTP, the JSON body of a
 * POST, or after a question mark the query part of a GET's URL: its
 * parameters are read, and the document goes all the way through the engine.
 *
 * A mutated document has to be written as JSON again to get anywhere, so half
 * of the mutations take the body apart and change one string of it.
 */

#include "base/utf8.h"
#include "graphql_http/params.h"

#include "engine.h"


#define FUZZ_STRING  (64 * 1024)


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
    unsigned seed);


/* Strings are text without half characters, the message of a refusal too. */
static void
fuzz_text(prompt_str_t text)
{
    if (text.data != NULL && !prompt_utf8_valid(text)) {
        abort();
    }
}


static void
fuzz_object(const prompt_json_t *value)
{
    if (value != NULL && value->type != PROMPT_JSON_OBJECT) {
        abort();
    }
}


static void
fuzz_one(size_t memory, prompt_str_t text)
{
    prompt_str_t        message;
    prompt_arena_t     *arena;
    gql_http_params_e   rc;
    gql_http_params_t   params;

    arena = prompt_arena_create(memory);
    if (arena == NULL) {
        return;
    }

    if (text.len != 0 && text.data[0] == '?') {
        text = prompt_str_of(text.data + 1, text.len - 1);
        rc = gql_http_params_url(arena, text, &params, &message);

    } else {
        rc = gql_http_params_body(arena, text, &params, &message);
    }

    if ((rc == GQL_HTTP_PARAMS_REFUSED) != (message.data != NULL)) {
        abort();
    }

    fuzz_text(message);

    if (rc == GQL_HTTP_PARAMS_OK) {
        fuzz_text(params.query);
        fuzz_text(params.document_id);
        fuzz_text(params.operation_name);
        fuzz_object(params.variables);
        fuzz_object(params.extensions);

        if (params.query.data != NULL) {
            fuzz_request(arena, params.query, params.operation_name,
                         params.variables);
        }
    }

    prompt_arena_destroy(arena);
}


int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    prompt_str_t  text;

    text = prompt_str_of((const char *) data, size);

    /* with much memory, then with little */

    fuzz_one(FUZZ_ARENA, text);
    fuzz_one(1024 + prompt_str_hash(text) % 32768, text);

    return 0;
}


/* one of the strings below value, in their order; NULL: so many are not */
static prompt_json_t *
fuzz_nth_string(prompt_json_t *value, unsigned *n)
{
    prompt_json_t  *child, *found;

    if (value->type == PROMPT_JSON_STRING) {
        return (*n)-- == 0 ? value : NULL;
    }

    found = NULL;

    if (value->type == PROMPT_JSON_ARRAY || value->type == PROMPT_JSON_OBJECT)
    {
        for (child = value->first; child != NULL && found == NULL;
             child = child->next)
        {
            found = fuzz_nth_string(child, n);
        }
    }

    return found;
}


/* Changes a string in the JSON; 0: there is none, or no room. */
static size_t
fuzz_mutate_string(prompt_arena_t *arena, uint8_t *data, size_t size,
    size_t max_size, unsigned n)
{
    char                 *string;
    size_t                len;
    prompt_buf_t          buf;
    prompt_json_t        *body, *chosen;
    prompt_json_error_t   error;

    body = prompt_json_read(arena, prompt_str_of((char *) data, size), 64,
                            &error);
    if (body == NULL) {
        return 0;
    }

    chosen = fuzz_nth_string(body, &n);

    if (chosen == NULL || chosen->text.len > FUZZ_STRING / 2) {
        return 0;
    }

    string = prompt_arena_alloc(arena, FUZZ_STRING);
    if (string == NULL) {
        return 0;
    }

    if (chosen->text.len != 0) {
        memcpy(string, chosen->text.data, chosen->text.len);
    }

    len = LLVMFuzzerMutate((uint8_t *) string, chosen->text.len, FUZZ_STRING);
    chosen->text = prompt_str_of(string, len);

    prompt_buf_init(&buf, max_size);
    prompt_json_write(&buf, body);

    len = buf.status == PROMPT_BUF_OK ? prompt_buf_view(&buf).len : 0;

    if (len != 0) {
        memcpy(data, prompt_buf_view(&buf).data, len);
    }

    prompt_buf_free(&buf);

    return len;
}


size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
    unsigned seed)
{
    size_t           len;
    prompt_arena_t  *arena;

    len = 0;

    if (seed & 1) {
        arena = prompt_arena_create(FUZZ_ARENA);

        if (arena != NULL) {

            /* mostly the first, which is the document in the seeds */

            len = fuzz_mutate_string(arena, data, size, max_size,
                                     seed & 6 ? 0 : (seed >> 3) % 8);
            prompt_arena_destroy(arena);
        }
    }

    return len != 0 ? len : LLVMFuzzerMutate(data, size, max_size);
}
