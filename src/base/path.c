/*
 * Path: see path.h.
 */

#include "base/path.h"

#include "base/utf8.h"


#define PROMPT_PATH_MAX  1000


/* Calls itself once a frame: as deep as the value is nested. */
static void
prompt_path_append(prompt_buf_t *buf, const prompt_path_t *path)
{
    if (path == NULL || buf->len > PROMPT_PATH_MAX) {
        return;
    }

    prompt_path_append(buf, path->parent);

    if (buf->len > PROMPT_PATH_MAX) {
        return;
    }

    if (buf->len != 0) {
        prompt_buf_char(buf, '.');
    }

    if (path->name.data == NULL) {
        prompt_buf_int(buf, (int64_t) path->index);

    } else {
        prompt_buf_append(buf, path->name.data,
                          path->name.len <= PROMPT_PATH_MAX
                          ? path->name.len : PROMPT_PATH_MAX + 1);
    }
}


prompt_str_t
prompt_path_text(prompt_arena_t *arena, const prompt_path_t *path)
{
    prompt_buf_t  buf;

    prompt_buf_init(&buf, 4 * PROMPT_PATH_MAX);
    prompt_path_append(&buf, path);

    if (buf.len > PROMPT_PATH_MAX) {
        prompt_buf_truncate(&buf, prompt_utf8_whole(buf.data,
                                                    PROMPT_PATH_MAX));
        prompt_buf_literal(&buf, "…");
    }

    return prompt_arena_take(arena, &buf);
}
