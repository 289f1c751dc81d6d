/*
 * Members and invitations: inviteMember, removeInvitation, acceptInvitation,
 * setMemberRole, removeMember, deleteProject, the fields of ProjectMember,
 * Invitation and CreatedInvitation; and the entry of transferPrompt.
 *
 * What changes who may do what is an ending.
 */

#include "service/fields/project_impl.h"

#include "base/random.h"
#include "prompt/key.h"
#include "prompt/text.h"
#include "service/fields/root_ending.h"
#include "service/tree/tree.h"
#include "service/upkeep/removal.h"
#include "service/worker/worker.h"
#include "store/member.h"


/* set number of the user, where one was asked for */
#define NGX_HTTP_PROMPT_MEMBER_USER  PROMPT_MEMBER_STATEMENTS


/* how a change is refused, and what becomes of it else */
typedef struct {
    prompt_str_t               field;        /* of what is wrong */
    const char                *unknown;      /* NOT_FOUND */
    const char                *forbidden;
    const char                *many;         /* TOO_MANY */
    ngx_http_prompt_root_pt    done;         /* every hash is revoked */
} ngx_http_prompt_membership_kind_t;


/* one that is under way; in its query's arena */
typedef struct {
    ngx_http_prompt_root_ending_t             own;       /* first */
    const ngx_http_prompt_membership_kind_t  *kind;
    prompt_membership_t                       made;
    prompt_member_t                           member;
} ngx_http_prompt_membership_t;


/* an invitation that is being made */
typedef struct {
    char                       key[PROMPT_KEY_LEN];
    uint8_t                    hash[PROMPT_KEY_HASH_LEN];
    prompt_str_t               token;
    prompt_invitation_t        row;
} ngx_http_prompt_new_invitation_t;


static void ngx_http_prompt_invite(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_invite_done(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_uninvite(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_uninvite_done(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_accept(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_accept_done(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_set_role(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_set_role_done(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_remove_member(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_delete_project(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_delete_project_done(ngx_http_prompt_root_t *root);
static ngx_http_prompt_membership_t *ngx_http_prompt_membership_create(
    ngx_http_prompt_root_t *root,
    const ngx_http_prompt_membership_kind_t *kind, prompt_query_t **query);
static ngx_int_t ngx_http_prompt_membership_read(
    ngx_http_prompt_ending_t *ending, const prompt_rows_t *rows,
    prompt_str_t *hashes);
static void ngx_http_prompt_membership_done(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_membership_none(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_membership_refuse(ngx_http_prompt_root_t *root,
    const ngx_http_prompt_membership_kind_t *kind, prompt_outcome_t outcome);


static const ngx_http_prompt_root_ending_kind_t  ngx_http_prompt_membership = {
    ngx_http_prompt_membership_read,
    ngx_http_prompt_membership_done,
    ngx_http_prompt_membership_none,
    "The change was made, but the server ran out of memory before it could "
    "remove keys and sessions from the caches: do it again."
};


static const ngx_http_prompt_membership_kind_t  ngx_http_prompt_invited = {
    prompt_str_init("email"),
    "The project was deleted.",
    "Only an OWNER invites an ADMIN or an OWNER.",
    "A project has at most 1000 open invitations: remove some first.",
    NULL
};

static const ngx_http_prompt_membership_kind_t  ngx_http_prompt_accepted = {
    prompt_str_init("token"),
    "There is no such invitation: it was accepted or removed, or it has "
    "expired.",
    "The invitation is for another e-mail address than yours.",
    "You are a member of 1000 projects already: leave one first.",
    ngx_http_prompt_accept_done
};

static const ngx_http_prompt_membership_kind_t  ngx_http_prompt_role_set = {
    prompt_str_init("userId"),
    "The project has no such member.",
    "Only an OWNER gives or takes the role of an ADMIN or an OWNER.",
    NULL,
    ngx_http_prompt_set_role_done
};

static const ngx_http_prompt_membership_kind_t  ngx_http_prompt_removed = {
    prompt_str_init("userId"),
    "The project has no such member.",
    "It takes an ADMIN to remove others, and an OWNER to remove an ADMIN or an "
    "OWNER.",
    NULL,
    ngx_http_prompt_root_true
};

static const ngx_http_prompt_membership_kind_t  ngx_http_prompt_deleted = {
    prompt_str_init("id"),
    "You are not a member of such a project.",
    "Only an OWNER deletes a project, and a key no other one than its own.",
    NULL,
    ngx_http_prompt_delete_project_done
};


#define invitation(member)                                                   \
    .resource = &prompt_invitation_resource,                                 \
    .offset = offsetof(prompt_invitation_t, member)

ngx_http_prompt_field_t  ngx_http_prompt_member_fields[] = {

    { .type = "Mutation", .name = "inviteMember",
      .scope = PROMPT_KEY_SCOPE_ADMIN,
      .compile = ngx_http_prompt_compile_whole,
      .start = ngx_http_prompt_invite },

    { .type = "Mutation", .name = "removeInvitation",
      .scope = PROMPT_KEY_SCOPE_ADMIN,
      .start = ngx_http_prompt_uninvite },

    { .type = "Mutation", .name = "acceptInvitation",
      .scope = PROMPT_KEY_SCOPE_SESSION,
      .compile = ngx_http_prompt_projects_compile,
      .start = ngx_http_prompt_accept },

    { .type = "Mutation", .name = "setMemberRole",
      .scope = PROMPT_KEY_SCOPE_ADMIN,
      .repeatable = true,
      .compile = ngx_http_prompt_compile_whole,
      .start = ngx_http_prompt_set_role },

    { .type = "Mutation", .name = "removeMember",
      .scope = PROMPT_KEY_SCOPE_ADMIN,
      .repeatable = true,
      .any_role = true,
      .start = ngx_http_prompt_remove_member },

    { .type = "Mutation", .name = "deleteProject",
      .scope = PROMPT_KEY_SCOPE_ADMIN,
      .repeatable = true,
      .start = ngx_http_prompt_delete_project },

    { .type = "Mutation", .name = "transferPrompt",
      .scope = PROMPT_KEY_SCOPE_ADMIN,
      .compile = ngx_http_prompt_project_compile,
      .start = ngx_http_prompt_transfer },

    { .type = "CreatedInvitation", .name = "token",
      .resolve = ngx_http_prompt_slot_text,
      .offset = offsetof(ngx_http_prompt_new_invitation_t, token) },

    { .type = "CreatedInvitation", .name = "invitation",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_slot_object,
      .offset = offsetof(ngx_http_prompt_new_invitation_t, row) },

    { .type = "ProjectMember", .name = "user",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_slot_object,
      .offset = offsetof(prompt_member_t, user) },

    { .type = "ProjectMember", .name = "role",
      .resolve = ngx_http_prompt_slot_role,
      .offset = offsetof(prompt_member_t, role) },

    { .type = "ProjectMember", .name = "since",
      .resolve = ngx_http_prompt_slot_time,
      .offset = offsetof(prompt_member_t, since) },

    { .type = "Invitation", .name = "id", invitation(id) },
    { .type = "Invitation", .name = "email", invitation(email) },

    { .type = "Invitation", .name = "role",
      .resolve = ngx_http_prompt_slot_role,
      .offset = offsetof(prompt_invitation_t, role) },

    { .type = "Invitation", .name = "createdAt", invitation(created_at) },
    { .type = "Invitation", .name = "expiresAt", invitation(expires_at) },

    { .type = "Invitation", .name = "invitedBy",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_slot_object,
      .offset = offsetof(prompt_invitation_t, by) },

    { .type = NULL }
};


/* inviteMember */
static void
ngx_http_prompt_invite(ngx_http_prompt_root_t *root)
{
    uint8_t                            random[PROMPT_KEY_RANDOM_LEN];
    prompt_str_t                       person;
    prompt_fault_t                     fault;
    prompt_query_t                    *query;
    ngx_http_prompt_new_invitation_t  *new;

    new = prompt_arena_zalloc(root->job->arena,
                              sizeof(ngx_http_prompt_new_invitation_t));

    if (new == NULL || !prompt_random(random, sizeof(random))) {
        ngx_http_prompt_root_fail_nomem(root);
        return;
    }

    root->data = new;

    prompt_key_make(random, PROMPT_INVITATION, new->key);
    new->token = prompt_str_of(new->key, PROMPT_KEY_LEN);
    prompt_key_hash(new->token, new->hash);

    new->row.hash = prompt_str_of((char *) new->hash, PROMPT_KEY_HASH_LEN);
    new->row.email = ngx_http_prompt_root_text(root, "email");
    new->row.role = prompt_role_of(ngx_http_prompt_root_text(root, "role"));

    if (!ngx_http_prompt_passed(root,
                   prompt_text_email(root->job->arena, new->row.email,
                                     prompt_str("email"), &fault),
                   &fault)
        || !ngx_http_prompt_new_id(root, &new->row.id)
        || !ngx_http_prompt_root_begin(root, &query))
    {
        return;
    }

    person = ngx_http_prompt_person(root);
    new->row.created_at = prompt_id_time(new->row.id);

    ngx_http_prompt_root_send(root,
               prompt_member_invite(query, ngx_http_prompt_caller(root),
                                    &new->row, person)
               && prompt_user_by_id(query, person),
               ngx_http_prompt_invite_done);
}


static void
ngx_http_prompt_invite_done(ngx_http_prompt_root_t *root)
{
    prompt_outcome_t                   outcome;
    const prompt_rows_t               *rows;
    ngx_http_prompt_new_invitation_t  *new = root->data;

    if (!ngx_http_prompt_root_succeeded(root)) {
        return;
    }

    rows = root->result->rows;
    outcome = prompt_member_invite_row(&rows[PROMPT_MEMBER_STATEMENTS - 1],
                                       &new->row.expires_at);

    if (outcome != PROMPT_OUTCOME_DONE
        || rows[NGX_HTTP_PROMPT_MEMBER_USER].count != 1)
    {
        ngx_http_prompt_membership_refuse(root, &ngx_http_prompt_invited,
                                          outcome);
        return;
    }

    root->job->unkept = 1;

    prompt_user_row(&rows[NGX_HTTP_PROMPT_MEMBER_USER], 0, &new->row.by);
    ngx_http_prompt_root_object(root, new);
}


/* removeInvitation */
static void
ngx_http_prompt_uninvite(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_change_id(root, "Invitation", prompt_member_uninvite,
                              ngx_http_prompt_uninvite_done);
}


static void
ngx_http_prompt_uninvite_done(ngx_http_prompt_root_t *root)
{
    if (!ngx_http_prompt_root_succeeded(root)) {
        return;
    }

    if (root->result->rows[0].count == 0) {
        ngx_http_prompt_fail_not_found(root, "Invitation",
                                       ngx_http_prompt_root_text(root, "id"));
        return;
    }

    ngx_http_prompt_root_true(root);
}


/* acceptInvitation: which project it is, is known when the caller is in it */
static void
ngx_http_prompt_accept(ngx_http_prompt_root_t *root)
{
    uint8_t                        hash[PROMPT_KEY_HASH_LEN];
    prompt_str_t                   token;
    prompt_query_t                *query;
    ngx_http_prompt_membership_t  *membership;

    root->job->secret = 1;
    token = ngx_http_prompt_root_text(root, "token");

    if (!prompt_key_valid(token, PROMPT_INVITATION)) {
        ngx_http_prompt_membership_refuse(root, &ngx_http_prompt_accepted,
                                          PROMPT_OUTCOME_NOT_FOUND);
        return;
    }

    prompt_key_hash(token, hash);

    membership = ngx_http_prompt_membership_create(root,
                                                   &ngx_http_prompt_accepted,
                                                   &query);
    if (membership != NULL) {
        ngx_http_prompt_root_ending_send(root, membership, query,
               prompt_member_accept(query,
                                    prompt_str_of((char *) hash, sizeof(hash)),
                                    ngx_http_prompt_person(root)),
               prompt_str_absent);
    }
}


static void
ngx_http_prompt_accept_done(ngx_http_prompt_root_t *root)
{
    prompt_str_t                   id;
    ngx_http_prompt_membership_t  *membership;

    membership = root->data;
    id = prompt_arena_copy(root->job->arena, membership->made.project_id);

    /* what follows is a query of the root field's own */

    root->data = NULL;
    root->detach = NULL;

    if (id.data == NULL) {
        ngx_http_prompt_root_fail_nomem(root);
        return;
    }

    ngx_http_prompt_projects_answer(root, id);
}


/* setMemberRole */
static void
ngx_http_prompt_set_role(ngx_http_prompt_root_t *root)
{
    prompt_str_t                   id;
    prompt_role_e                  role;
    prompt_query_t                *query;
    ngx_http_prompt_membership_t  *membership;

    if (!ngx_http_prompt_root_id(root, "userId", "ProjectMember", &id)) {
        return;
    }

    role = prompt_role_of(ngx_http_prompt_root_text(root, "role"));
    membership = ngx_http_prompt_membership_create(root,
                                                   &ngx_http_prompt_role_set,
                                                   &query);
    if (membership != NULL) {
        membership->member.role = (int32_t) role;

        ngx_http_prompt_root_ending_send(root, membership, query,
               prompt_member_set(query, ngx_http_prompt_caller(root), id, role,
                                 ngx_http_prompt_person(root))
               && prompt_user_by_id(query, id),
               id);
    }
}


static void
ngx_http_prompt_set_role_done(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_membership_t  *membership;

    membership = root->data;
    membership->member.since = membership->made.since;

    ngx_http_prompt_root_object(root, &membership->member);
}


/* removeMember */
static void
ngx_http_prompt_remove_member(ngx_http_prompt_root_t *root)
{
    prompt_str_t                   id;
    prompt_query_t                *query;
    ngx_http_prompt_membership_t  *membership;

    if (!ngx_http_prompt_root_id(root, "userId", "ProjectMember", &id)) {
        return;
    }

    membership = ngx_http_prompt_membership_create(root,
                                                   &ngx_http_prompt_removed,
                                                   &query);
    if (membership != NULL) {
        ngx_http_prompt_root_ending_send(root, membership, query,
               prompt_member_set(query, ngx_http_prompt_caller(root), id,
                                 PROMPT_ROLE_NONE,
                                 ngx_http_prompt_person(root)),
               id);
    }
}


/* deleteProject */
static void
ngx_http_prompt_delete_project(ngx_http_prompt_root_t *root)
{
    bool                           key;
    prompt_str_t                   id;
    prompt_query_t                *query;
    ngx_http_prompt_membership_t  *membership;

    if (!ngx_http_prompt_root_id(root, "id", "Project", &id)) {
        return;
    }

    key = (root->job->identity.scopes & PROMPT_KEY_SCOPE_SESSION) == 0;
    membership = ngx_http_prompt_membership_create(root,
                                                   &ngx_http_prompt_deleted,
                                                   &query);
    if (membership != NULL) {
        ngx_http_prompt_root_ending_send(root, membership, query,
               prompt_project_delete(query, id, ngx_http_prompt_person(root),
                                     ngx_http_prompt_caller(root), key),
               id);
    }
}


static void
ngx_http_prompt_delete_project_done(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_removal_begin(
        ngx_http_prompt_get_worker(root->job->request), NULL);
    ngx_http_prompt_root_true(root);
}


/* NULL: memory, and root was completed. */
static ngx_http_prompt_membership_t *
ngx_http_prompt_membership_create(ngx_http_prompt_root_t *root,
    const ngx_http_prompt_membership_kind_t *kind, prompt_query_t **query)
{
    ngx_http_prompt_membership_t  *membership;

    membership = ngx_http_prompt_root_ending_create(root,
                                         &ngx_http_prompt_membership,
                                         sizeof(ngx_http_prompt_membership_t),
                                         query);
    if (membership != NULL) {
        membership->kind = kind;
        (*query)->owner = ngx_http_prompt_caller(root);
    }

    return membership;
}


static ngx_int_t
ngx_http_prompt_membership_read(ngx_http_prompt_ending_t *ending,
    const prompt_rows_t *rows, prompt_str_t *hashes)
{
    char                          *p;
    unsigned                       row;
    prompt_membership_t            next;
    const prompt_rows_t           *made;
    ngx_http_prompt_membership_t  *membership;

    membership = (ngx_http_prompt_membership_t *) ending;
    made = &rows[PROMPT_MEMBER_STATEMENTS - 1];

    prompt_membership_row(made, 0, &membership->made);

    if (membership->made.outcome != PROMPT_OUTCOME_DONE) {
        return NGX_DECLINED;
    }

    /* there is a member, so there is a user */

    if (membership->kind == &ngx_http_prompt_role_set) {
        prompt_user_row(&rows[NGX_HTTP_PROMPT_MEMBER_USER], 0,
                        &membership->member.user);
    }

    p = prompt_arena_alloc(ending->arena,
                           (size_t) made->count * PROMPT_KEY_HASH_LEN);
    if (p == NULL) {
        return NGX_ERROR;
    }

    *hashes = prompt_str_of(p, 0);

    for (row = 0; row < made->count; row++) {
        prompt_membership_row(made, row, &next);

        if (next.hash.data != NULL) {
            ngx_memcpy(p + hashes->len, next.hash.data, PROMPT_KEY_HASH_LEN);
            hashes->len += PROMPT_KEY_HASH_LEN;
        }
    }

    return NGX_OK;
}


static void
ngx_http_prompt_membership_done(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_membership_t  *membership = root->data;

    membership->kind->done(root);
}


static void
ngx_http_prompt_membership_none(ngx_http_prompt_root_t *root)
{
    ngx_http_prompt_membership_t  *membership = root->data;

    ngx_http_prompt_membership_refuse(root, membership->kind,
                                      membership->made.outcome);
}


static void
ngx_http_prompt_membership_refuse(ngx_http_prompt_root_t *root,
    const ngx_http_prompt_membership_kind_t *kind, prompt_outcome_t outcome)
{
    const char   *words;
    prompt_str_t  code;

    code = ngx_http_prompt_bad_user_input;
    words = "The database gave an unexpected answer.";

    switch (outcome) {

    case PROMPT_OUTCOME_NOT_FOUND:
        code = ngx_http_prompt_not_found;
        words = kind->unknown;
        break;

    case PROMPT_OUTCOME_FORBIDDEN:
        code = ngx_http_prompt_forbidden;
        words = kind->forbidden;
        break;

    case PROMPT_OUTCOME_PERSONAL:
        words = "This is a personal project: it has one member, and cannot be "
                "deleted.";
        break;

    case PROMPT_OUTCOME_LAST_OWNER:
        words = "This is the only OWNER, of whom a project has one at least: "
                "make another member an OWNER first.";
        break;

    case PROMPT_OUTCOME_MEMBER:
        words = "Who has this e-mail address is a member already.";
        break;

    case PROMPT_OUTCOME_MEMBERS:
        (void) ngx_http_prompt_fail_quota(root, "members");
        return;

    case PROMPT_OUTCOME_TOO_MANY:
        words = kind->many;
        break;

    default:
        code = ngx_http_prompt_internal_server_error;
        break;
    }

    ngx_http_prompt_root_fail(root, code, kind->field, "%s", words);
}
