/*
 * Which statements a connection has prepared: bounded by their weight, and
 * what was used least recently goes first.
 */

#include "store/prepared.h"
#include "tap.h"


#define PART  (PROMPT_PREPARED_BYTES / 4)

static prompt_prepared_t  prepared;

static const prompt_statement_t  statements[] = {
    { .id = 0, .name = "a", .weight = PART },
    { .id = 1, .name = "b", .weight = PART },
    { .id = 2, .name = "c", .weight = PART },
    { .id = 3, .name = "d", .weight = PART },
    { .id = 4, .name = "e", .weight = PART },
    { .id = 5, .name = "f", .weight = 2 * PART },
    { .id = 6, .name = "g", .weight = 5 * PART },
    { .id = PROMPT_PREPARED_IDS, .name = "unknown", .weight = 1 }
};


/* a transaction with these: what it prepares, in capitals what goes before */
static void
is_sent(const char *letters, const char *sent, const char *name)
{
    char                       text[64];
    size_t                     n;
    const prompt_statement_t  *statement, *dropped;

    prompt_prepared_begin(&prepared);

    for (n = 0; *letters != '\0'; letters++) {
        statement = &statements[*letters - 'a'];

        if (prompt_prepared_use(&prepared, statement)) {
            continue;
        }

        while (n < sizeof(text) - 2) {
            dropped = prompt_prepared_drop(&prepared, statement);

            if (dropped == NULL) {
                break;
            }

            text[n++] = (char) (dropped->name[0] - 'a' + 'A');
        }

        if (prompt_prepared_fits(&prepared, statement)) {
            prompt_prepared_add(&prepared, statement);
            text[n++] = statement->name[0];
        }
    }

    is_str(prompt_str_of(text, n), sent, name);
}


int
main(void)
{
    unsigned  i;
    size_t    most;

    is_sent("abcd", "abcd", "there is room");
    is_sent("a", "", "what is prepared is not prepared again");
    is_sent("e", "Be", "what was used least recently goes");
    is_sent("c", "", "the others stay");
    is_sent("ab", "Db", "until it is their turn");
    is_sent("f", "ECf", "as many as it takes");
    is_sent("bce", "AcFe", "what was prepared again counts anew");
    is_sent("adf", "aBdCEf", "of those that were used together, all may go");
    is_sent("abcdef", "DbFcd", "a transaction's own stay, and no more");
    is_int(prepared.bytes, PROMPT_PREPARED_BYTES, "than may be");
    is_sent("g", "ABCDg", "what weighs more than may be is there alone");
    is_int(prepared.bytes, 5 * PART, "and nothing with it");
    is_sent("a", "Ga", "until another one comes");

    ok(!prompt_prepared_use(&prepared, &statements[7]),
       "what has no place is never prepared");

    /* one that is used all the time, among all others */

    most = 0;

    for (i = 0; i < 1000; i++) {
        prompt_prepared_begin(&prepared);

        if (!prompt_prepared_use(&prepared, &statements[0])) {
            break;
        }

        prompt_prepared_begin(&prepared);

        if (!prompt_prepared_use(&prepared, &statements[1 + i % 5])) {
            while (prompt_prepared_drop(&prepared, &statements[1 + i % 5])
                   != NULL)
            {
                /* void */
            }

            prompt_prepared_add(&prepared, &statements[1 + i % 5]);
        }

        most = prepared.bytes > most ? prepared.bytes : most;
    }

    is_int(i, 1000, "what is used all the time is not prepared twice, whatever "
                    "others ask for");
    is_int(most, PROMPT_PREPARED_BYTES, "and there is never more than may be");

    return done_testing();
}
