/*
 * The audit log: auditLog, and the fields of AuditEntry.
 */

#include "service/fields/fields.h"

#include "service/frame/arguments.h"
#include "service/tree/tree.h"
#include "store/audit.h"


#define NGX_HTTP_PROMPT_AUDIT_PAGE  50


typedef struct {
    prompt_audit_t   record;
    prompt_user_t   *actor;          /* NULL: none is known */
    prompt_user_t    user;
} ngx_http_prompt_audit_node_t;


/* rows on their way to an answer; in the request's arena */
typedef struct {
    ngx_http_prompt_list_t        list;      /* first: what item() gets */
    ngx_http_prompt_root_t       *root;
    prompt_audit_page_t           asked;
    ngx_http_prompt_times_t       times;
    unsigned                      next;
    ngx_http_prompt_audit_node_t  node;
} ngx_http_prompt_audit_t;


static void ngx_http_prompt_audit(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_audit_ask(ngx_http_prompt_root_t *root);
static void ngx_http_prompt_audit_done(ngx_http_prompt_root_t *root);
static void *ngx_http_prompt_audit_item(ngx_http_prompt_list_t *list);


#define column(member)                                                       \
    .resource = &prompt_audit_resource,                                      \
    .offset = offsetof(prompt_audit_t, member)

ngx_http_prompt_field_t  ngx_http_prompt_audit_fields[] = {

    { .type = "Query", .name = "auditLog",
      .scope = PROMPT_KEY_SCOPE_ADMIN,
      .standby = true,
      .compile = ngx_http_prompt_compile_whole,
      .start = ngx_http_prompt_audit },

    { .type = "AuditEntry", .name = "id", column(id) },
    { .type = "AuditEntry", .name = "at", column(at) },

    { .type = "AuditEntry", .name = "actor",
      .scope = PROMPT_KEY_SCOPE_ANY,
      .resolve = ngx_http_prompt_slot_pointer,
      .offset = offsetof(ngx_http_prompt_audit_node_t, actor) },

    { .type = "AuditEntry", .name = "keyId", column(key_id) },
    { .type = "AuditEntry", .name = "address", column(address) },
    { .type = "AuditEntry", .name = "action", column(action) },
    { .type = "AuditEntry", .name = "subject", column(subject) },
    { .type = "AuditEntry", .name = "subjectId", column(subject_id) },
    { .type = "AuditEntry", .name = "subjectName", column(subject_name) },
    { .type = "AuditEntry", .name = "detail", column(detail) },
    { .type = "AuditEntry", .name = "traceId", column(trace_id) },

    { .type = NULL }
};


/* auditLog */
static void
ngx_http_prompt_audit(ngx_http_prompt_root_t *root)
{
    prompt_audit_page_t      *asked;
    ngx_http_prompt_audit_t  *audit;

    audit = prompt_arena_zalloc(root->job->arena,
                                sizeof(ngx_http_prompt_audit_t));
    if (audit == NULL) {
        ngx_http_prompt_root_fail_nomem(root);
        return;
    }

    asked = &audit->asked;
    asked->project_id = ngx_http_prompt_caller(root);
    asked->action = ngx_http_prompt_root_text(root, "action");

    audit->root = root;
    audit->list.item = ngx_http_prompt_audit_item;

    if ((ngx_http_prompt_root_argument(root, "actorId") == NULL
         || ngx_http_prompt_root_id(root, "actorId", "User",
                                    &asked->actor_id))
        && (ngx_http_prompt_root_argument(root, "subjectId") == NULL
            || ngx_http_prompt_root_id(root, "subjectId", "Subject",
                                       &asked->subject_id))
        && ngx_http_prompt_argument_times(root, "AuditEntry",
                                          NGX_HTTP_PROMPT_AUDIT_PAGE,
                                          &audit->times))
    {
        asked->lower = prompt_str_of(audit->times.lower, PROMPT_UUID_LEN);
        asked->upper = prompt_str_of(audit->times.upper, PROMPT_UUID_LEN);
        asked->first = audit->times.first;

        ngx_http_prompt_read_other(root, audit, true,
                                   ngx_http_prompt_audit_ask);
    }
}


static void
ngx_http_prompt_audit_ask(ngx_http_prompt_root_t *root)
{
    prompt_query_t           *query;
    ngx_http_prompt_audit_t  *audit;

    audit = ngx_http_prompt_other(root);

    if (ngx_http_prompt_other_query(root, &query)) {
        ngx_http_prompt_root_send(root,
                                  prompt_audit_read(query, &audit->asked),
                                  ngx_http_prompt_audit_done);
    }
}


static void
ngx_http_prompt_audit_done(ngx_http_prompt_root_t *root)
{
    gql_result_t              result;
    ngx_http_prompt_audit_t  *audit;

    if (!ngx_http_prompt_other_succeeded(root)) {
        return;
    }

    audit = ngx_http_prompt_other(root);
    audit->list.count = root->result->rows[0].count;

    ngx_http_prompt_result_list(&audit->list, &result);
    ngx_http_prompt_write_other(root, &result);
}


static void *
ngx_http_prompt_audit_item(ngx_http_prompt_list_t *list)
{
    ngx_http_prompt_audit_t       *audit;
    ngx_http_prompt_audit_node_t  *node;

    audit = (ngx_http_prompt_audit_t *) list;
    node = &audit->node;

    /* those before it were written */

    ngx_http_prompt_postgres_drop_rows(audit->root->task, 0, audit->next);

    prompt_audit_row(&audit->root->result->rows[0], audit->next++,
                     &node->record, &node->user);
    node->actor = node->user.id.data != NULL ? &node->user : NULL;

    return node;
}
