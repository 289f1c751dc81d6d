/*
 * Owners of prompts: a set of places for each hash.
 */

#include "service/worker/owners.h"


static ngx_http_prompt_owner_t *ngx_http_prompt_owners_set(
    const ngx_http_prompt_owners_t *owners, prompt_str_t prompt);
static bool ngx_http_prompt_owner_is(const ngx_http_prompt_owner_t *place,
    prompt_str_t prompt);


void
ngx_http_prompt_owners_exit(ngx_http_prompt_owners_t *owners)
{
    if (owners->sets != NULL) {
        ngx_free(owners->sets);
        owners->sets = NULL;
    }
}


bool
ngx_http_prompt_owners_know(const ngx_http_prompt_owners_t *owners,
    prompt_str_t prompt, prompt_str_t user)
{
    ngx_uint_t                      i;
    const ngx_http_prompt_owner_t  *set;

    if (owners->sets == NULL) {
        return false;
    }

    set = ngx_http_prompt_owners_set(owners, prompt);

    for (i = 0; i < NGX_HTTP_PROMPT_OWNER_PLACES; i++) {
        if (ngx_http_prompt_owner_is(&set[i], prompt)) {
            return ngx_memcmp(set[i].owner, user.data, PROMPT_UUID_LEN) == 0;
        }
    }

    return false;
}


void
ngx_http_prompt_owners_note(ngx_http_prompt_owners_t *owners,
    prompt_str_t prompt, prompt_str_t owner, ngx_log_t *log)
{
    ngx_uint_t                i;
    ngx_http_prompt_owner_t  *set;

    if (owners->sets == NULL) {
        owners->sets = ngx_calloc(NGX_HTTP_PROMPT_OWNER_SETS
                                  * sizeof(ngx_http_prompt_owner_set_t), log);
        if (owners->sets == NULL) {
            return;
        }
    }

    set = ngx_http_prompt_owners_set(owners, prompt);

    for (i = 0; i < NGX_HTTP_PROMPT_OWNER_PLACES; i++) {
        if (ngx_http_prompt_owner_is(&set[i], prompt)) {
            break;
        }
    }

    if (i == NGX_HTTP_PROMPT_OWNER_PLACES) {
        i = 0;
        ngx_memmove(&set[1], &set[0], (NGX_HTTP_PROMPT_OWNER_PLACES - 1)
                                      * sizeof(ngx_http_prompt_owner_t));
    }

    ngx_memcpy(set[i].prompt, prompt.data, PROMPT_UUID_LEN);
    ngx_memcpy(set[i].owner, owner.data, PROMPT_UUID_LEN);
}


static ngx_http_prompt_owner_t *
ngx_http_prompt_owners_set(const ngx_http_prompt_owners_t *owners,
    prompt_str_t prompt)
{
    return owners->sets[prompt_str_hash_seeded(prompt, (uintptr_t) owners->sets)
                        % NGX_HTTP_PROMPT_OWNER_SETS];
}


static bool
ngx_http_prompt_owner_is(const ngx_http_prompt_owner_t *place,
    prompt_str_t prompt)
{
    return ngx_memcmp(place->prompt, prompt.data, PROMPT_UUID_LEN) == 0;
}
