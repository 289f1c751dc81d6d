/*
 * The parameters of a request (GraphQL over HTTP, "Request Parameters"):
 * query, variables, operationName and extensions, from a JSON body or from
 * the query part of a URL; and documentId, or id, as many clients call it.
 *
 * The text of the query is not looked at here, only the form around it: what
 * is no GraphQL request at all is told apart from a request with a faulty
 * document, because HTTP answers the two differently.
 */

#ifndef GQL_HTTP_PARAMS_H
#define GQL_HTTP_PARAMS_H

#include "base/json.h"


/* nesting of a request body as a whole; single values have less */
#define GQL_HTTP_PARAMS_DEPTH   256

/*
 * JSON values in a request body: some ten milliseconds, and more than any
 * params, inputSchema or input that is not made to have many.
 */
#define GQL_HTTP_PARAMS_VALUES  200000


typedef enum {
    GQL_HTTP_PARAMS_OK = 0,
    GQL_HTTP_PARAMS_REFUSED,             /* this is no GraphQL request: 400 */
    GQL_HTTP_PARAMS_NOMEM
} gql_http_params_e;


/* An empty name of the operation in a URL is none, as clients mean it. */
typedef struct {
    prompt_str_t          query;               /* absent: not given */
    prompt_str_t          document_id;         /* absent: not given */
    prompt_str_t          operation_name;      /* absent: not given */
    const prompt_json_t  *variables;           /* an OBJECT, or NULL */
    const prompt_json_t  *extensions;          /* an OBJECT, or NULL */
} gql_http_params_t;


/*
 * Reads the body of a POST, or the query part of a GET's URL (without its
 * question mark, as application/x-www-form-urlencoded).  Members and names
 * that are unknown are ignored, null members are absent; of a name that comes
 * twice in a URL the first counts, in a body it is refused.
 *
 * What params points to lives in arena, or in the text.  With REFUSED,
 * *message says why and where, for the client; it is set with nothing else.
 */
gql_http_params_e gql_http_params_body(prompt_arena_t *arena,
    prompt_str_t text, gql_http_params_t *params, prompt_str_t *message)
    PROMPT_WARN_UNUSED;
gql_http_params_e gql_http_params_url(prompt_arena_t *arena,
    prompt_str_t text, gql_http_params_t *params, prompt_str_t *message)
    PROMPT_WARN_UNUSED;

/*
 * Reads text, which is called `what` ("The request body"), as one JSON value
 * within the limits above; NOMEM and REFUSED as above.
 */
gql_http_params_e gql_http_json(prompt_arena_t *arena, const char *what,
    prompt_str_t text, prompt_json_t **value, prompt_str_t *message)
    PROMPT_WARN_UNUSED;

#endif /* GQL_HTTP_PARAMS_H */
