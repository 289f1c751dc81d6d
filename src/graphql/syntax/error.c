/*
 * Errors of a request: the list, and its form as JSON.
 */

#include <stdarg.h>
#include <stdio.h>

#include "graphql/syntax/error.h"


#define GQL_PATH_PIECE  32


static void gql_path_write(prompt_buf_t *buf, const gql_path_t *path);
static void gql_extensions_write(prompt_buf_t *buf, const gql_error_t *error,
    prompt_str_t default_code);


void
gql_errors_init(gql_errors_t *errors, prompt_arena_t *arena,
    prompt_str_t source, uint32_t max)
{
    memset(errors, 0, sizeof(gql_errors_t));

    errors->arena = arena;
    errors->source = source;
    errors->max = max;
}


/* message is copied; absent where memory was too short to make it */
static gql_error_t *
gql_errors_new(gql_errors_t *errors, prompt_str_t message)
{
    gql_error_t  *error;

    if (errors->max != 0 && errors->count >= errors->max) {
        errors->full = true;
        return NULL;
    }

    error = prompt_arena_zalloc(errors->arena, sizeof(gql_error_t));

    if (error != NULL && message.data != NULL) {
        error->message = prompt_arena_copy(errors->arena, message);
    }

    if (error == NULL || error->message.data == NULL) {
        errors->nomem = true;
        return NULL;
    }

    if (errors->last != NULL) {
        errors->last->next = error;

    } else {
        errors->first = error;
    }

    errors->last = error;
    errors->count++;

    return error;
}


/*
 * The end of a message that is longer than it may be: text has its first
 * GQL_ERROR_MAX_MESSAGE bytes.  Returns the length that is left.
 */
static size_t
gql_error_cut(char text[GQL_ERROR_MAX_MESSAGE])
{
    size_t  n;

    static const char  more[] = "…";

    n = GQL_ERROR_MAX_MESSAGE - (sizeof(more) - 1);

    while (n != 0 && ((unsigned char) text[n] & 0xc0) == 0x80) {
        n--;
    }

    memcpy(text + n, more, sizeof(more) - 1);

    return n + sizeof(more) - 1;
}


gql_error_t *
gql_errors_add(gql_errors_t *errors, const char *format, ...)
{
    int           n;
    char          text[GQL_ERROR_MAX_MESSAGE + 1];
    va_list       args;
    prompt_str_t  message;

    va_start(args, format);
    n = vsnprintf(text, sizeof(text), format, args);
    va_end(args);

    if (n < 0) {
        errors->nomem = true;
        return NULL;
    }

    if (n <= GQL_ERROR_MAX_MESSAGE) {
        return gql_errors_new(errors, prompt_str_of(text, (size_t) n));
    }

    if (!errors->whole) {
        return gql_errors_new(errors,
                              prompt_str_of(text, gql_error_cut(text)));
    }

    va_start(args, format);
    message = prompt_arena_vprintf(errors->arena, format, args);
    va_end(args);

    return gql_errors_new(errors, message);
}


gql_error_t *
gql_errors_add_pieces(gql_errors_t *errors, const prompt_str_t *pieces,
    size_t n)
{
    char    brief[GQL_ERROR_MAX_MESSAGE], *text;
    size_t  i, len, room;

    text = brief;
    room = GQL_ERROR_MAX_MESSAGE;

    if (errors->whole) {
        room = 0;

        for (i = 0; i < n; i++) {
            room += pieces[i].len;
        }

        text = prompt_arena_alloc(errors->arena, room + 1);
        if (text == NULL) {
            errors->nomem = true;
            return NULL;
        }
    }

    len = 0;

    for (i = 0; i < n; i++) {
        if (pieces[i].len > room - len) {
            memcpy(text + len, pieces[i].data, room - len);
            len = gql_error_cut(text);
            break;
        }

        if (pieces[i].len != 0) {
            memcpy(text + len, pieces[i].data, pieces[i].len);
            len += pieces[i].len;
        }
    }

    return gql_errors_new(errors, prompt_str_of(text, len));
}


static const gql_source_index_t *
gql_errors_index(gql_errors_t *errors)
{
    gql_source_index_t  *index;

    index = errors->index;

    if (index == NULL
        || index->text.data != errors->source.data
        || index->text.len != errors->source.len)
    {
        index = gql_source_index(errors->arena, errors->source);
        errors->index = index;
    }

    return index;
}


void
gql_error_at(gql_errors_t *errors, gql_error_t *error, uint32_t offset)
{
    uint32_t                   n;
    gql_location_t            *locations;
    const gql_source_index_t  *index;

    if (error == NULL
        || (error->nlocations == GQL_ERROR_MAX_LOCATIONS && !errors->whole))
    {
        return;
    }

    index = gql_errors_index(errors);
    if (index == NULL) {
        errors->nomem = true;
        return;
    }

    n = error->nlocations;

    /* full at each power of two */

    if ((n & (n - 1)) == 0) {
        locations = prompt_arena_array(errors->arena,
                                       n != 0 ? (size_t) n * 2 : 1,
                                       sizeof(gql_location_t));
        if (locations == NULL) {
            errors->nomem = true;
            return;
        }

        if (n != 0) {
            memcpy(locations, error->locations, n * sizeof(gql_location_t));
        }

        error->locations = locations;
    }

    error->locations[n] = gql_source_index_location(index, offset);
    error->nlocations = n + 1;
}


void
gql_error_write(prompt_buf_t *buf, const gql_error_t *error,
    prompt_str_t default_code)
{
    uint32_t  i;

    prompt_buf_literal(buf, "{\"message\":");
    prompt_json_write_string(buf, error->message);

    if (error->locations != NULL) {
        prompt_buf_literal(buf, ",\"locations\":[");

        for (i = 0; i < error->nlocations; i++) {
            if (i != 0) {
                prompt_buf_char(buf, ',');
            }

            prompt_buf_literal(buf, "{\"line\":");
            prompt_buf_int(buf, error->locations[i].line);
            prompt_buf_literal(buf, ",\"column\":");
            prompt_buf_int(buf, error->locations[i].column);
            prompt_buf_char(buf, '}');
        }

        prompt_buf_char(buf, ']');
    }

    if (error->path != NULL) {
        prompt_buf_literal(buf, ",\"path\":");
        gql_path_write(buf, error->path);
    }

    if (error->code.data != NULL || error->field.data != NULL
        || error->extra != NULL || default_code.data != NULL)
    {
        gql_extensions_write(buf, error, default_code);
    }

    prompt_buf_char(buf, '}');
}


/*
 * A path is linked from its end, and is written from its start: it is taken
 * in pieces that fit a small array, outermost piece first.
 */
static void
gql_path_write(prompt_buf_t *buf, const gql_path_t *path)
{
    size_t             i, n, done, depth;
    const gql_path_t  *p, *piece[GQL_PATH_PIECE];

    depth = 0;

    for (p = path; p != NULL; p = p->parent) {
        depth++;
    }

    prompt_buf_char(buf, '[');

    for (done = 0; done < depth; done += n) {
        n = depth - done < GQL_PATH_PIECE ? depth - done : GQL_PATH_PIECE;

        p = path;

        for (i = depth - done - n; i != 0; i--) {
            p = p->parent;
        }

        for (i = n; i != 0; i--) {
            piece[i - 1] = p;
            p = p->parent;
        }

        for (i = 0; i < n; i++) {
            if (done + i != 0) {
                prompt_buf_char(buf, ',');
            }

            if (piece[i]->key.data != NULL) {
                prompt_json_write_string(buf, piece[i]->key);

            } else {
                prompt_buf_int(buf, piece[i]->index);
            }
        }
    }

    prompt_buf_char(buf, ']');
}


static void
gql_extensions_write(prompt_buf_t *buf, const gql_error_t *error,
    prompt_str_t default_code)
{
    prompt_str_t          code;
    const char           *comma;
    const prompt_json_t  *member;

    comma = "";
    code = error->code.data != NULL ? error->code : default_code;

    prompt_buf_literal(buf, ",\"extensions\":{");

    if (code.data != NULL) {
        prompt_buf_literal(buf, "\"code\":");
        prompt_json_write_string(buf, code);
        comma = ",";
    }

    if (error->field.data != NULL) {
        prompt_buf_str(buf, prompt_str_from(comma));
        prompt_buf_literal(buf, "\"field\":");
        prompt_json_write_string(buf, error->field);
        comma = ",";
    }

    if (error->extra != NULL) {
        for (member = error->extra->first;
             member != NULL;
             member = member->next)
        {
            prompt_buf_str(buf, prompt_str_from(comma));
            prompt_json_write_string(buf, member->name);
            prompt_buf_char(buf, ':');
            prompt_json_write(buf, member);
            comma = ",";
        }
    }

    prompt_buf_char(buf, '}');
}


void
gql_errors_write(prompt_buf_t *buf, const gql_errors_t *errors,
    prompt_str_t default_code)
{
    const gql_error_t  *error;

    prompt_buf_char(buf, '[');

    for (error = errors->first; error != NULL; error = error->next) {
        if (error != errors->first) {
            prompt_buf_char(buf, ',');
        }

        gql_error_write(buf, error, default_code);
    }

    prompt_buf_char(buf, ']');
}
