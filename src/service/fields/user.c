/*
 * Users: me, and the fields of User.
 */

#include "service/fields/fields.h"
#include "service/frame/arguments.h"
#include "store/user.h"


static void ngx_http_prompt_me(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_me_done(ngx_http_prompt_root_t *root);


#define column(member)                                                       \
    .resource = &prompt_user_resource,                                       \
    .offset = offsetof(prompt_user_t, member)

ngx_http_prompt_field_t  ngx_http_prompt_user_fields[] = {

    { .type = "Query", .name = "me",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .compile = ngx_http_prompt_compile_whole,
      .start = ngx_http_prompt_me },

    { .type = "User", .name = "id", column(id) },
    { .type = "User", .name = "email", column(email) },
    { .type = "User", .name = "name", column(name) },

    { .type = NULL }
};


static void
ngx_http_prompt_me(ngx_http_prompt_root_t *root)
{
    prompt_query_t  *query;

    if (ngx_http_prompt_root_begin(root, &query)) {
        query->length = PROMPT_QUERY_ROW;

        ngx_http_prompt_root_send(root,
                             prompt_user_by_id(query,
                                               ngx_http_prompt_person(root)),
                             ngx_http_prompt_me_done);
    }
}


static void
ngx_http_prompt_me_done(ngx_http_prompt_root_t *root)
{
    prompt_user_t  user;

    if (!ngx_http_prompt_root_succeeded(root)) {
        return;
    }

    if (root->result->rows[0].count == 0) {

        /* the account was deleted after its key was looked up */

        ngx_http_prompt_root_fail(root, ngx_http_prompt_not_found,
                                  prompt_str_absent,
                                  "The account that the API key belongs "
                                  "to was deleted.");
        return;
    }

    prompt_user_row(&root->result->rows[0], 0, &user);
    ngx_http_prompt_root_object(root, &user);
}
