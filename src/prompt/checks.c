/*
 * Checks of datasets: compiled.
 */

#include "prompt/checks.h"

#include "base/decimal.h"
#include "jsonschema/schema.h"
#include "prompt/name.h"
#include "prompt/text.h"


/* members that a check may have beside name and type, a bit each */
typedef enum {
    PROMPT_CHECKS_PATH = 0,
    PROMPT_CHECKS_VALUE,
    PROMPT_CHECKS_PATTERN,
    PROMPT_CHECKS_SCHEMA,
    PROMPT_CHECKS_USD,
    PROMPT_CHECKS_MS,
    PROMPT_CHECKS_PROMPT,
    PROMPT_CHECKS_LABEL,
    PROMPT_CHECKS_MEMBERS
} prompt_checks_member_t;


/* what the checks of one array share while they are compiled */
typedef struct {
    prompt_arena_t          *arena;
    prompt_regex_context_t   regexes;
    prompt_str_t             where;  /* `checks.N` */
    prompt_fault_t          *fault;
} prompt_checks_compiler_t;


static prompt_check_t prompt_checks_read_path(prompt_checks_compiler_t *c,
    const prompt_json_t *value, prompt_str_t field, prompt_checks_one_t *check);
static prompt_check_t prompt_checks_read_value(prompt_checks_compiler_t *c,
    const prompt_json_t *value, prompt_str_t field, prompt_checks_one_t *check);
static prompt_check_t prompt_checks_read_pattern(prompt_checks_compiler_t *c,
    const prompt_json_t *value, prompt_str_t field, prompt_checks_one_t *check);
static prompt_check_t prompt_checks_read_schema(prompt_checks_compiler_t *c,
    const prompt_json_t *value, prompt_str_t field, prompt_checks_one_t *check);
static prompt_check_t prompt_checks_read_usd(prompt_checks_compiler_t *c,
    const prompt_json_t *value, prompt_str_t field, prompt_checks_one_t *check);
static prompt_check_t prompt_checks_read_ms(prompt_checks_compiler_t *c,
    const prompt_json_t *value, prompt_str_t field, prompt_checks_one_t *check);
static prompt_check_t prompt_checks_read_prompt(prompt_checks_compiler_t *c,
    const prompt_json_t *value, prompt_str_t field, prompt_checks_one_t *check);
static prompt_check_t prompt_checks_read_label(prompt_checks_compiler_t *c,
    const prompt_json_t *value, prompt_str_t field, prompt_checks_one_t *check);


static const struct {
    prompt_str_t     name;
    prompt_check_t (*read)(prompt_checks_compiler_t *c,
                           const prompt_json_t *value, prompt_str_t field,
                           prompt_checks_one_t *check);
} prompt_checks_members[] = {
    { prompt_str_init("path"), prompt_checks_read_path },
    { prompt_str_init("value"), prompt_checks_read_value },
    { prompt_str_init("pattern"), prompt_checks_read_pattern },
    { prompt_str_init("schema"), prompt_checks_read_schema },
    { prompt_str_init("usd"), prompt_checks_read_usd },
    { prompt_str_init("ms"), prompt_checks_read_ms },
    { prompt_str_init("promptId"), prompt_checks_read_prompt },
    { prompt_str_init("label"), prompt_checks_read_label }
};


#define bit(member)  (1U << PROMPT_CHECKS_##member)

/* by prompt_checks_type_t */
static const struct {
    prompt_str_t  name;
    unsigned      may;
    unsigned      must;
} prompt_checks_types[] = {
    { prompt_str_init("equals"), bit(PATH)|bit(VALUE), 0 },
    { prompt_str_init("contains"), bit(PATH)|bit(VALUE), 0 },
    { prompt_str_init("json_equals"), bit(PATH)|bit(VALUE), 0 },
    { prompt_str_init("regex"), bit(PATH)|bit(PATTERN), bit(PATTERN) },
    { prompt_str_init("json_schema"), bit(PATH)|bit(SCHEMA), bit(SCHEMA) },
    { prompt_str_init("max_cost"), bit(USD), bit(USD) },
    { prompt_str_init("max_latency"), bit(MS), bit(MS) },
    { prompt_str_init("judge"), bit(PROMPT)|bit(LABEL), bit(PROMPT) }
};

#undef bit

#define PROMPT_CHECKS_TYPES                                                  \
    (sizeof(prompt_checks_types) / sizeof(prompt_checks_types[0]))


static prompt_check_t
prompt_checks_read_path(prompt_checks_compiler_t *c,
    const prompt_json_t *value, prompt_str_t field, prompt_checks_one_t *check)
{
    size_t        i;
    prompt_str_t  path;

    path = value->text;

    if (value->type != PROMPT_JSON_STRING || path.len == 0
        || path.len > PROMPT_LIMIT_CHECK_PATH)
    {
        return prompt_fault_set(c->arena, c->fault, field,
                                "%.*s must be a string of 1 to %d bytes",
                                prompt_str_arg(field),
                                PROMPT_LIMIT_CHECK_PATH);
    }

    for (i = 0; i <= path.len; i++) {

        if ((i == path.len || path.data[i] == '.')
            && (i == 0 || path.data[i - 1] == '.'))
        {
            return prompt_text_fault(c->arena, field, "must be names or "
                                     "numbers with dots between them",
                                     c->fault);
        }
    }

    check->path = path;

    return PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_checks_read_value(prompt_checks_compiler_t *c,
    const prompt_json_t *value, prompt_str_t field, prompt_checks_one_t *check)
{
    check->value = value;

    return check->type == PROMPT_CHECKS_CONTAINS
           && value->type == PROMPT_JSON_STRING && value->text.len == 0
           ? prompt_text_fault(c->arena, field, "must not be empty", c->fault)
           : PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_checks_read_pattern(prompt_checks_compiler_t *c,
    const prompt_json_t *value, prompt_str_t field, prompt_checks_one_t *check)
{
    const char             *message;
    prompt_regex_status_t   status;

    if (value->type != PROMPT_JSON_STRING) {
        return prompt_text_fault(c->arena, field, "must be a string",
                                 c->fault);
    }

    status = prompt_regex_compile(&c->regexes, value->text, &check->regex,
                                  &message);

    if (status == PROMPT_REGEX_NOMEM) {
        return PROMPT_CHECK_NOMEM;
    }

    return status == PROMPT_REGEX_OK
           ? PROMPT_CHECK_OK
           : prompt_fault_set(c->arena, c->fault, field,
                              "%.*s is no regular expression that can be "
                              "used: %s", prompt_str_arg(field), message);
}


static prompt_check_t
prompt_checks_read_schema(prompt_checks_compiler_t *c,
    const prompt_json_t *value, prompt_str_t field, prompt_checks_one_t *check)
{
    if (value->type != PROMPT_JSON_OBJECT) {
        return prompt_text_fault(c->arena, field, "must be a JSON object",
                                 c->fault);
    }

    return prompt_jsonschema_compile_beside(&c->regexes, value, field,
                                            &check->schema, c->fault);
}


/* a number, or as everywhere else a decimal in a string */
static prompt_check_t
prompt_checks_read_usd(prompt_checks_compiler_t *c,
    const prompt_json_t *value, prompt_str_t field, prompt_checks_one_t *check)
{
    prompt_decimal_t  usd;

    if ((value->type != PROMPT_JSON_NUMBER && value->type != PROMPT_JSON_STRING)
        || !prompt_decimal_parse(value->text, &usd) || usd.negative)
    {
        return prompt_text_fault(c->arena, field, "must be a number from 0 on, "
                                 "or a decimal such as \"0.05\"", c->fault);
    }

    check->usd = value->text;

    return PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_checks_read_ms(prompt_checks_compiler_t *c, const prompt_json_t *value,
    prompt_str_t field, prompt_checks_one_t *check)
{
    if (value->type != PROMPT_JSON_NUMBER
        || !prompt_json_integer(value, &check->ms)
        || check->ms < 0 || check->ms > INT32_MAX)
    {
        return prompt_text_fault(c->arena, field,
                                 "must be an integer from 0 to 2147483647",
                                 c->fault);
    }

    return PROMPT_CHECK_OK;
}


static prompt_check_t
prompt_checks_read_prompt(prompt_checks_compiler_t *c,
    const prompt_json_t *value, prompt_str_t field, prompt_checks_one_t *check)
{
    if (value->type != PROMPT_JSON_STRING) {
        return prompt_text_fault(c->arena, field, "must be a string",
                                 c->fault);
    }

    check->prompt_id = value->text;

    return prompt_text_label(c->arena, value->text, field, PROMPT_LIMIT_NAME,
                             c->fault);
}


static prompt_check_t
prompt_checks_read_label(prompt_checks_compiler_t *c,
    const prompt_json_t *value, prompt_str_t field, prompt_checks_one_t *check)
{
    prompt_check_t  rc;

    if (value->type != PROMPT_JSON_STRING) {
        return prompt_text_fault(c->arena, field, "must be a string",
                                 c->fault);
    }

    check->label = value->text;

    rc = prompt_label(c->arena, value->text, c->fault);

    if (rc == PROMPT_CHECK_FAULT) {
        c->fault->field = field;
    }

    return rc;
}


/* absent: memory */
static prompt_str_t
prompt_checks_field(const prompt_checks_compiler_t *c, prompt_str_t member)
{
    prompt_str_t  name;

    name = prompt_fault_excerpt(c->arena, member);

    return name.data == NULL
           ? name : prompt_arena_printf(c->arena, "%.*s.%.*s",
                                        prompt_str_arg(c->where),
                                        prompt_str_arg(name));
}


/* A fault of a member, in these words. */
static prompt_check_t
prompt_checks_fault(prompt_checks_compiler_t *c, prompt_str_t member,
    const char *words)
{
    return prompt_text_fault(c->arena, prompt_checks_field(c, member), words,
                             c->fault);
}


/* name and type, which say what else there is to be */
static prompt_check_t
prompt_checks_head(prompt_checks_compiler_t *c, const prompt_json_t *value,
    prompt_checks_one_t *check)
{
    size_t                i;
    prompt_str_t          field;
    const prompt_json_t  *name, *type;

    if (value->type != PROMPT_JSON_OBJECT) {
        return prompt_text_fault(c->arena, c->where, "must be a JSON object",
                                 c->fault);
    }

    name = prompt_json_get(value, prompt_str("name"));
    type = prompt_json_get(value, prompt_str("type"));

    if (name == NULL || name->type != PROMPT_JSON_STRING) {
        return prompt_checks_fault(c, prompt_str("name"), "must be a string");
    }

    check->name = name->text;

    for (i = 0; i < PROMPT_CHECKS_TYPES; i++) {

        if (type != NULL && type->type == PROMPT_JSON_STRING
            && prompt_str_eq(type->text, prompt_checks_types[i].name))
        {
            check->type = (prompt_checks_type_t) i;
            field = prompt_checks_field(c, prompt_str("name"));

            return field.data == NULL
                   ? PROMPT_CHECK_NOMEM
                   : prompt_text_label(c->arena, name->text, field,
                                       PROMPT_LIMIT_SCORE_NAME, c->fault);
        }
    }

    return prompt_checks_fault(c, prompt_str("type"),
                               "must be equals, contains, json_equals, regex, "
                               "json_schema, max_cost, max_latency or judge");
}


static prompt_check_t
prompt_checks_one(prompt_checks_compiler_t *c, const prompt_json_t *value,
    prompt_checks_one_t *check)
{
    size_t                i;
    unsigned              found;
    prompt_str_t          field;
    prompt_check_t        rc;
    const prompt_json_t  *member;

    rc = prompt_checks_head(c, value, check);
    found = 0;

    for (member = value->first; member != NULL && rc == PROMPT_CHECK_OK;
         member = member->next)
    {
        if (prompt_str_eq(member->name, prompt_str("name"))
            || prompt_str_eq(member->name, prompt_str("type")))
        {
            continue;
        }

        for (i = 0; i < PROMPT_CHECKS_MEMBERS; i++) {
            if (prompt_str_eq(member->name, prompt_checks_members[i].name)) {
                break;
            }
        }

        field = prompt_checks_field(c, member->name);

        if (field.data == NULL) {
            return PROMPT_CHECK_NOMEM;
        }

        if (i == PROMPT_CHECKS_MEMBERS
            || (prompt_checks_types[check->type].may & 1U << i) == 0)
        {
            return prompt_fault_set(c->arena, c->fault, field,
                       "%.*s is no member of a check of type %.*s",
                       prompt_str_arg(field),
                       prompt_str_arg(prompt_checks_types[check->type].name));
        }

        found |= 1U << i;
        rc = prompt_checks_members[i].read(c, member, field, check);
    }

    for (i = 0; i < PROMPT_CHECKS_MEMBERS && rc == PROMPT_CHECK_OK; i++) {

        if (prompt_checks_types[check->type].must & ~found & 1U << i) {
            return prompt_checks_fault(c, prompt_checks_members[i].name,
                                       "must be given");
        }
    }

    return rc;
}


prompt_check_t
prompt_checks_compile(prompt_arena_t *arena, const prompt_json_t *value,
    prompt_checks_t *checks, prompt_fault_t *fault)
{
    uint32_t                   i;
    prompt_check_t             rc;
    const prompt_json_t       *one;
    prompt_checks_compiler_t   c;

    memset(&c, 0, sizeof(prompt_checks_compiler_t));

    c.arena = arena;
    c.fault = fault;
    c.regexes.arena = arena;
    c.regexes.room = PROMPT_JSONSCHEMA_MAX_REGEX;

    if (value->type != PROMPT_JSON_ARRAY
        || value->count > PROMPT_LIMIT_CHECKS)
    {
        return prompt_fault_set(arena, fault, prompt_str("checks"),
                                "checks must be an array of at most %d objects",
                                PROMPT_LIMIT_CHECKS);
    }

    checks->count = 0;
    checks->list = prompt_arena_zalloc(arena, (value->count + 1)
                                              * sizeof(prompt_checks_one_t));
    if (checks->list == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    for (one = value->first; one != NULL; one = one->next) {
        c.where = prompt_arena_printf(arena, "checks.%u", checks->count);

        rc = c.where.data == NULL
             ? PROMPT_CHECK_NOMEM
             : prompt_checks_one(&c, one, &checks->list[checks->count]);

        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }

        for (i = 0; i < checks->count; i++) {

            if (prompt_str_eq(checks->list[i].name,
                              checks->list[checks->count].name))
            {
                return prompt_checks_fault(&c, prompt_str("name"),
                                           "is that of another check");
            }
        }

        checks->count++;
    }

    return PROMPT_CHECK_OK;
}
