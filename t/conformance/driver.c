/*
 * Conformance driver: reads questions, asks the engine, writes answers.
 *
 *     {"id":7,"op":"lex|parse|validate|execute", …}
 *     {"id":7,"errors":[…],"tokens":[…],"printed":"…","result":{…}}
 *
 * which is what reference.mjs beside it speaks, with the answers of
 * graphql-js.
 */

#include <stdio.h>
#include <stdlib.h>

#include "driver.h"
#include "base/utf8.h"
#include "graphql/syntax/lexer.h"
#include "graphql/syntax/parser.h"
#include "graphql.h"


/* of the JSON of a question */
#define DRIVER_DEPTH  4096


prompt_str_t
driver_text(const driver_question_t *q, const char *name)
{
    const prompt_json_t  *member;

    member = prompt_json_get(q->ask, prompt_str_from(name));

    if (member == NULL || member->type != PROMPT_JSON_STRING) {
        return prompt_str_absent;
    }

    return member->text;
}


uint32_t
driver_number(const prompt_json_t *object, const char *name)
{
    int64_t               n;
    const prompt_json_t  *member;

    member = prompt_json_get(object, prompt_str_from(name));

    if (member == NULL || member->type != PROMPT_JSON_NUMBER
        || !prompt_json_integer(member, &n) || n < 0 || n > UINT32_MAX)
    {
        return 0;
    }

    return (uint32_t) n;
}


uint32_t
driver_limit(const prompt_json_t *object, const char *name)
{
    uint32_t              n;
    const prompt_json_t  *member;

    member = prompt_json_get(object, prompt_str_from(name));

    if (member == NULL || member->type != PROMPT_JSON_NUMBER) {
        return 0;
    }

    n = driver_number(object, name);

    return n != 0 ? n : UINT32_MAX;
}


void
driver_write_errors(driver_question_t *q, const gql_errors_t *errors)
{
    prompt_buf_literal(q->out, ",\"errors\":");

    if (errors->nomem) {
        prompt_buf_literal(q->out, "[{\"message\":\"driver: memory\"}]");
        return;
    }

    gql_errors_write(q->out, errors, prompt_str_absent);
}


void
driver_skip(driver_question_t *q, const char *why)
{
    prompt_buf_literal(q->out, ",\"skip\":");
    prompt_json_write_string(q->out, prompt_str_from(why));
}


/*
 * Lone surrogates are no Unicode text, and JSON that has them is refused; the
 * lexer is to be asked about them all the same.  So \ud800 … \udfff travel as
 * U+10D800 … U+10DFFF, private characters that a line which has both may not
 * use, become three bytes each in the source, and are written as escapes.
 */

static int
driver_hex4(const char *p)
{
    int   n;
    char  digits[5], *end;

    memcpy(digits, p, 4);
    digits[4] = '\0';
    n = (int) strtol(digits, &end, 16);

    return *end == '\0' ? n : -1;
}


static bool
driver_is_escape(prompt_str_t s, size_t i, int low, int high)
{
    int  n;

    if (i + 6 > s.len || s.data[i] != '\\' || s.data[i + 1] != 'u') {
        return false;
    }

    n = driver_hex4(s.data + i + 2);

    return n >= low && n <= high;
}


/* the line with lone surrogates replaced, in the arena */
static prompt_str_t
driver_hide_surrogates(prompt_arena_t *arena, prompt_str_t line, bool *hidden)
{
    int      n;
    char    *p, *start;
    size_t   i;

    *hidden = false;

    start = prompt_arena_alloc(arena, line.len + 1);
    if (start == NULL) {
        return line;
    }

    p = start;

    for (i = 0; i < line.len; i++) {
        if (line.data[i] != '\\') {
            *p++ = line.data[i];
            continue;
        }

        if (driver_is_escape(line, i, 0xd800, 0xdbff)
            && driver_is_escape(line, i + 6, 0xdc00, 0xdfff))
        {
            memcpy(p, line.data + i, 12);
            p += 12;
            i += 11;
            continue;
        }

        if (driver_is_escape(line, i, 0xd800, 0xdfff)) {
            *hidden = true;
            n = driver_hex4(line.data + i + 2);
            *p++ = (char) 0xf4;
            *p++ = (char) (0x80 | (n >> 12));
            *p++ = (char) (0x80 | ((n >> 6) & 0x3f));
            *p++ = (char) (0x80 | (n & 0x3f));
            i += 5;
            continue;
        }

        *p++ = line.data[i];

        if (i + 1 < line.len) {
            *p++ = line.data[++i];
        }
    }

    return prompt_str_of(start, (size_t) (p - start));
}


static prompt_str_t
driver_show_surrogates(prompt_arena_t *arena, prompt_str_t s)
{
    char    *p, *start;
    size_t   i;

    start = prompt_arena_alloc(arena, s.len + 1);
    if (start == NULL) {
        return s;
    }

    p = start;

    for (i = 0; i < s.len; i++) {
        if ((unsigned char) s.data[i] == 0xf4 && i + 3 < s.len
            && (unsigned char) s.data[i + 1] == 0x8d
            && (unsigned char) s.data[i + 2] >= 0xa0)
        {
            *p++ = (char) 0xed;
            *p++ = s.data[i + 2];
            *p++ = s.data[i + 3];
            i += 3;
            continue;
        }

        *p++ = s.data[i];
    }

    return prompt_str_of(start, (size_t) (p - start));
}


prompt_str_t
driver_source(const driver_question_t *q, const char *name)
{
    prompt_str_t  text;

    text = driver_text(q, name);

    return q->hidden ? driver_show_surrogates(q->arena, text) : text;
}


/* all strings of a value; DRIVER_DEPTH bounds the recursion */
static void
driver_show_values(driver_question_t *q, prompt_json_t *value)
{
    prompt_json_t  *item;

    if (value->type == PROMPT_JSON_STRING) {
        value->text = driver_show_surrogates(q->arena, value->text);
    }

    if (value->type != PROMPT_JSON_ARRAY && value->type != PROMPT_JSON_OBJECT)
    {
        return;
    }

    for (item = value->first; item != NULL; item = item->next) {
        if (value->type == PROMPT_JSON_OBJECT) {
            item->name = driver_show_surrogates(q->arena, item->name);
        }

        driver_show_values(q, item);
    }
}


static void
driver_show_member(driver_question_t *q, const char *name)
{
    prompt_json_t  *member;

    member = prompt_json_get(q->ask, prompt_str_from(name));

    if (member != NULL) {
        driver_show_values(q, member);
    }
}


/* where the tokens are that are written: no text is counted twice */
typedef struct {
    const gql_source_index_t  *index;
    uint32_t                   offset;   /* in bytes */
    uint32_t                   units;    /* the same in UTF-16 */
} driver_places_t;


/* offset must not be before the one of the last call */
static uint32_t
driver_units(driver_places_t *places, uint32_t offset)
{
    prompt_str_t  passed;

    passed = prompt_str_of(places->index->text.data + places->offset,
                           offset - places->offset);

    places->units += (uint32_t) prompt_utf8_utf16_length(passed);
    places->offset = offset;

    return places->units;
}


static void
driver_write_token(driver_question_t *q, driver_places_t *places,
    const gql_token_t *token)
{
    unsigned        i;
    uint32_t        numbers[4];
    gql_location_t  place;

    place = gql_source_index_location(places->index, token->start);

    numbers[0] = driver_units(places, token->start);
    numbers[1] = driver_units(places, token->end);
    numbers[2] = place.line;
    numbers[3] = place.column;

    prompt_buf_char(q->out, '[');
    prompt_json_write_string(q->out, gql_token_kind_name(token->kind));

    for (i = 0; i < 4; i++) {
        prompt_buf_char(q->out, ',');
        prompt_buf_int(q->out, numbers[i]);
    }

    if (token->value.data != NULL) {
        prompt_buf_char(q->out, ',');
        prompt_json_write_string(q->out, token->value);
    }

    prompt_buf_char(q->out, ']');
}


static void
driver_lex(driver_question_t *q)
{
    gql_lexer_t       lexer;
    gql_token_t       token;
    gql_errors_t      errors;
    prompt_str_t      source;
    const char       *comma;
    driver_places_t   places;

    source = driver_source(q, "source");

    memset(&places, 0, sizeof(driver_places_t));
    places.index = gql_source_index(q->arena, source);

    if (places.index == NULL) {
        driver_skip(q, "memory");
        return;
    }

    gql_errors_init(&errors, q->arena, source, 0);
    prompt_buf_literal(q->out, ",\"tokens\":[");

    if (gql_lexer_init(&lexer, q->arena, source, &errors)) {
        token.kind = GQL_TOKEN_SOF;
        comma = "";

        while (token.kind != GQL_TOKEN_EOF
               && gql_lexer_next(&lexer, &token))
        {
            prompt_buf_str(q->out, prompt_str_from(comma));
            driver_write_token(q, &places, &token);
            comma = ",";
        }
    }

    prompt_buf_char(q->out, ']');

    if (errors.count != 0) {
        driver_write_errors(q, &errors);
    }
}


gql_document_t *
driver_document(driver_question_t *q, prompt_str_t source)
{
    gql_errors_t     errors;
    gql_document_t  *document;

    gql_errors_init(&errors, q->arena, source, 0);

    document = gql_parse_sdl(q->arena, source, 0, &errors);

    if (document == NULL) {
        driver_write_errors(q, &errors);
    }

    return document;
}


/* whether there is nothing in the question that the engine does not have */
static bool
driver_parse_knows(const driver_question_t *q)
{
    size_t                i;
    const prompt_json_t  *option, *start;

    static const char *const  starts[] = {
        "parse", "parseValue", "parseConstValue", "parseType"
    };

    option = prompt_json_get(q->ask, prompt_str("options"));

    if (option != NULL && option->type == PROMPT_JSON_OBJECT) {
        for (option = option->first; option != NULL; option = option->next) {
            if (!prompt_str_eq(option->name, prompt_str("maxTokens"))
                && !prompt_str_eq(option->name, prompt_str("noLocation")))
            {
                return false;
            }
        }
    }

    start = prompt_json_get(q->ask, prompt_str("start"));

    if (start == NULL) {
        return true;
    }

    for (i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
        if (prompt_str_eq(start->text, prompt_str_from(starts[i]))) {
            return true;
        }
    }

    return false;
}


static const gql_node_t *
driver_parse_start(driver_question_t *q, prompt_str_t source,
    gql_errors_t *errors)
{
    uint32_t      tokens;
    prompt_str_t  start;

    tokens = driver_limit(prompt_json_get(q->ask, prompt_str("options")),
                          "maxTokens");
    start = driver_text(q, "start");

    if (prompt_str_eq(start, prompt_str("parseValue"))) {
        return (gql_node_t *) gql_parse_value(q->arena, source, tokens,
                                              errors);
    }

    if (prompt_str_eq(start, prompt_str("parseConstValue"))) {
        return (gql_node_t *) gql_parse_const_value(q->arena, source, tokens,
                                                    errors);
    }

    if (prompt_str_eq(start, prompt_str("parseType"))) {
        return (gql_node_t *) gql_parse_type(q->arena, source, tokens,
                                             errors);
    }

    return (gql_node_t *) gql_parse_sdl(q->arena, source, tokens, errors);
}


static void
driver_parse(driver_question_t *q)
{
    gql_errors_t       errors;
    prompt_buf_t       printed;
    prompt_str_t       source;
    const gql_node_t  *node;

    if (!driver_parse_knows(q)) {
        driver_skip(q, "unknown start or option");
        return;
    }

    source = driver_source(q, "source");

    gql_errors_init(&errors, q->arena, source, 0);

    node = driver_parse_start(q, source, &errors);

    if (node == NULL) {
        driver_write_errors(q, &errors);
        return;
    }

    prompt_buf_init(&printed, DRIVER_ARENA);
    gql_print_document(&printed, node);

    prompt_buf_literal(q->out, ",\"printed\":");
    prompt_json_write_string(q->out, prompt_buf_view(&printed));

    prompt_buf_free(&printed);
}


static void
driver_answer(driver_question_t *q)
{
    prompt_str_t  op;

    op = driver_text(q, "op");

    if (prompt_str_eq(op, prompt_str("lex"))) {
        driver_lex(q);

    } else if (prompt_str_eq(op, prompt_str("parse"))) {
        driver_parse(q);

    } else if (prompt_str_eq(op, prompt_str("validate"))) {
        driver_validate(q);

    } else if (prompt_str_eq(op, prompt_str("execute"))) {
        driver_execute(q);

    } else {
        driver_skip(q, "unknown op");
    }
}


/* an answer, its half characters as escapes */
static void
driver_write_answer(prompt_buf_t *out, prompt_str_t answer)
{
    size_t                i, run;
    const unsigned char  *p;

    run = 0;

    for (i = 0; i + 2 < answer.len; i++) {
        p = (const unsigned char *) answer.data + i;

        if (p[0] != 0xed || p[1] < 0xa0) {
            continue;
        }

        prompt_buf_append(out, answer.data + run, i - run);
        prompt_buf_printf(out, "\\u%04x",
                          0xd000 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu));
        run = i + 3;
        i += 2;
    }

    prompt_buf_append(out, answer.data + run, answer.len - run);
}


/* false: the line is no question */
static bool
driver_line(prompt_str_t line, prompt_buf_t *out)
{
    prompt_buf_t           answer;
    prompt_json_t         *id;
    driver_question_t      q;
    prompt_json_error_t    error;

    q.arena = prompt_arena_create(DRIVER_ARENA);
    if (q.arena == NULL) {
        fprintf(stderr, "driver: no memory\n");
        return false;
    }

    line = driver_hide_surrogates(q.arena, line, &q.hidden);
    q.ask = prompt_json_read(q.arena, line, DRIVER_DEPTH, &error);
    id = prompt_json_get(q.ask, prompt_str("id"));

    if (id == NULL) {
        fprintf(stderr, "driver: no question with an id: %s\n",
                q.ask == NULL ? error.message : "");
        prompt_arena_destroy(q.arena);
        return false;
    }

    if (q.hidden) {
        driver_show_member(&q, "variables");
        driver_show_member(&q, "resolved");
    }

    prompt_buf_literal(out, "{\"id\":");
    prompt_json_write(out, id);

    prompt_buf_init(&answer, DRIVER_ARENA);
    q.out = &answer;
    driver_answer(&q);
    driver_write_answer(out, prompt_buf_view(&answer));
    prompt_buf_free(&answer);

    prompt_buf_literal(out, "}\n");

    prompt_arena_destroy(q.arena);

    return true;
}


int
main(void)
{
    int            rc;
    char          *line;
    size_t         cap;
    ssize_t        len;
    prompt_buf_t   out;
    prompt_str_t   view;

    rc = 0;
    line = NULL;
    cap = 0;

    while ((len = getline(&line, &cap, stdin)) > 0) {
        prompt_buf_init(&out, DRIVER_ARENA);

        if (!driver_line(prompt_str_of(line, (size_t) len), &out)) {
            rc = 1;
        }

        view = prompt_buf_view(&out);

        if (out.status != PROMPT_BUF_OK
            || fwrite(view.data, 1, view.len, stdout) != view.len)
        {
            rc = 1;
        }

        /* who asks one thing after the other waits for each answer */
        fflush(stdout);
        prompt_buf_free(&out);
    }

    free(line);
    driver_schema_free();

    return rc;
}
