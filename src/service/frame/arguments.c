/*
 * Arguments of root fields.
 */

#include "service/frame/arguments.h"

#include "base/random.h"
#include "base/uuid.h"
#include "io/ngx_http_prompt_ratelog.h"
#include "prompt/name.h"
#include "service/worker/worker.h"
#include "store/api_key.h"
#include "store/log.h"
#include "store/sqlstate.h"


/* how often a change is done anew where others are faster */
#define NGX_HTTP_PROMPT_TRIES  16


static bool ngx_http_prompt_check_nul(ngx_http_prompt_root_t *root,
    const gql_type_t *type, const prompt_json_t *value) PROMPT_WARN_UNUSED;


const prompt_json_t *
ngx_http_prompt_argument(const prompt_json_t *arguments, prompt_str_t name)
{
    const prompt_json_t  *value;

    value = prompt_json_get(arguments, name);

    return value != NULL && value->type != PROMPT_JSON_NULL ? value : NULL;
}


prompt_str_t
ngx_http_prompt_argument_text(const prompt_json_t *arguments,
    prompt_str_t name)
{
    const prompt_json_t  *value;

    value = ngx_http_prompt_argument(arguments, name);

    return value != NULL ? value->text : prompt_str_absent;
}


bool
ngx_http_prompt_argument_is_null(const prompt_json_t *arguments,
    prompt_str_t name)
{
    const prompt_json_t  *value;

    value = prompt_json_get(arguments, name);

    return value != NULL && value->type == PROMPT_JSON_NULL;
}


bool
ngx_http_prompt_argument_id(ngx_http_prompt_root_t *root,
    const prompt_json_t *arguments, prompt_str_t name, const char *kind,
    prompt_str_t *id)
{
    prompt_str_t    text;
    prompt_uuid_t  *uuid;

    text = ngx_http_prompt_argument_text(arguments, name);

    uuid = prompt_arena_alloc(root->job->arena, sizeof(prompt_uuid_t));
    if (uuid == NULL) {
        return ngx_http_prompt_root_fail_nomem(root);
    }

    if (!prompt_uuid_parse(text, uuid)) {
        return ngx_http_prompt_fail_not_found(root, kind, text);
    }

    *id = prompt_str_of((char *) uuid->bytes, PROMPT_UUID_LEN);

    return true;
}


void *
ngx_http_prompt_root_data(ngx_http_prompt_root_t *root, size_t size)
{
    root->data = prompt_arena_zalloc(root->job->arena, size);

    if (root->data == NULL) {
        ngx_http_prompt_root_fail_nomem(root);
    }

    return root->data;
}


void
ngx_http_prompt_change_id(ngx_http_prompt_root_t *root, const char *kind,
    ngx_http_prompt_of_id_pt statement, ngx_http_prompt_root_pt done)
{
    prompt_str_t     id;
    prompt_query_t  *query;

    id = prompt_str_absent;

    if (ngx_http_prompt_root_id(root, "id", kind, &id)
        && ngx_http_prompt_root_begin(root, &query))
    {
        query->locks = id;
        ngx_http_prompt_root_send(root,
                                  statement(query, id,
                                            ngx_http_prompt_caller(root)),
                                  done);
    }
}


bool
ngx_http_prompt_fail_not_found(ngx_http_prompt_root_t *root, const char *kind,
    prompt_str_t id)
{
    size_t  len;

    /* not in the middle of a character */

    for (len = ngx_min(id.len, 200);
         len < id.len && len != 0 && (id.data[len] & 0xc0) == 0x80;
         len--)
    {
        /* void */
    }

    return ngx_http_prompt_root_fail(root, ngx_http_prompt_not_found,
                                     prompt_str_absent,
                                     "%s with id \"%.*s\" was not found.",
                                     kind, (int) len, id.data);
}


bool
ngx_http_prompt_fail_forbidden(ngx_http_prompt_root_t *root, prompt_str_t id)
{
    return ngx_http_prompt_root_fail(root, ngx_http_prompt_forbidden,
               prompt_str_absent,
               "You do not have access to the prompt with id \"%.*s\".",
               prompt_str_arg(id));
}


bool
ngx_http_prompt_fail_protected(ngx_http_prompt_root_t *root,
    prompt_str_t label)
{
    return ngx_http_prompt_root_fail(root, ngx_http_prompt_forbidden,
               prompt_str_absent,
               "Label \"%.*s\" is protected in this project: it takes an "
               "ADMIN, with a key that has no scopes or \"promote\" among "
               "them.", prompt_str_arg(label));
}


bool
ngx_http_prompt_fail_quota(ngx_http_prompt_root_t *root, const char *name)
{
    size_t          i;
    int64_t         most;
    gql_error_t    *error;
    prompt_json_t  *extra, *reason;

    static const struct {
        const char  *name;
        size_t       offset;
        const char  *of;
    } quotas[] = {
        { "prompts", offsetof(prompt_quota_t, prompts), "project" },
        { "versions", offsetof(prompt_quota_t, versions), "prompt" },
        { "keys", offsetof(prompt_quota_t, keys), "project" },
        { "members", offsetof(prompt_quota_t, members), "project" },
        { "bytes", offsetof(prompt_quota_t, bytes), "project" },
        { "in_flight", offsetof(prompt_quota_t, in_flight), "project" }
    };

    for (i = 0; ngx_strcmp(quotas[i].name, name) != 0; i++) {
        /* there is always one */
    }

    most = *(const int64_t *) ((const char *) &root->actor.quota
                               + quotas[i].offset);

    error = gql_execution_error(root->job->execution,
                                ngx_http_prompt_forbidden, prompt_str_absent,
                                "The quota \"%s\" of the %s is used up: it is "
                                "%lld.", name, quotas[i].of, (long long) most);

    /* without memory for it, it is an error all the same */

    extra = prompt_json_new(root->job->arena, PROMPT_JSON_OBJECT);
    reason = prompt_json_new_string(root->job->arena,
                                    prompt_str("QUOTA_EXCEEDED"));

    if (extra != NULL && reason != NULL) {
        prompt_json_set(extra, prompt_str("reason"), reason);
        error->extra = extra;
    }

    ngx_http_prompt_root_error(root, error);

    return false;
}


ngx_uint_t
ngx_http_prompt_outcome_anew(ngx_http_prompt_root_t *root)
{
    ngx_uint_t                                anew;
    const ngx_http_prompt_postgres_result_t  *result;

    result = root->result;

    switch (result->status) {

    case NGX_HTTP_PROMPT_POSTGRES_OK:
        anew = prompt_outcome_row(&result->rows[0]) == PROMPT_OUTCOME_ROOM;
        break;

    case NGX_HTTP_PROMPT_POSTGRES_ERROR:
        anew = prompt_sqlstate(prompt_str_from(result->sqlstate))
               == PROMPT_SQL_RETRY;
        break;

    default:
        return 0;
    }

    root->actor.anew = true;

    return anew && root->tries++ < NGX_HTTP_PROMPT_TRIES;
}


gql_error_t *
ngx_http_prompt_no_label(ngx_http_prompt_job_t *job, prompt_str_t label,
    prompt_str_t id)
{
    label = prompt_fault_excerpt(job->arena, label);

    return gql_execution_error(job->execution, ngx_http_prompt_not_found,
                               prompt_str_absent,
                               "Label \"%.*s\" of the prompt with id \"%.*s\" "
                               "is not set.", prompt_str_arg(label),
                               prompt_str_arg(id));
}


gql_error_t *
ngx_http_prompt_no_number(ngx_http_prompt_job_t *job, prompt_str_t number,
    prompt_str_t id)
{
    return gql_execution_error(job->execution, ngx_http_prompt_not_found,
                               prompt_str_absent,
                               "Version %.*s of the prompt with id \"%.*s\" "
                               "was not found.", prompt_str_arg(number),
                               prompt_str_arg(id));
}


gql_error_t *
ngx_http_prompt_no_version(ngx_http_prompt_job_t *job,
    const prompt_json_t *arguments, prompt_str_t number, prompt_str_t id)
{
    prompt_str_t  label;

    label = ngx_http_prompt_argument_text(arguments, prompt_str("label"));
    number = ngx_http_prompt_argument_text(arguments, number);

    if (label.data != NULL && !prompt_label_is_latest(label)) {
        return ngx_http_prompt_no_label(job, label, id);
    }

    return number.data != NULL ? ngx_http_prompt_no_number(job, number, id)
                               : NULL;
}


prompt_json_t *
ngx_http_prompt_uuid_json(prompt_arena_t *arena, prompt_str_t id)
{
    char           text[PROMPT_UUID_TEXT_LEN];
    prompt_str_t   copy;
    prompt_uuid_t  uuid;

    ngx_memcpy(uuid.bytes, id.data, sizeof(uuid.bytes));
    prompt_uuid_format(&uuid, text);

    copy = prompt_arena_copy(arena, prompt_str_of(text, sizeof(text)));

    return copy.data != NULL ? prompt_json_new_string(arena, copy) : NULL;
}


bool
ngx_http_prompt_outcome_done(ngx_http_prompt_root_t *root,
    prompt_outcome_t outcome, prompt_str_t id)
{
    switch (outcome) {

    case PROMPT_OUTCOME_DONE:
        return true;

    case PROMPT_OUTCOME_NOT_FOUND:
        return ngx_http_prompt_fail_not_found(root, "Prompt", id);

    case PROMPT_OUTCOME_FORBIDDEN:
        return ngx_http_prompt_fail_forbidden(root, id);

    case PROMPT_OUTCOME_PROMPTS:
        return ngx_http_prompt_fail_quota(root, "prompts");

    case PROMPT_OUTCOME_VERSIONS:
        return ngx_http_prompt_fail_quota(root, "versions");

    case PROMPT_OUTCOME_BYTES:
        return ngx_http_prompt_fail_quota(root, "bytes");

    default:
        ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_STORED,
                                prompt_str_absent,
                                root->job->request->connection->log,
                                "prompt: unexpected outcome %d of \"%*s\"",
                                (int) outcome, root->field->def->name.len,
                                root->field->def->name.data);
        return ngx_http_prompt_root_broken(root,
                   "The database gave an unexpected answer.");
    }
}


bool
ngx_http_prompt_argument_count(ngx_http_prompt_root_t *root,
    const prompt_json_t *arguments, prompt_str_t name, uint32_t *count)
{
    int64_t               n;
    const prompt_json_t  *value;

    value = ngx_http_prompt_argument(arguments, name);

    if (value == NULL) {
        return true;
    }

    if (!prompt_json_integer(value, &n)
        || n < 1 || n > NGX_HTTP_PROMPT_MAX_PAGE)
    {
        return ngx_http_prompt_root_fail(root, ngx_http_prompt_bad_user_input,
                   name, "\"%.*s\" must be from 1 to %d.", prompt_str_arg(name),
                   NGX_HTTP_PROMPT_MAX_PAGE);
    }

    *count = (uint32_t) n;

    return true;
}


bool
ngx_http_prompt_argument_page(ngx_http_prompt_root_t *root,
    const prompt_json_t *arguments, const char *kind, uint32_t default_first,
    uint32_t *first, prompt_str_t *after)
{
    const prompt_json_t  *value;

    *first = default_first;
    *after = prompt_str_absent;

    if (!ngx_http_prompt_argument_count(root, arguments, prompt_str("first"),
                                        first))
    {
        return false;
    }

    value = ngx_http_prompt_argument(arguments, prompt_str("after"));

    return value == NULL
           || ngx_http_prompt_argument_id(root, arguments, prompt_str("after"),
                                          kind, after);
}


bool
ngx_http_prompt_value_time(ngx_http_prompt_root_t *root,
    const prompt_json_t *value, prompt_str_t name, prompt_maybe_t *time)
{
    *time = prompt_maybe_unknown;

    if (value == NULL) {
        return true;
    }

    if (value->type != PROMPT_JSON_STRING
        || !prompt_time_parse(value->text, &time->value))
    {
        return ngx_http_prompt_root_fail(root, ngx_http_prompt_bad_user_input,
                   name,
                   "\"%.*s\" must be a time such as "
                   "\"2026-11-21T03:46:13.123Z\".", prompt_str_arg(name));
    }

    time->known = true;

    return true;
}


bool
ngx_http_prompt_argument_times(ngx_http_prompt_root_t *root, const char *kind,
    uint32_t default_first, ngx_http_prompt_times_t *times)
{
    prompt_str_t    after, upper;
    prompt_maybe_t  since, until;

    if (!ngx_http_prompt_root_time(root, "since", &since)
        || !ngx_http_prompt_root_time(root, "until", &until)
        || !ngx_http_prompt_argument_page(root, root->arguments, kind,
                                          default_first, &times->first, &after))
    {
        return false;
    }

    (void) prompt_log_id(since.value, times->lower);
    upper = prompt_log_id(until.value, times->upper);

    if (!until.known) {
        ngx_memset(times->upper, 0xff, PROMPT_UUID_LEN);
    }

    times->open = !until.known;

    if (after.data != NULL && prompt_str_cmp(after, upper) < 0) {
        ngx_memcpy(times->upper, after.data, PROMPT_UUID_LEN);
        times->open = false;
    }

    return true;
}


prompt_str_t
ngx_http_prompt_caller(ngx_http_prompt_root_t *root)
{
    return prompt_str_of((char *) root->job->identity.project_id,
                         PROMPT_UUID_LEN);
}


prompt_str_t
ngx_http_prompt_person(ngx_http_prompt_root_t *root)
{
    return prompt_str_of((char *) root->job->identity.user_id, PROMPT_UUID_LEN);
}


prompt_str_t
ngx_http_prompt_author(ngx_http_prompt_root_t *root)
{
    prompt_str_t  person;

    person = ngx_http_prompt_person(root);

    return prompt_str_eq(person, ngx_http_prompt_caller(root))
           ? prompt_str_absent : person;
}


const prompt_actor_t *
ngx_http_prompt_actor(ngx_http_prompt_root_t *root)
{
    ngx_uint_t                         scopes;
    ngx_connection_t                  *c;
    prompt_actor_t                    *actor;
    ngx_http_prompt_trace_t           *trace;
    const ngx_http_prompt_identity_t  *identity;

    actor = &root->actor;

    if (actor->user_id.data != NULL) {
        return actor;
    }

    c = root->job->request->connection;
    trace = &root->job->trace;
    identity = &root->job->identity;
    scopes = identity->scopes;

    actor->user_id = ngx_http_prompt_person(root);
    actor->author = ngx_http_prompt_author(root);
    actor->project_id = ngx_http_prompt_caller(root);
    actor->address = ngx_http_prompt_str(&c->addr_text);
    actor->action = root->field->def->name;
    actor->admin = identity->role >= PROMPT_ROLE_ADMIN;
    actor->owner = identity->role >= PROMPT_ROLE_OWNER;

    ngx_http_prompt_worker_quotas(root->job->request, &actor->quota);

    actor->promotes = actor->admin
                      && (scopes == 0
                          || (scopes & (PROMPT_KEY_SCOPE_SESSION
                                        |PROMPT_KEY_SCOPE_PROMOTE))
                             != 0);

    if (root->job->plan->operation->operation == GQL_MUTATION
        && ngx_http_prompt_worker_id(
               ngx_http_prompt_get_worker(root->job->request),
               &root->audit_id))
    {
        actor->audit_id = prompt_str_of((char *) root->audit_id.bytes,
                                        PROMPT_UUID_LEN);
    }

    if (root->job->plan->operation->operation != GQL_QUERY) {
        ngx_http_prompt_trace_find(root->job->request, trace);

        if (trace->there) {
            actor->trace_id = prompt_str_of((char *) trace->context.trace_id,
                                            sizeof(trace->context.trace_id));
        }
    }

    if ((scopes & PROMPT_KEY_SCOPE_SESSION) == 0) {
        actor->key_id = prompt_str_of((char *) identity->key_id,
                                      PROMPT_UUID_LEN);
    }

    return actor;
}


bool
ngx_http_prompt_new_id(ngx_http_prompt_root_t *root, prompt_str_t *id)
{
    prompt_uuid_t             *uuid;
    ngx_http_prompt_worker_t  *worker;

    worker = ngx_http_prompt_get_worker(root->job->request);

    uuid = prompt_arena_alloc(root->job->arena, sizeof(prompt_uuid_t));

    if (uuid == NULL || !ngx_http_prompt_worker_id(worker, uuid)) {
        return ngx_http_prompt_root_fail_nomem(root);
    }

    *id = prompt_str_of((char *) uuid->bytes, PROMPT_UUID_LEN);
    root->id = *id;

    return true;
}


bool
ngx_http_prompt_arguments_check(ngx_http_prompt_root_t *root,
    const gql_field_def_t *def, const prompt_json_t *arguments)
{
    uint32_t                  i;
    const gql_type_t         *type;
    const prompt_json_t      *value;
    const gql_input_value_t  *member;

    for (i = 0; i < def->nargs; i++) {
        value = prompt_json_get(arguments, def->args[i].name);

        if (value == NULL) {
            continue;
        }

        type = gql_ref_named(def->args[i].type);

        /* the checks of what is in a list name its place */

        if (type->kind == GQL_TYPE_INPUT_OBJECT
            && value->type == PROMPT_JSON_ARRAY)
        {
            continue;
        }

        if (type->kind != GQL_TYPE_INPUT_OBJECT) {
            if (!ngx_http_prompt_check_nul(root, type, value)) {
                return false;
            }

            continue;
        }

        /* the members of an input object are the fields that users know */

        if (!prompt_str_eq(def->args[i].name, prompt_str("input"))) {
            root->within = prompt_arena_printf(root->job->arena, "%.*s.",
                                           prompt_str_arg(def->args[i].name));
        }

        for (value = value->first; value != NULL; value = value->next) {
            member = gql_type_input_field(type, value->name);

            if (!ngx_http_prompt_check_nul(root, gql_ref_named(member->type),
                                           value))
            {
                return false;
            }
        }

        root->within = prompt_str_absent;
    }

    return true;
}


/* JSON values are looked at as a whole where they are used */
static bool
ngx_http_prompt_check_nul(ngx_http_prompt_root_t *root, const gql_type_t *type,
    const prompt_json_t *value)
{
    if ((type->kind == GQL_TYPE_SCALAR && type->scalar == GQL_SCALAR_CUSTOM)
        || prompt_json_find_nul(value) == NULL)
    {
        return true;
    }

    return ngx_http_prompt_root_fail(root, ngx_http_prompt_bad_user_input,
               value->name,
               "\"%.*s\" contains the character U+0000, which cannot be "
               "stored.", prompt_str_arg(value->name));
}


bool
ngx_http_prompt_passed(ngx_http_prompt_root_t *root, prompt_check_t check,
    const prompt_fault_t *fault)
{
    switch (check) {

    case PROMPT_CHECK_OK:
        return true;

    case PROMPT_CHECK_FAULT:
        return ngx_http_prompt_root_fail_fault(root, fault);

    default:
        return ngx_http_prompt_root_fail_nomem(root);
    }
}


void
ngx_http_prompt_root_fail_faults(ngx_http_prompt_root_t *root)
{
    prompt_fault_t        fault;
    const prompt_json_t  *first;

    first = root->faults->first;

    fault.field = prompt_json_get(first, prompt_str("field"))->text;
    fault.message = prompt_json_get(first, prompt_str("message"))->text;
    fault.violations = root->faults;

    root->faults = NULL;
    root->within = prompt_str_absent;

    (void) ngx_http_prompt_root_fail_fault(root, &fault);
}


bool
ngx_http_prompt_root_fail_fault(ngx_http_prompt_root_t *root,
    const prompt_fault_t *fault)
{
    gql_error_t    *error;
    prompt_json_t  *extra;

    error = gql_execution_error(root->job->execution,
                                ngx_http_prompt_bad_user_input, fault->field,
                                "%.*s", prompt_str_arg(fault->message));

    if (fault->violations != NULL) {
        extra = prompt_json_new(root->job->arena, PROMPT_JSON_OBJECT);

        if (extra != NULL) {
            prompt_json_set(extra, prompt_str("violations"),
                            (prompt_json_t *) fault->violations);
            error->extra = extra;
        }
    }

    ngx_http_prompt_root_error(root, error);

    return false;
}
