/*
 * What the files of the conformance driver share.
 *
 * The driver is not part of the product: it puts the engine behind the JSON
 * Lines protocol that conformance vectors speak, one question a line on
 * standard input, one answer a line on standard output.
 */

#ifndef PROMPT_T_DRIVER_H
#define PROMPT_T_DRIVER_H

#include "base/json.h"
#include "graphql/syntax/error.h"
#include "graphql/types/schema.h"
#include "schema/sdl_ast.h"


/* one question: all of its memory is the arena's */
typedef struct {
    prompt_arena_t       *arena;
    const prompt_json_t  *ask;
    prompt_buf_t         *out;       /* members of the answer, behind "id" */
    bool                  hidden;    /* half characters, see driver.c */
} driver_question_t;


/* what one question and one schema may take */
#define DRIVER_ARENA  ((size_t) 1 << 30)


/* a member of the question as text, absent where it is none */
prompt_str_t driver_text(const driver_question_t *q, const char *name);

/*
 * A member that is GraphQL: half characters, which no other JSON that is read
 * here may have, are in it as the engine may meet them.
 */
prompt_str_t driver_source(const driver_question_t *q, const char *name);

/* a member as a number, 0 where it is none */
uint32_t driver_number(const prompt_json_t *object, const char *name);

/*
 * A limit as the engine takes it: 0 where there is no such member, UINT32_MAX
 * where it is 0, which allows nothing.
 */
uint32_t driver_limit(const prompt_json_t *object, const char *name);

/* Writes ,"errors":[…] without extensions. */
void driver_write_errors(driver_question_t *q, const gql_errors_t *errors);

/* Writes ,"skip":"why". */
void driver_skip(driver_question_t *q, const char *why);

/*
 * Parses a document, which may define a type system: the engine would refuse
 * such a one at once.  NULL with its error written.
 */
gql_document_t *driver_document(driver_question_t *q, prompt_str_t source);

/*
 * Takes what belongs to a type system out of a document, so that the engine has
 * one that it knows.
 */
gql_list_t driver_take_definitions(gql_document_t *document);

/*
 * What graphql-js's rules say of such definitions: that none is executable, and
 * which of their directives are unknown.
 */
void driver_refuse_definitions(const gql_list_t *definitions,
    gql_errors_t *errors);
void driver_refuse_directives(const gql_schema_t *schema,
    const gql_list_t *definitions, gql_errors_t *errors);

/*
 * The schema of an SDL text, kept from question to question until
 * driver_schema_free().  NULL where there is none: why is written.
 */
gql_schema_t *driver_schema(driver_question_t *q, prompt_str_t sdl);

void driver_schema_free(void);

void driver_validate(driver_question_t *q);
void driver_execute(driver_question_t *q);

#endif /* PROMPT_T_DRIVER_H */
