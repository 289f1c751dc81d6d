/*
 * People: who did what rows tell of.
 *
 * Rows have ids.  Where a selection asks for a person, all people of a project
 * come with the same query, those who left, too, and each is found among them:
 * so it is one statement more, whatever is selected.
 */

#ifndef NGX_HTTP_PROMPT_PEOPLE_H
#define NGX_HTTP_PROMPT_PEOPLE_H

#include "service/frame/arguments.h"
#include "service/frame/service.h"
#include "store/user.h"


typedef struct {
    const prompt_rows_t       *rows;         /* by prompt_user_of_…() */
    prompt_str_t               project;      /* in which the caller acts */
    prompt_user_t              user;         /* the one that is written */
    char                       id[PROMPT_UUID_LEN];    /* of a member */
} ngx_http_prompt_people_t;


/* In a node: who did something, where its record has the id. */
typedef struct {
    ngx_http_prompt_people_t  *people;
    const prompt_str_t        *id;
    const prompt_str_t        *owner;        /* who it is where that is absent;
                                                NULL: there always is one */
    const prompt_str_t        *nobody;       /* what it is where that is not to
                                                be told; NULL: it always is */
} ngx_http_prompt_by_t;

/* Those of a root field, in set number `set` of its result, if it has them. */
static ngx_inline void
ngx_http_prompt_people_init(ngx_http_prompt_people_t *people,
    ngx_http_prompt_root_t *root, ngx_uint_t set)
{
    people->rows = &root->result->rows[set];
    people->project = ngx_http_prompt_caller(root);
}


/*
 * A slot of that kind; who was deleted is told as such.  And one of an object
 * of PROMPT_KIND_OBJECTS, whose member has the id: at .offset there is a by
 * with people alone.
 */
ngx_http_prompt_resolve_t
    ngx_http_prompt_resolve_person,
    ngx_http_prompt_resolve_member_person;

/* whether one of these is what the field is resolved by */
static ngx_inline bool
ngx_http_prompt_is_person(const gql_plan_field_t *field)
{
    const ngx_http_prompt_field_t  *entry;

    entry = gql_field_is_meta(field) ? NULL : field->def->data;

    return entry != NULL
           && (entry->resolve == ngx_http_prompt_resolve_person
               || entry->resolve == ngx_http_prompt_resolve_member_person);
}

/*
 * A compile hook of root fields: their data is not NULL where somebody is
 * selected anywhere below.
 */
bool ngx_http_prompt_compile_people(gql_plan_t *plan, gql_plan_field_t *field);

#endif /* NGX_HTTP_PROMPT_PEOPLE_H */
