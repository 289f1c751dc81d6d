/*
 * The texts of statements: put together from what a file of a resource says
 * and from the tables of columns.
 */

#include <time.h>

#include "base/uuid.h"
#include "store/api_key.h"
#include "store/audit.h"
#include "store/budget.h"
#include "store/label.h"
#include "store/log.h"
#include "store/month.h"
#include "store/project.h"
#include "store/run.h"
#include "store/schema_version.h"
#include "store/session.h"
#include "store/statement_impl.h"
#include "store/user.h"
#include "store/version.h"


/* no text is as long as that */
#define PROMPT_STATEMENT_LIMIT  65536

/* between the text for one row and that for several, where they differ */
#define PROMPT_STATEMENT_SEVERAL  "{several}"


/*
 * What a marker becomes: its columns, each as the form has it, which for those
 * that can be null may be another.  In a form stand for a column
 *
 *     %n  its name            %c  the same, behind the alias
 *     %a  the alias           %e  the same, or its expression
 *     %p  its parameter       %r  its expression and AS, where it has one
 *     %b  a boolean one       %v  that a decimal comes as text
 *     %t  its type            %d  that it is sent so, in a column of the result
 *     %k  a type that can be compared
 */
typedef struct {
    const char  *what;
    unsigned     with;               /* those that have one of the flags, */
    unsigned     without;            /* or have none of these */
    const char  *separator;
    const char  *form;
    const char  *nullable;           /* NULL: likewise */
} prompt_marker_t;


static const prompt_resource_t *const  prompt_resources[] = {
    &prompt_api_key_resource,
    &prompt_audit_resource,
    &prompt_budget_resource,
    &prompt_cells_resource,
    &prompt_dataset_item_resource,
    &prompt_dataset_resource,
    &prompt_execution_resource,
    &prompt_invitation_resource,
    &prompt_label_resource,
    &prompt_move_resource,
    &prompt_project_resource,
    &prompt_prompt_resource,
    &prompt_run_resource,
    &prompt_runs_resource,
    &prompt_session_resource,
    &prompt_user_resource,
    &prompt_version_resource
};

/* by prompt_kind_t */
static const char  prompt_kind_letters[] = "uytjtjTbiz";

#define PROMPT_ACTOR_NAME(id, name, letter, member)    prompt_str_init(name),
#define PROMPT_ACTOR_LETTER(id, name, letter, member)  letter,

static const prompt_str_t  prompt_actor_names[] = {
    PROMPT_ACTOR_MEMBERS(PROMPT_ACTOR_NAME)
};

static const char  prompt_actor_letters[] = {
    PROMPT_ACTOR_MEMBERS(PROMPT_ACTOR_LETTER)
};

static const char *const  prompt_kind_types[] = {
    "uuid", "bytea", "text", "json", "numeric", "json", "text[]", "boolean",
    "integer", "timestamptz"
};


static void prompt_marker_by(prompt_statement_text_t *text, prompt_str_t name);


static void
prompt_statement_string(prompt_statement_text_t *text, const char *s)
{
    prompt_buf_append(&text->sql, s, strlen(s));
}


/* what stands before the number of a parameter */
static const char *
prompt_statement_dollar(const prompt_statement_text_t *text)
{
    return text->rows != 0 ? "a.p" : "$";
}


/* returns its number; a test sees to it that there are not too many */
static unsigned
prompt_statement_param(prompt_statement_text_t *text, char letter)
{
    if (text->nparams < PROMPT_STORE_MAX_PARAMS) {
        text->params[text->nparams] = letter;
    }

    return ++text->nparams;
}


static void
prompt_statement_params(prompt_statement_text_t *text, const char *letters)
{
    while (*letters != '\0') {
        (void) prompt_statement_param(text, *letters++);
    }
}


static void
prompt_column_param(prompt_statement_text_t *text, char letter)
{
    unsigned  n;

    n = prompt_statement_param(text, letter);

    prompt_buf_printf(&text->sql, "%s%u", prompt_statement_dollar(text), n);
}


/*
 * Contents of executions are NULL where the operator does not record them, or
 * the project does not.
 */
static void
prompt_column_content(prompt_statement_text_t *text,
    const prompt_column_t *column)
{
    unsigned  n;

    n = text->nparams + 1;

    prompt_statement_string(text, "CASE WHEN ");
    prompt_column_param(text, prompt_kind_letters[column->kind]);
    prompt_statement_string(text, " IS NOT NULL AND ");
    prompt_marker_by(text, column->flags & PROMPT_COLUMN_CHANGE
                           ? prompt_str("output") : prompt_str("input"));
    prompt_statement_string(text, " AND (SELECT j.records_content"
                                  " FROM projects j WHERE j.id = ");
    prompt_marker_by(text, prompt_str("project"));
    prompt_buf_printf(&text->sql, ") IS NOT FALSE THEN %s%u END",
                      prompt_statement_dollar(text), n);
}


/* what one letter of a form stands for */
static void
prompt_column_letter(prompt_statement_text_t *text,
    const prompt_column_t *column, char alias, char letter)
{
    switch (letter) {

    case 'a':
        prompt_buf_char(&text->sql, alias);
        return;

    case 'b':
        prompt_column_param(text, 'b');
        return;

    case 'p':
        if (column->flags & PROMPT_COLUMN_CONTENT) {
            prompt_column_content(text, column);
            return;
        }

        prompt_column_param(text, prompt_kind_letters[column->kind]);
        return;

    case 't':
        prompt_statement_string(text, prompt_kind_types[column->kind]);
        return;

    case 'k':
        prompt_statement_string(text, column->kind == PROMPT_KIND_TEXT
                                      ? "text" : "jsonb");
        return;

    case 'd':
    case 'v':
        text->ncolumns += letter == 'd';

        if (column->kind == PROMPT_KIND_DECIMAL) {
            prompt_statement_string(text, letter == 'd' ? "::text"
                                                        : "::numeric");
        }

        return;

    case 'r':
        if (column->select != NULL) {
            prompt_buf_printf(&text->sql, "%s AS ", column->select);
        }

        return;

    case 'e':
        if (column->select != NULL) {
            prompt_statement_string(text, column->select);
            return;
        }

        /* fall through */

    case 'c':
        if (alias != '\0') {
            prompt_buf_printf(&text->sql, "%c.", alias);
        }

        /* fall through */

    default:
        prompt_statement_string(text, column->name);
    }
}


static void
prompt_column_form(prompt_statement_text_t *text,
    const prompt_column_t *column, char alias, const char *form)
{
    for ( /* void */ ; *form != '\0'; form++) {

        if (*form == '%') {
            prompt_column_letter(text, column, alias, *++form);

        } else {
            prompt_buf_char(&text->sql, *form);
        }
    }
}


/*
 * Of what may be large the size is as it is stored: known without reading it.
 * What differs is mostly the same text, which is sooner seen.
 */
static const prompt_marker_t  prompt_markers[] = {

    { "all", 0, PROMPT_COLUMN_SILENT, ", ", "%r%n", NULL },
    { "row", 0, PROMPT_COLUMN_SILENT, ", ", "%c%d", NULL },
    { "select", 0, PROMPT_COLUMN_SILENT, ", ", "%e%d", NULL },
    { "made", 0, PROMPT_COLUMN_GIVEN, ", ", "%r%n", NULL },
    { "made_row", 0, PROMPT_COLUMN_GIVEN, ", ", "%c%d", NULL },

    { "create", PROMPT_COLUMN_CREATE, 0, ", ", "%c", NULL },
    { "create_values", PROMPT_COLUMN_CREATE, 0, ", ", "%p%v", NULL },
    { "record", PROMPT_COLUMN_CREATE, 0, ", ", "%n %t", NULL },
    { "start", PROMPT_COLUMN_START, 0, ", ", "%c", NULL },
    { "start_values", PROMPT_COLUMN_START, 0, ", ", "%p%v", NULL },
    { "copy", PROMPT_COLUMN_COPY, 0, ", ", "%c", NULL },
    { "given", PROMPT_COLUMN_CHANGE, 0, ", ", "%c", NULL },
    { "changed", PROMPT_COLUMN_CHANGE, 0, ", ", "%c", NULL },
    { "changed_values", PROMPT_COLUMN_CHANGE, 0, ", ", "%p%v", NULL },
    { "set", PROMPT_COLUMN_CHANGE, 0, ", ", "%n = %p%v", NULL },
    { "excluded", PROMPT_COLUMN_CHANGE, 0, ", ", "%n = excluded.%n", NULL },

    { "change", PROMPT_COLUMN_CHANGE, 0, ", ",
      "%n = coalesce(%p, %n)", "%n = CASE WHEN %b THEN %p ELSE %n END" },

    { "size", PROMPT_COLUMN_LARGE, 0, " + ", "pg_column_size(%c)",
      "coalesce(pg_column_size(%c), 0)" },

    { "bytes", PROMPT_COLUMN_LARGE, 0, " + ", "octet_length(%c::text)",
      "coalesce(octet_length(%c::text), 0)" },

    { "merged", PROMPT_COLUMN_CHANGE, 0, ", ",
      "%n = CASE WHEN '%n' = ANY (%a.given) THEN %c ELSE o.%n END", NULL },

    { "other", PROMPT_COLUMN_CHANGE, 0, " OR ",
      "'%n' = ANY (%a.given) AND p.%n IS DISTINCT FROM %c", NULL },

    { "differs", PROMPT_COLUMN_COPY, 0, " ",
      "WHEN x.%n::text IS DISTINCT FROM %c::text"
      " AND (x.%n::%k = %c::%k) IS NOT TRUE THEN '%n'", NULL }
};


/* There is always one: a test makes all statements. */
static const prompt_resource_t *
prompt_marker_resource(prompt_str_t name)
{
    size_t  i;

    for (i = 0; ; i++) {
        if (prompt_str_eq(name, prompt_str_from(prompt_resources[i]->name))) {
            return prompt_resources[i];
        }
    }
}


static const prompt_marker_t *
prompt_marker(prompt_str_t what)
{
    size_t  i;

    for (i = 0; ; i++) {
        if (prompt_str_eq(what, prompt_str_from(prompt_markers[i].what))) {
            return &prompt_markers[i];
        }
    }
}


/* those of mask that are stored, each as the marker has it */
static void
prompt_statement_columns(prompt_statement_text_t *text,
    const prompt_resource_t *resource, prompt_mask_t mask,
    const prompt_marker_t *marker, char alias)
{
    const char             *separator;
    const prompt_column_t  *column;

    separator = "";

    for (column = resource->columns; mask != 0; column++, mask >>= 1) {

        if ((mask & 1) == 0
            || (column->flags & (PROMPT_COLUMN_OF_ID|PROMPT_COLUMN_MADE)))
        {
            continue;
        }

        prompt_statement_string(text, separator);
        prompt_column_form(text, column, alias,
                           (column->flags & PROMPT_COLUMN_NULLABLE)
                           && marker->nullable != NULL ? marker->nullable
                                                       : marker->form);

        separator = marker->separator;
    }
}


static void
prompt_marker_columns(prompt_statement_text_t *text,
    const prompt_resource_t *resource, const prompt_marker_t *marker,
    char alias)
{
    prompt_statement_columns(text, resource,
                             marker->with != 0
                             ? prompt_columns_with(resource, marker->with)
                             : prompt_columns_without(resource,
                                                      marker->without),
                             marker, alias);
}


/* (VALUES ($1, $2, ...), ...) AS a (p1, p2, ...) */
static void
prompt_marker_rows(prompt_statement_text_t *text)
{
    unsigned  row, n;

    for (row = 0; row < text->rows; row++) {
        prompt_statement_string(text, row == 0 ? "(VALUES (" : "), (");

        for (n = 0; n < text->all; n++) {
            prompt_buf_printf(&text->sql, "%s$%u", n == 0 ? "" : ", ",
                              row * text->all + n + 1);
        }
    }

    prompt_statement_string(text, ")) AS a (");

    for (n = 0; n < text->all; n++) {
        prompt_buf_printf(&text->sql, "%sp%u", n == 0 ? "" : ", ", n + 1);
    }

    prompt_buf_char(&text->sql, ')');
}


static void
prompt_marker_word(prompt_statement_text_t *text, prompt_str_t word)
{
    char  id[PROMPT_UUID_TEXT_LEN];

    if (prompt_str_eq(word, prompt_str("recent"))
        || prompt_str_eq(word, prompt_str("lately")))
    {
        /*
         * The first id of the month of so many days ago.  With a constant
         * PostgreSQL leaves out the months before while it plans.
         */

        prompt_month_first(word.data[0] == 'r' ? 2 : 31, id);
        prompt_buf_printf(&text->sql, "'%.*s'", PROMPT_UUID_TEXT_LEN, id);

    } else if (prompt_str_eq(word, prompt_str("rows"))) {
        prompt_marker_rows(text);

    } else if (prompt_str_eq(word, prompt_str("each"))) {

        if (text->rows != 0) {
            prompt_marker_rows(text);
            prompt_statement_string(text, ", LATERAL ");
        }

    } else if (prompt_str_eq(word, prompt_str("fence"))) {
        prompt_statement_string(text, text->rows != 0 ? " OFFSET 0" : "");

    } else if (prompt_str_eq(word, prompt_str("done"))) {
        prompt_statement_string(text, text->rows != 0 ? "id" : "true");

    } else {
        prompt_buf_int(&text->sql, PROMPT_SCHEMA_VERSION);
    }
}


/*
 * What a half of a UNION ALL hands on.  Of another subquery PostgreSQL leaves
 * out by itself what nobody asks for.
 */
static void
prompt_marker_handed(prompt_statement_text_t *text)
{
    const prompt_resource_t  *resource;

    resource = text->family->resource;

    prompt_statement_columns(text, resource, text->mask,
                             prompt_marker(prompt_str("copy")), 'x');

    if ((text->mask & prompt_columns_with(resource, PROMPT_COLUMN_PRIVATE))
        != 0)
    {
        prompt_statement_string(text, ", x.executed_by");
    }
}


/* A parameter of the actor's, which a statement has once. */
static void
prompt_marker_by(prompt_statement_text_t *text, prompt_str_t name)
{
    unsigned  n, who;

    for (who = 0; !prompt_str_eq(name, prompt_actor_names[who]); who++) {
        /* there is always one: a test makes all statements */
    }

    for (n = 0; n < text->nparams; n++) {

        if (text->by[n] == who + 1) {
            break;
        }
    }

    if (n == text->nparams) {
        (void) prompt_statement_param(text, prompt_actor_letters[who]);

        if (n < PROMPT_STORE_MAX_PARAMS) {
            text->by[n] = (uint8_t) (who + 1);
            text->nby++;
        }
    }

    prompt_buf_printf(&text->sql, "%s%u", prompt_statement_dollar(text), n + 1);
}


/* p is behind the brace; returns what is behind the other one */
static const char *
prompt_marker_write(prompt_statement_text_t *text, const char *p)
{
    char          alias;
    size_t        what;
    prompt_str_t  name;

    name = prompt_str_of(p, strcspn(p, " }"));
    p += name.len;

    if (*p == '}') {
        prompt_marker_word(text, name);

    } else if (prompt_str_eq(name, prompt_str("handed"))) {
        prompt_marker_handed(text);

    } else if (prompt_str_eq(name, prompt_str("by"))) {
        p++;
        prompt_marker_by(text, prompt_str_of(p, strcspn(p, "}")));

    } else {
        what = strcspn(++p, " }");
        alias = p[what] == ' ' ? p[what + 1] : '\0';

        prompt_marker_columns(text, prompt_marker_resource(name),
                              prompt_marker(prompt_str_of(p, what)), alias);
    }

    return p + strcspn(p, "}") + 1;
}


/* a text up to its end, with its markers and parameters, and zero behind it */
static void
prompt_statement_add(prompt_statement_text_t *text, const char *sql,
    const char *end)
{
    size_t  len;

    while (sql != end) {
        len = strcspn(sql, "{$");
        prompt_buf_append(&text->sql, sql, len);
        sql += len;

        if (sql == end) {
            break;
        }

        if (*sql == '{') {
            sql = prompt_marker_write(text, sql + 1);

        } else {
            prompt_statement_string(text, prompt_statement_dollar(text));
            sql++;
        }
    }

    prompt_buf_char(&text->sql, '\0');
}


void
prompt_statement_write(prompt_statement_text_t *text, const char *sql,
    const char *params, unsigned rows)
{
    unsigned     all;
    const char  *end, *several;

    end = sql + strlen(sql);
    several = strstr(sql, PROMPT_STATEMENT_SEVERAL);

    if (several != NULL && rows != 0) {
        sql = several + sizeof(PROMPT_STATEMENT_SEVERAL) - 1;

    } else if (several != NULL) {
        end = several;
    }

    memset(text, 0, sizeof(prompt_statement_text_t));

    do {
        all = text->nparams;

        prompt_buf_free(&text->sql);
        memset(text, 0, sizeof(prompt_statement_text_t));

        prompt_buf_init(&text->sql, PROMPT_STATEMENT_LIMIT);
        prompt_statement_params(text, params);
        text->rows = rows;
        text->all = all;

        prompt_statement_add(text, sql, end);

        /* {rows} may stand before the last parameter */

    } while (rows != 0 && text->nparams != all);
}


static void
prompt_family_expression(prompt_statement_text_t *text,
    const prompt_family_t *family, const char *expression)
{
    for ( /* void */ ; *expression != '\0'; expression++) {

        if (*expression == '@') {
            prompt_statement_string(text, family->caller);
        } else {
            prompt_buf_char(&text->sql, *expression);
        }
    }
}


/*
 * In place of a value that is left out stands one byte, U+0001 or the number
 * 0: neither is of one byte otherwise.
 */
static void
prompt_family_column(prompt_statement_text_t *text,
    const prompt_family_t *family, const prompt_column_t *column)
{
    bool           is_private, large, json;
    prompt_buf_t  *sql;

    sql = &text->sql;
    is_private = (column->flags & PROMPT_COLUMN_PRIVATE) != 0;
    large = (column->flags & PROMPT_COLUMN_LARGE) != 0;
    json = column->kind == PROMPT_KIND_JSON
           || column->kind == PROMPT_KIND_OBJECTS;

    if (column->select != NULL) {
        prompt_family_expression(text, family, column->select);
        text->ncolumns++;
        return;
    }

    if (is_private) {
        prompt_buf_printf(sql, "CASE WHEN %c.executed_by = %s THEN ",
                          family->resource->alias, family->caller);
    }

    if (large) {
        prompt_buf_printf(sql, "CASE WHEN octet_length(%c.%s%s) > g.bytes"
                          " THEN %s ELSE ", family->resource->alias,
                          column->name, json ? "::text" : "",
                          json ? "json '0'" : "E'\\x01'");
    }

    prompt_column_form(text, column, family->resource->alias, "%c%d");

    prompt_statement_string(text, large ? " END" : "");
    prompt_statement_string(text, is_private ? " END" : "");
}


void
prompt_statement_write_family(prompt_statement_text_t *text,
    const prompt_family_t *family, const char *range_params, prompt_mask_t mask)
{
    unsigned                i;
    const prompt_column_t  *column;

    memset(text, 0, sizeof(prompt_statement_text_t));

    text->family = family;
    text->mask = mask;

    prompt_buf_init(&text->sql, PROMPT_STATEMENT_LIMIT);
    prompt_statement_params(text, range_params);
    prompt_statement_params(text, family->params);
    prompt_statement_params(text, "ll");

    for (i = 0; i < family->resource->ncolumns; i++) {
        column = &family->resource->columns[i];

        if ((mask & (PROMPT_MASK_BIT << i)) == 0
            || (column->flags & PROMPT_COLUMN_OF_ID))
        {
            continue;
        }

        if (column->flags & PROMPT_COLUMN_LARGE) {
            text->guarded |= PROMPT_MASK_BIT << text->ncolumns;
        }

        prompt_statement_string(text, text->ncolumns == 0 ? "SELECT " : ", ");
        prompt_family_column(text, family, column);
    }

    prompt_buf_char(&text->sql, ' ');
    prompt_statement_add(text, family->tail,
                         family->tail + strlen(family->tail));
}


uint32_t
prompt_statement_type(char letter)
{
    static const char      letters[] = "uUtTbiljyz";
    static const uint32_t  types[] = {
        PROMPT_OID_UUID, PROMPT_OID_UUIDS, PROMPT_OID_TEXT, PROMPT_OID_TEXTS,
        PROMPT_OID_BOOL, PROMPT_OID_INT4, PROMPT_OID_INT8, PROMPT_OID_JSON,
        PROMPT_OID_BYTEA, PROMPT_OID_TIMESTAMPTZ
    };

    return types[strchr(letters, letter) - letters];
}
