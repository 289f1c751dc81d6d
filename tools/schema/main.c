/*
 * Makes C of a schema, for the build: tools/schema/make.sh runs it.
 *
 *     schema FILE.graphql SYMBOL HEADER
 *
 * Writes the definition of SYMBOL, which HEADER declares, to standard output.
 */

#include <stdio.h>
#include <stdlib.h>

#include "schema/schema_build.h"
#include "schema/tables.h"


/* the file, and all that is made of it */
#define SCHEMA_MEMORY  (64 * 1024 * 1024)
#define SCHEMA_FILE    (1024 * 1024)


static bool
schema_read(const char *path, prompt_arena_t *arena, prompt_str_t *text)
{
    char   *data;
    FILE   *file;
    size_t  n;

    data = prompt_arena_alloc(arena, SCHEMA_FILE);
    if (data == NULL) {
        return false;
    }

    file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return false;
    }

    n = fread(data, 1, SCHEMA_FILE, file);

    if (ferror(file) || !feof(file)) {
        fprintf(stderr, "%s: cannot be read, or is longer than %d bytes\n",
                path, SCHEMA_FILE);
        fclose(file);
        return false;
    }

    fclose(file);
    *text = prompt_str_of(data, n);

    return true;
}


static void
schema_report(const char *path, const gql_errors_t *errors)
{
    const gql_error_t  *error;

    if (errors->nomem) {
        fprintf(stderr, "%s: memory is short\n", path);
    }

    for (error = errors->first; error != NULL; error = error->next) {
        fprintf(stderr, "%s:%u: %.*s\n", path,
                error->nlocations != 0 ? (unsigned) error->locations[0].line
                                       : 1,
                prompt_str_arg(error->message));
    }
}


int
main(int argc, char **argv)
{
    gql_errors_t     errors;
    prompt_str_t     sdl;
    gql_schema_t    *schema;
    prompt_arena_t  *arena;

    if (argc != 4) {
        fputs("usage: schema FILE.graphql SYMBOL HEADER\n", stderr);
        return 2;
    }

    arena = prompt_arena_create(SCHEMA_MEMORY);

    if (arena == NULL || !schema_read(argv[1], arena, &sdl)) {
        return 1;
    }

    gql_errors_init(&errors, arena, sdl, 0);

    schema = gql_schema_build(arena, sdl, &errors);

    if (schema == NULL) {
        schema_report(argv[1], &errors);
        return 1;
    }

    if (!tables_write(stdout, arena, schema, argv[2], argv[3])
        || fflush(stdout) != 0 || ferror(stdout))
    {
        fprintf(stderr, "%s: the tables could not be written\n", argv[1]);
        return 1;
    }

    prompt_arena_destroy(arena);

    return 0;
}
