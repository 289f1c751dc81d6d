/*
 * What every schema has: the SDL of the introspection types (__Schema …), and
 * of the directives and scalars of the standard, as graphql-js 16 describes
 * them.
 */

#ifndef SCHEMA_INTROSPECT_SDL_H
#define SCHEMA_INTROSPECT_SDL_H

#include "base/str.h"


extern const prompt_str_t  gql_introspection_sdl;

#endif /* SCHEMA_INTROSPECT_SDL_H */
