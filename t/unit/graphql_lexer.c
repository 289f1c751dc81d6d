/*
 * Lexer: tokens and where they stand, strings and their values, what is
 * refused, and what happens when memory gives out.
 */

#include "graphql/syntax/lexer.h"
#include "tap.h"


#define ARENA  (1 << 20)


typedef struct {
    const char        *source;
    gql_token_kind_t   kind;
    const char        *value;
    unsigned           start;
    unsigned           end;
} token_case_t;


typedef struct {
    const char  *source;
    const char  *message;            /* behind "Syntax Error: " */
    unsigned     line;
    unsigned     column;
} error_case_t;


static const token_case_t  tokens[] = {
    { "", GQL_TOKEN_EOF, NULL, 0, 0 },
    { " \t\r\n,,# only a comment", GQL_TOKEN_EOF, NULL, 22, 22 },
    { "\xef\xbb\xbf name", GQL_TOKEN_NAME, "name", 4, 8 },
    { ",\xef\xbb\xbf,name", GQL_TOKEN_NAME, "name", 5, 9 },
    { "# \xf0\x9f\x98\x80\r_a1", GQL_TOKEN_NAME, "_a1", 7, 10 },
    { "!", GQL_TOKEN_BANG, NULL, 0, 1 },
    { "$", GQL_TOKEN_DOLLAR, NULL, 0, 1 },
    { "&", GQL_TOKEN_AMP, NULL, 0, 1 },
    { "(", GQL_TOKEN_PAREN_L, NULL, 0, 1 },
    { ")", GQL_TOKEN_PAREN_R, NULL, 0, 1 },
    { "...", GQL_TOKEN_SPREAD, NULL, 0, 3 },
    { ":", GQL_TOKEN_COLON, NULL, 0, 1 },
    { "=", GQL_TOKEN_EQUALS, NULL, 0, 1 },
    { "@", GQL_TOKEN_AT, NULL, 0, 1 },
    { "[", GQL_TOKEN_BRACKET_L, NULL, 0, 1 },
    { "]", GQL_TOKEN_BRACKET_R, NULL, 0, 1 },
    { "{", GQL_TOKEN_BRACE_L, NULL, 0, 1 },
    { "|", GQL_TOKEN_PIPE, NULL, 0, 1 },
    { "}", GQL_TOKEN_BRACE_R, NULL, 0, 1 },
    { "0", GQL_TOKEN_INT, "0", 0, 1 },
    { "-0", GQL_TOKEN_INT, "-0", 0, 2 },
    { "-123)", GQL_TOKEN_INT, "-123", 0, 4 },
    { "4.123", GQL_TOKEN_FLOAT, "4.123", 0, 5 },
    { "0e0", GQL_TOKEN_FLOAT, "0e0", 0, 3 },
    { "-1.5E-07]", GQL_TOKEN_FLOAT, "-1.5E-07", 0, 8 },
    { "1e+50", GQL_TOKEN_FLOAT, "1e+50", 0, 5 },
    { "\"\"", GQL_TOKEN_STRING, "", 0, 2 },
    { "\"a # b\"", GQL_TOKEN_STRING, "a # b", 0, 7 },
    { "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", GQL_TOKEN_STRING,
      "\"\\/\b\f\n\r\t", 0, 18 },
    { "\"x\\u0041y\"", GQL_TOKEN_STRING, "xAy", 0, 10 },
    { "\"\\u{1F600}\"", GQL_TOKEN_STRING, "\xf0\x9f\x98\x80", 0, 11 },
    { "\"\\u{00000041}\"", GQL_TOKEN_STRING, "A", 0, 14 },
    { "\"\\u{10FFFF}\"", GQL_TOKEN_STRING, "\xf4\x8f\xbf\xbf", 0, 12 },
    { "\"\\uD83D\\uDE00\"", GQL_TOKEN_STRING, "\xf0\x9f\x98\x80", 0, 14 },
    { "\"\xf0\x9f\x98\x80\"", GQL_TOKEN_STRING, "\xf0\x9f\x98\x80", 0, 6 },
    { "\"\"\"\"\"\"", GQL_TOKEN_BLOCK_STRING, "", 0, 6 },
    { "\"\"\" a \"\"\"", GQL_TOKEN_BLOCK_STRING, " a ", 0, 9 },
    { "\"\"\"\n    a\n      b\n\n    c\n  \"\"\"", GQL_TOKEN_BLOCK_STRING,
      "a\n  b\n\nc", 0, 30 },
    { "\"\"\"a\r\n\tb\r\tc\"\"\"", GQL_TOKEN_BLOCK_STRING, "a\nb\nc", 0, 14 },
    { "\"\"\"\\\"\"\" \\n \"\" \"\"\"", GQL_TOKEN_BLOCK_STRING,
      "\"\"\" \\n \"\" ", 0, 17 },
    { "\"\"\" \n \n\"\"\"", GQL_TOKEN_BLOCK_STRING, "", 0, 10 }
};


static const error_case_t  errors[] = {
    { "?", "Unexpected character: \"?\".", 1, 1 },
    { "\n\n    '", "Unexpected single quote character ('), did you mean to "
      "use a double quote (\")?", 3, 5 },
    { "..", "Unexpected character: \".\".", 1, 1 },
    { "\x07", "Unexpected character: U+0007.", 1, 1 },
    { "\xc3\xa9", "Unexpected character: U+00E9.", 1, 1 },
    { ",\xf0\x9f\x98\x80", "Unexpected character: U+1F600.", 1, 2 },
    { "\xff", "Invalid character: byte 0xFF.", 1, 1 },
    { "# \xed\xba\xad", "Invalid character: U+DEAD.", 1, 3 },
    { "00", "Invalid number, unexpected digit after 0: \"0\".", 1, 2 },
    { "1.", "Invalid number, expected digit but got: <EOF>.", 1, 3 },
    { "1.e1", "Invalid number, expected digit but got: \"e\".", 1, 3 },
    { "1.2.3", "Invalid number, expected digit but got: \".\".", 1, 4 },
    { "-A", "Invalid number, expected digit but got: \"A\".", 1, 2 },
    { "1.0e\"", "Invalid number, expected digit but got: '\"'.", 1, 5 },
    { "0xF1", "Invalid number, expected digit but got: \"x\".", 1, 2 },
    { "\"", "Unterminated string.", 1, 2 },
    { "\"a\r", "Unterminated string.", 1, 3 },
    { "\"\xc3\xa9\xf0\x9f\x98\x80\xed\xba\xad\"",
      "Invalid character within String: U+DEAD.", 1, 5 },
    { "\"\\z\"", "Invalid character escape sequence: \"\\z\".", 1, 2 },
    { "\"\\\xf0\x9f\x98\x80\"",
      "Invalid character escape sequence: \"\\\xef\xbf\xbd\".", 1, 2 },
    { "\"\\", "Invalid character escape sequence: \"\\\".", 1, 2 },
    { "\"\\u00G0\"", "Invalid Unicode escape sequence: \"\\u00G0\".", 1, 2 },
    { "\"\\u00", "Invalid Unicode escape sequence: \"\\u00\".", 1, 2 },
    { "\"\\uDC00\\uD800\"", "Invalid Unicode escape sequence: \"\\uDC00\".",
      1, 2 },
    { "\"\\uD800\\u0041\"", "Invalid Unicode escape sequence: \"\\uD800\".",
      1, 2 },
    { "\"\\u{}\"", "Invalid Unicode escape sequence: \"\\u{}\".", 1, 2 },
    { "\"\\u{110000}\"", "Invalid Unicode escape sequence: \"\\u{110000}\".",
      1, 2 },
    { "\"\\u{D800}\"", "Invalid Unicode escape sequence: \"\\u{D800}\".",
      1, 2 },
    { "\"\\u{FFFFFFFF}\"",
      "Invalid Unicode escape sequence: \"\\u{FFFFFFFF\".", 1, 2 },
    { "\"\\u{000000041}\"",
      "Invalid Unicode escape sequence: \"\\u{000000041\".", 1, 2 },
    { "\"\"\"a\nb", "Unterminated string.", 2, 2 },
    { "\"\"\"\"\"", "Unterminated string.", 1, 6 },
    { "\"\"\"\n \xff\"\"\"",
      "Invalid character within String: byte 0xFF.", 2, 2 }
};


static void
test_tokens(void)
{
    char             name[32];
    size_t           i;
    gql_lexer_t      lexer;
    gql_token_t      token;
    gql_errors_t     list;
    prompt_str_t     source;
    prompt_arena_t  *arena;

    for (i = 0; i < sizeof(tokens) / sizeof(tokens[0]); i++) {
        arena = prompt_arena_create(ARENA);
        source = prompt_str_from(tokens[i].source);
        snprintf(name, sizeof(name), "token %zu", i);
        gql_errors_init(&list, arena, source, 0);

        memset(&token, 0, sizeof(gql_token_t));

        ok(gql_lexer_init(&lexer, arena, source, &list)
           && gql_lexer_next(&lexer, &token) && list.count == 0, name);
        is_int(token.kind, tokens[i].kind, "  its kind");
        is_str(token.value, tokens[i].value, "  its value");
        ok(token.start == tokens[i].start && token.end == tokens[i].end,
           "  its place");

        prompt_arena_destroy(arena);
    }
}


static void
test_errors(void)
{
    char             message[256];
    size_t           i;
    gql_lexer_t      lexer;
    gql_token_t      token;
    gql_errors_t     list;
    prompt_str_t     source;
    prompt_arena_t  *arena;

    for (i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
        arena = prompt_arena_create(ARENA);
        source = prompt_str_from(errors[i].source);
        gql_errors_init(&list, arena, source, 0);

        ok(gql_lexer_init(&lexer, arena, source, &list)
           && !gql_lexer_next(&lexer, &token), errors[i].message);

        if (is_int(list.count, 1, "  one error")) {
            snprintf(message, sizeof(message), "Syntax Error: %s",
                     errors[i].message);
            is_str(list.first->message, message, "  its words");
            is_int(list.first->locations[0].line, errors[i].line,
                   "  its line");
            is_int(list.first->locations[0].column, errors[i].column,
                   "  its column");
        }

        prompt_arena_destroy(arena);
    }
}


static void
test_nul(void)
{
    gql_lexer_t      lexer;
    gql_token_t      token;
    gql_errors_t     list;
    prompt_str_t     source;
    prompt_arena_t  *arena;

    arena = prompt_arena_create(ARENA);

    source = prompt_str("\"a\0b\" \"\\u0000\" \0");
    gql_errors_init(&list, arena, source, 0);

    ok(gql_lexer_init(&lexer, arena, source, &list)
       && gql_lexer_next(&lexer, &token) && token.value.len == 3,
       "U+0000 in a string");
    ok(gql_lexer_next(&lexer, &token) && token.value.len == 1,
       "U+0000 by escape");
    ok(!gql_lexer_next(&lexer, &token), "U+0000 between tokens");
    is_str(list.first->message,
           "Syntax Error: Unexpected character: U+0000.", "  its words");

    source = prompt_str("\"\\\0\"");
    gql_errors_init(&list, arena, source, 0);

    ok(gql_lexer_init(&lexer, arena, source, &list)
       && !gql_lexer_next(&lexer, &token)
       && list.first->message.len
          == sizeof("Syntax Error: Invalid character escape sequence: \"\\.\"")
             , "a message is not cut at U+0000");

    gql_errors_init(&list, arena, prompt_str_absent, 0);

    ok(gql_lexer_init(&lexer, arena, prompt_str_absent, &list)
       && gql_lexer_next(&lexer, &token) && token.kind == GQL_TOKEN_EOF
       && gql_lexer_next(&lexer, &token) && token.kind == GQL_TOKEN_EOF,
       "absent text has an end, again and again");

    prompt_arena_destroy(arena);
}


/* Every limit: an error, nomem, or all tokens; never anything else. */
static void
test_memory(void)
{
    bool             fine, done;
    size_t           limit;
    unsigned         n, failed;
    gql_lexer_t      lexer;
    gql_token_t      token;
    gql_errors_t     list;
    prompt_str_t     source;
    prompt_arena_t  *arena;

    source = prompt_str("{ a(b: \"\\u0041\", c: \"\"\"\n x\n  y\"\"\") } ?");
    fine = true;
    failed = 0;
    done = false;

    for (limit = 1; limit < 4096; limit++) {
        arena = prompt_arena_create(limit);
        if (arena == NULL) {
            failed++;
            continue;
        }

        gql_errors_init(&list, arena, source, 0);

        n = 0;

        if (gql_lexer_init(&lexer, arena, source, &list)) {
            while (gql_lexer_next(&lexer, &token)) {
                n++;
            }
        }

        done = n == 11 && list.count == 1 && !list.nomem;
        fine = fine && (done || list.nomem);
        failed += done ? 0 : 1;

        prompt_arena_destroy(arena);
    }

    ok(fine && done && failed != 0, "short memory is told at every limit");
}


/* the place of a byte offset, found by way of all that is before it */
static gql_location_t
place_of(prompt_str_t text, size_t offset)
{
    size_t          i;
    unsigned char   c;
    gql_location_t  place;

    place.line = 1;
    place.column = 1;

    for (i = 0; i < offset && i < text.len; i++) {
        c = (unsigned char) text.data[i];

        if (c == '\n'
            || (c == '\r' && !(i + 1 < text.len && text.data[i + 1] == '\n')))
        {
            place.line++;
            place.column = 1;

        } else if ((c & 0xc0) != 0x80) {
            place.column += c >= 0xf0 ? 2 : 1;
        }
    }

    return place;
}


static void
test_places(void)
{
    size_t               i;
    bool                 same;
    gql_location_t       a, b;
    prompt_str_t         text;
    prompt_arena_t      *arena;
    gql_source_index_t  *index;
    static char          bytes[5000];

    for (i = 0; i < sizeof(bytes); i++) {
        bytes[i] = "\xc3\xa9\r\n \xf0\x9f\x98\x80\ry\n\nz"[i % 14];
    }

    text = prompt_str_of(bytes, sizeof(bytes));
    arena = prompt_arena_create(ARENA);
    index = gql_source_index(arena, text);
    same = index != NULL;

    for (i = 0; same && i <= sizeof(bytes) + 1; i++) {
        a = place_of(text, i);
        b = gql_source_index_location(index, (uint32_t) i);
        same = a.line == b.line && a.column == b.column;
    }

    ok(same, "an index knows every place of a text");

    b = gql_source_index_location(index, 9);
    ok(b.line == 2 && b.column == 4, "columns are UTF-16 units");

    prompt_arena_destroy(arena);
}


int
main(void)
{
    test_tokens();
    test_errors();
    test_nul();
    test_memory();
    test_places();

    return done_testing();
}
