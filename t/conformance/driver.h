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
 * Parses a document; NULL with its error written.
 */
gql_document_t *driver_document(driver_question_t *q, prompt_str_t source);

/*
 * The schema of an SDL text, kept from question to question until
 * driver_schema_free().  NULL where there is none: why is written.
 */
gql_schema_t *driver_schema(driver_question_t *q, prompt_str_t sdl);

/*
 * Whether the types of a schema of driver_schema() are sound; where they are
 * not, what is wrong with them is written.
 */
bool driver_schema_is_valid(driver_question_t *q, const gql_schema_t *schema);

void driver_schema_free(void);

void driver_validate(driver_question_t *q);
void driver_validate_sdl(driver_question_t *q);
/* not of the vectors: what is wrong with the types of a schema */
void driver_validate_schema(driver_question_t *q);
void driver_execute(driver_question_t *q);

#endif /* PROMPT_T_DRIVER_H */
