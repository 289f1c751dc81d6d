/*
 * Which statements a connection to PostgreSQL has prepared.
 *
 * PostgreSQL keeps the plan of each as long as it is prepared, and there are
 * more statements than a connection should hold: their weights together are
 * bounded, and those that were used least recently go first.  What a
 * transaction uses stays until that has been sent; what there is no room for
 * beside it goes without being prepared.
 *
 * Plain memory, nothing is sent from here.
 */

#ifndef PROMPT_STORE_PREPARED_H
#define PROMPT_STORE_PREPARED_H

#include "store/query.h"


#define PROMPT_PREPARED_IDS    1024      /* above, statements have no name */
#define PROMPT_PREPARED_BYTES  (2304 * 1024)


typedef struct {
    const prompt_statement_t  *statement;    /* NULL: not prepared */
    uint64_t                   used;         /* in which transaction, last */
} prompt_prepared_entry_t;


/* Zeroed: nothing is prepared. */
typedef struct {
    prompt_prepared_entry_t  entries[PROMPT_PREPARED_IDS];
    uint64_t                 transaction;
    size_t                   bytes;      /* by weight */
} prompt_prepared_t;


/* Statements that are used from here on are those of another transaction. */
void prompt_prepared_begin(prompt_prepared_t *prepared);

/* Whether it is prepared; then it is used now. */
bool prompt_prepared_use(prompt_prepared_t *prepared,
    const prompt_statement_t *statement);

/*
 * One that has to go before the statement is prepared, and counts as gone.
 * NULL: there is room, or the others are used in this transaction.
 */
const prompt_statement_t *prompt_prepared_drop(prompt_prepared_t *prepared,
    const prompt_statement_t *statement) PROMPT_WARN_UNUSED;

/* Whether it may be prepared; what weighs more than may be, alone. */
bool prompt_prepared_fits(const prompt_prepared_t *prepared,
    const prompt_statement_t *statement);

/* It is prepared from now on, and used; its id is below PROMPT_PREPARED_IDS. */
void prompt_prepared_add(prompt_prepared_t *prepared,
    const prompt_statement_t *statement);

#endif /* PROMPT_STORE_PREPARED_H */
