/*
 * Media types: what a client sends and what it accepts (RFC 9110, 8.3 and
 * 12.5.1; GraphQL over HTTP, "Media Types").
 */

#ifndef GQL_HTTP_MEDIA_H
#define GQL_HTTP_MEDIA_H

#include "base/str.h"


typedef enum {
    GQL_HTTP_MEDIA_NONE = 0,             /* nothing that we can write: 406 */
    GQL_HTTP_MEDIA_JSON,                 /* application/json */
    GQL_HTTP_MEDIA_GRAPHQL,              /* application/graphql-response+json */
    GQL_HTTP_MEDIA_EVENTS,               /* text/event-stream */
    GQL_HTTP_MEDIA_COUNT
} gql_http_media_e;


/* a type that can be written, and the range that fits it most closely */
typedef struct {
    unsigned  specificity;
    unsigned  quality;                   /* 0 to 1000 */
    unsigned  order;                     /* the range's place, from 1 */
} gql_http_candidate_t;


/* what a request accepts, read from its headers one by one */
typedef struct {
    unsigned              count;         /* of ranges */
    gql_http_candidate_t  candidates[GQL_HTTP_MEDIA_COUNT];
} gql_http_accept_t;


void gql_http_accept_init(gql_http_accept_t *accept);

/* the value of one Accept header; in time linear in its length */
void gql_http_accept_add(gql_http_accept_t *accept, prompt_str_t text);

/*
 * The form of answer that the headers ask for: the highest quality wins, then
 * what is named more closely, then the order of the headers; without any, or
 * with a wildcard, application/json.
 */
gql_http_media_e gql_http_accept_choose(const gql_http_accept_t *accept);

/*
 * Whether events are accepted: they are named, or all of text as a whole is; a
 * wildcard for all types asks for no stream.
 */
bool gql_http_accept_events(const gql_http_accept_t *accept);

/* Content-Type is application/json, in UTF-8 where a charset is named. */
bool gql_http_media_is_json(prompt_str_t content_type);

/* the Content-Type of an answer, without its charset */
prompt_str_t gql_http_media_name(gql_http_media_e media);

#endif /* GQL_HTTP_MEDIA_H */
