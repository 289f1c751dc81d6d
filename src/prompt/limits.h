/*
 * How large things may be: all limits of the subject, in one list.
 */

#ifndef PROMPT_PROMPT_LIMITS_H
#define PROMPT_PROMPT_LIMITS_H

/* in characters (code points) */
#define PROMPT_LIMIT_NAME          128
#define PROMPT_LIMIT_DESCRIPTION   10000
#define PROMPT_LIMIT_MODEL         256
#define PROMPT_LIMIT_KEY_NAME      128
#define PROMPT_LIMIT_EMAIL         320
#define PROMPT_LIMIT_LABEL         64
#define PROMPT_LIMIT_SUBJECT       256
#define PROMPT_LIMIT_NOTE          256
#define PROMPT_LIMIT_PROJECT_NAME  100
#define PROMPT_LIMIT_USER_NAME     200

/* members of metadata; characters of each name and each value */
#define PROMPT_LIMIT_METADATA      16
#define PROMPT_LIMIT_METADATA_TEXT 256

/* members of an input that are read as JSON, by the schema */
#define PROMPT_LIMIT_VARIABLES     1024

/* labels of a prompt, and of a project those that are protected */
#define PROMPT_LIMIT_LABELS        64

/* of an import: prompts, versions, labels, deletions; bytes of JSON */
#define PROMPT_LIMIT_IMPORT        10000
#define PROMPT_LIMIT_IMPORT_BYTES  (16 * 1024 * 1024)

/*
 * of a project: datasets; of these items, and of one call; checks, bytes of
 * them and of a path
 */
#define PROMPT_LIMIT_DATASETS      10000
#define PROMPT_LIMIT_ITEMS         100000
#define PROMPT_LIMIT_ITEMS_CALL    1000
#define PROMPT_LIMIT_CHECKS        64
#define PROMPT_LIMIT_CHECKS_JSON   (256 * 1024)
#define PROMPT_LIMIT_CHECK_PATH    256

/* of an execution, scores; in characters their names and comments */
#define PROMPT_LIMIT_SCORES        1000
#define PROMPT_LIMIT_SCORE_NAME    64
#define PROMPT_LIMIT_SCORE_COMMENT 1000

/* in bytes; of JSON values: in their compact form */
#define PROMPT_LIMIT_CONTENT       (1024 * 1024)
#define PROMPT_LIMIT_PARAMS        (256 * 1024)
#define PROMPT_LIMIT_INPUT_SCHEMA  (256 * 1024)
#define PROMPT_LIMIT_OUTPUT_SCHEMA (256 * 1024)
#define PROMPT_LIMIT_METADATA_JSON (64 * 1024)
#define PROMPT_LIMIT_MESSAGES      (8 * 1024 * 1024)     /* of a version */
#define PROMPT_LIMIT_RENDERED      (4 * 1024 * 1024)
#define PROMPT_LIMIT_ANSWER        (8 * 1024 * 1024)    /* the default */
#define PROMPT_LIMIT_ANSWER_MAX    (16 * 1024 * 1024)   /* prompt_provider */

/* the provider's word for why an answer ended; a longer one is none */
#define PROMPT_LIMIT_FINISH        128

/* of the provider's words for what failed */
#define PROMPT_LIMIT_SAID          1024

/*
 * messages of a version, and all that a provider gets, histories included: of
 * these each part and each call of a tool counts as one, too
 */
#define PROMPT_LIMIT_MESSAGE_COUNT 256
#define PROMPT_LIMIT_CONVERSATION  65536

/* calls of tools of one message; of a version's pictures, too */
#define PROMPT_LIMIT_CALLS         128

/*
 * Of the request to a provider: every byte of the text may become six, and
 * each message, part and call has words around it.
 */
#define PROMPT_LIMIT_REQUEST       (6 * PROMPT_LIMIT_RENDERED                 \
                                    + 128 * PROMPT_LIMIT_CONVERSATION         \
                                    + 2 * PROMPT_LIMIT_PARAMS                 \
                                    + PROMPT_LIMIT_OUTPUT_SCHEMA + 4096)

/* models beside the first that params may name */
#define PROMPT_LIMIT_FALLBACKS     4

/* nesting of JSON values: [] is 1 */
#define PROMPT_LIMIT_DEPTH         64
#define PROMPT_LIMIT_ANSWER_DEPTH  512

/* JSON values that strings of an input are read as, in all */
#define PROMPT_LIMIT_INPUT_VALUES  200000

/* of a run: versions, repetitions, cells; and cells at a time */
#define PROMPT_LIMIT_RUN_VERSIONS     8
#define PROMPT_LIMIT_RUN_REPETITIONS  100
#define PROMPT_LIMIT_RUN_CELLS        100000
#define PROMPT_LIMIT_RUN_CONCURRENCY  32

/*
 * Of an output that is validated: bytes and JSON values; and of what is said of
 * one that is not sound: texts, and bytes of each.
 */
#define PROMPT_LIMIT_OUTPUT        (1024 * 1024)
#define PROMPT_LIMIT_OUTPUT_VALUES 100000
#define PROMPT_LIMIT_OUTPUT_ERRORS 20
#define PROMPT_LIMIT_OUTPUT_ERROR  200

/* token counts */
#define PROMPT_LIMIT_TOKENS        2147483647

/*
 * What validating or rendering one input may take, in steps (a member looked
 * at, a rule applied).  What a schema may be: jsonschema/schema.h.
 */
#define PROMPT_LIMIT_STEPS         2000000

#endif /* PROMPT_PROMPT_LIMITS_H */
