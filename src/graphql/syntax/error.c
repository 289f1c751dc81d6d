/*
 * Errors of a request: the list, and its form as JSON.
 */

#include <stdarg.h>
#include <stdio.h>

#include "base/link.h"
#include "base/utf8.h"
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


/* whether there are as many as there may be */
static bool
gql_errors_full(gql_errors_t *errors)
{
    if (errors->max == 0 || errors->count < errors->max) {
        return false;
    }

    errors->full = true;

    return true;
}


/* message is the arena's; NULL where that was too short */
static gql_error_t *
gql_errors_new(gql_errors_t *errors, char *message, size_t len)
{
    gql_error_t  *error;

    error = prompt_arena_zalloc(errors->arena, sizeof(gql_error_t));

    if (error == NULL || message == NULL) {
        errors->nomem = true;
        return NULL;
    }

    message[len] = '\0';
    error->message = prompt_str_of(message, len);

    prompt_link(errors, error, next);
    errors->count++;

    return error;
}


/*
 * The end of a message that is longer than it may be: text has its first len
 * bytes.  Returns the length that is left.
 */
static size_t
gql_error_cut(char *text, size_t len)
{
    static const char  more[] = "…";

    len = prompt_utf8_whole(text, len - (sizeof(more) - 1));
    memcpy(text + len, more, sizeof(more) - 1);

    return len + sizeof(more) - 1;
}


gql_error_t *
gql_errors_add(gql_errors_t *errors, const char *format, ...)
{
    int      n;
    char    *text;
    size_t   len;
    va_list  args;

    if (gql_errors_full(errors)) {
        return NULL;
    }

    va_start(args, format);
    n = vsnprintf(NULL, 0, format, args);
    va_end(args);

    len = n > 0 ? (size_t) n : 0;

    if (len > gql_error_bounds.message) {
        len = gql_error_bounds.message;
    }

    text = prompt_arena_alloc(errors->arena, len + 1);

    if (text != NULL) {
        va_start(args, format);
        (void) vsnprintf(text, len + 1, format, args);
        va_end(args);

        if (n > 0 && len < (size_t) n) {
            len = gql_error_cut(text, len);
        }
    }

    return gql_errors_new(errors, text, len);
}


gql_error_t *
gql_errors_add_pieces(gql_errors_t *errors, const prompt_str_t *pieces,
    size_t n)
{
    char    *text;
    size_t   i, len, piece, room;

    if (gql_errors_full(errors)) {
        return NULL;
    }

    room = 0;

    for (i = 0; i < n; i++) {
        room += pieces[i].len;
    }

    if (room > gql_error_bounds.message) {
        room = gql_error_bounds.message;
    }

    len = 0;
    text = prompt_arena_alloc(errors->arena, room + 1);

    for (i = 0; i < n && text != NULL; i++) {
        piece = pieces[i].len < room - len ? pieces[i].len : room - len;

        if (piece != 0) {
            memcpy(text + len, pieces[i].data, piece);
            len += piece;
        }

        if (piece < pieces[i].len) {
            len = gql_error_cut(text, len);
            break;
        }
    }

    return gql_errors_new(errors, text, len);
}


void
gql_error_at(gql_errors_t *errors, gql_error_t *error, uint32_t offset)
{
    gql_location_t      *locations;
    gql_source_index_t  *index;

    if (error == NULL || error->nlocations == gql_error_bounds.locations) {
        return;
    }

    index = errors->index;

    if (index == NULL
        || index->text.data != errors->source.data
        || index->text.len != errors->source.len)
    {
        index = gql_source_index(errors->arena, errors->source);
        errors->index = index;
    }

    if (index == NULL) {
        errors->nomem = true;
        return;
    }

    locations = prompt_arena_room(errors->arena, error->locations,
                                  error->nlocations, sizeof(gql_location_t));
    if (locations == NULL) {
        errors->nomem = true;
        return;
    }

    locations[error->nlocations++] = gql_source_index_location(index, offset);
    error->locations = locations;
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
