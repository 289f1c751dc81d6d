/*
 * The API as it was written: schema.graphql, embedded by the build.
 */

#ifndef PROMPT_PROMPT_SDL_TEXT_H
#define PROMPT_PROMPT_SDL_TEXT_H

#include <stddef.h>


/* the bytes of schema.graphql, and a zero that the length does not count */
extern const char    prompt_sdl_text[];
extern const size_t  prompt_sdl_text_len;

#endif /* PROMPT_PROMPT_SDL_TEXT_H */
