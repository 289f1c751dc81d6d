/*
 * The GraphQL endpoint, by libcurl.
 */

#define _DEFAULT_SOURCE  1                   /* explicit_bzero() */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <curl/curl.h>

#include "ctl/api.h"
#include "prompt/key.h"


/* an Idempotency-Key and its NUL */
#define CTL_KEY_SIZE  256


static int ctl_api_key(ctl_t *ctl, char out[CTL_KEY_SIZE]);
static size_t ctl_api_receive(char *data, size_t size, size_t n, void *buf);
static CURLcode ctl_api_perform(ctl_api_t *api, void *to, long *status);
static bool ctl_api_was_lost(CURLcode code);
static int ctl_api_prompt_by(ctl_api_t *api, const char *document,
    const char *name, const char *selection, prompt_json_t **prompt);


int
ctl_api_open(ctl_api_t *api, ctl_t *ctl)
{
    char                header[PROMPT_KEY_LEN + 32];
    size_t              i;
    const char         *key;
    struct curl_slist  *headers, *next;
    const char         *lines[3];

    memset(api, 0, sizeof(ctl_api_t));
    api->ctl = ctl;

    api->url = ctl_setting(ctl, "url", "PROMPT_URL");
    if (api->url == NULL) {
        return ctl_wrong(ctl, "no endpoint: set PROMPT_URL or use --url");
    }

    key = ctl_setting(ctl, "key", "PROMPT_API_KEY");
    if (key == NULL) {
        return ctl_wrong(ctl, "no API key: set PROMPT_API_KEY or use --key");
    }

    /* of that form, it cannot break the header either */

    if (!prompt_key_valid(prompt_str_from(key))) {
        return ctl_wrong(ctl, "PROMPT_API_KEY (or --key) is not an API key: "
                         "a character may be missing or wrong");
    }

    if (curl_global_init(CURL_GLOBAL_DEFAULT) != 0) {
        return ctl_no_memory();
    }

    api->curl = curl_easy_init();
    if (api->curl == NULL) {
        return ctl_no_memory();
    }

    (void) snprintf(header, sizeof(header), "Authorization: Bearer %s", key);

    lines[0] = header;
    lines[1] = "Content-Type: application/json";
    lines[2] = "Accept: application/json, text/event-stream";
    headers = NULL;

    for (i = 0; i < 3; i++) {
        next = curl_slist_append(headers, lines[i]);

        if (next == NULL) {
            curl_slist_free_all(headers);
            ctl_api_close(api);
            return ctl_no_memory();
        }

        headers = next;
    }

    api->headers = headers;
    explicit_bzero(header, sizeof(header));

    return CTL_OK;
}


void
ctl_api_close(ctl_api_t *api)
{
    curl_slist_free_all(api->headers);
    curl_easy_cleanup(api->curl);
    curl_global_cleanup();
}


int
ctl_api_once(ctl_api_t *api)
{
    int                 rc;
    char                key[CTL_KEY_SIZE], header[CTL_KEY_SIZE + 32];
    struct curl_slist  *headers;

    rc = ctl_api_key(api->ctl, key);
    if (rc != CTL_OK) {
        return rc;
    }

    (void) snprintf(header, sizeof(header), "Idempotency-Key: %s", key);

    headers = curl_slist_append(api->headers, header);
    if (headers == NULL) {
        return ctl_no_memory();
    }

    api->headers = headers;
    api->once = true;

    return CTL_OK;
}


/* the given one, or a random one */

static int
ctl_api_key(ctl_t *ctl, char out[CTL_KEY_SIZE])
{
    size_t          i, len;
    const char     *given;
    prompt_uuid_t   id;

    given = ctl_given(ctl, "idempotency-key");

    if (given == NULL) {

        if (!ctl_uuid(&id)) {
            return CTL_FAILED;
        }

        prompt_uuid_format(&id, out);
        out[PROMPT_UUID_TEXT_LEN] = '\0';

        return CTL_OK;
    }

    len = strlen(given);

    for (i = 0; i < len && given[i] > ' ' && given[i] <= '~'; i++) {
        /* void */
    }

    if (i != len || len == 0 || len >= CTL_KEY_SIZE) {
        return ctl_wrong(ctl, "--idempotency-key must have 1 to 255 visible "
                         "ASCII characters");
    }

    memcpy(out, given, len + 1);

    return CTL_OK;
}


int
ctl_api_call(ctl_api_t *api, const char *document, prompt_json_t *variables,
    prompt_json_t **data)
{
    int             rc;
    prompt_json_t  *errors;

    rc = ctl_api_request(api, document, variables, data, &errors);

    if (rc == CTL_OK && errors != NULL) {
        ctl_api_errors(errors);
        rc = CTL_FAILED;
    }

    return rc;
}


int
ctl_api_request(ctl_api_t *api, const char *document,
    prompt_json_t *variables, prompt_json_t **data, prompt_json_t **errors)
{
    int            rc;
    long           status;
    prompt_buf_t   body, answer;
    prompt_str_t   text;

    *data = NULL;
    *errors = NULL;

    rc = ctl_api_body(&body, document, variables);
    if (rc != CTL_OK) {
        return rc;
    }

    prompt_buf_init(&answer, CTL_API_ANSWER);

    rc = ctl_api_send(api, prompt_buf_view(&body), ctl_api_receive, &answer,
                      &status);

    prompt_buf_free(&body);

    if (rc == CTL_OK) {

        /* strings of the tree point into the text */

        text = prompt_arena_copy(api->ctl->arena, prompt_buf_view(&answer));

        rc = text.data != NULL
             ? ctl_api_read(api, text, status, data, errors)
             : ctl_no_memory();
    }

    prompt_buf_free(&answer);

    return rc;
}


int
ctl_api_body(prompt_buf_t *body, const char *document,
    const prompt_json_t *variables)
{
    prompt_buf_init(body, CTL_API_ANSWER);

    prompt_buf_literal(body, "{\"query\":");
    prompt_json_write_string(body, prompt_str_from(document));

    if (variables != NULL) {
        prompt_buf_literal(body, ",\"variables\":");
        prompt_json_write(body, variables);
    }

    prompt_buf_char(body, '}');

    if (body->status != PROMPT_BUF_OK) {
        prompt_buf_free(body);
        return ctl_no_memory();
    }

    return CTL_OK;
}


int
ctl_api_send(ctl_api_t *api, prompt_str_t body, ctl_api_receive_pt receive,
    void *to, long *status)
{
    char      message[CURL_ERROR_SIZE];
    CURL     *curl;
    CURLcode  code;

    curl = api->curl;
    message[0] = '\0';

    curl_easy_reset(curl);

    (void) curl_easy_setopt(curl, CURLOPT_URL, api->url);
#if LIBCURL_VERSION_NUM >= 0x075500
    (void) curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    (void) curl_easy_setopt(curl, CURLOPT_PROTOCOLS,
                            CURLPROTO_HTTP | CURLPROTO_HTTPS);
#endif
    (void) curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
    (void) curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    (void) curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, 10L);
    (void) curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long) CTL_API_TIMEOUT);
    (void) curl_easy_setopt(curl, CURLOPT_USERAGENT, "promptctl");
    (void) curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "");
    (void) curl_easy_setopt(curl, CURLOPT_HTTPHEADER, api->headers);
    (void) curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body.data);
    (void) curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE,
                            (curl_off_t) body.len);
    (void) curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive);
    (void) curl_easy_setopt(curl, CURLOPT_WRITEDATA, to);
    (void) curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, message);

    code = ctl_api_perform(api, to, status);

    if (code != CURLE_OK) {
        ctl_error("the endpoint does not answer: %s",
                  message[0] != '\0' ? message : curl_easy_strerror(code));
        return CTL_FAILED;
    }

    return CTL_OK;
}


/* Once; with a key as often as it makes sense: then to is a buffer. */

static CURLcode
ctl_api_perform(ctl_api_t *api, void *to, long *status)
{
    unsigned       lost, busy;
    CURLcode       code;
    prompt_buf_t  *answer;

    lost = 0;
    busy = 0;

    for ( ;; ) {
        code = curl_easy_perform(api->curl);

        if (code == CURLE_OK) {
            (void) curl_easy_getinfo(api->curl, CURLINFO_RESPONSE_CODE,
                                     status);
        }

        if (!api->once
            || (code == CURLE_OK
                ? *status != 409 || ++busy > CTL_API_BUSY
                : !ctl_api_was_lost(code) || ++lost > CTL_API_LOST))
        {
            return code;
        }

        answer = to;

        prompt_buf_free(answer);
        prompt_buf_init(answer, CTL_API_ANSWER);

        (void) sleep(1);
    }
}


static bool
ctl_api_was_lost(CURLcode code)
{
    return code == CURLE_GOT_NOTHING || code == CURLE_SEND_ERROR
           || code == CURLE_RECV_ERROR || code == CURLE_PARTIAL_FILE
           || code == CURLE_HTTP2 || code == CURLE_HTTP2_STREAM;
}


static size_t
ctl_api_receive(char *data, size_t size, size_t n, void *buf)
{
    prompt_buf_t  *answer;

    answer = buf;

    prompt_buf_append(answer, data, size * n);

    /* anything but all of it ends the transfer */

    return answer->status == PROMPT_BUF_OK ? size * n : 0;
}


int
ctl_api_read(ctl_api_t *api, prompt_str_t answer, long status,
    prompt_json_t **data, prompt_json_t **errors)
{
    prompt_json_t        *root;
    prompt_json_error_t   error;

    root = prompt_json_read(api->ctl->arena, answer, CTL_API_DEPTH, &error);

    if (root == NULL && error.status == PROMPT_JSON_NOMEM) {
        return ctl_no_memory();
    }

    *errors = ctl_member(root, "errors");
    *data = ctl_member(root, "data");

    if (*errors != NULL && (*errors)->type == PROMPT_JSON_ARRAY
        && (*errors)->count != 0)
    {
        return CTL_OK;
    }

    if (*errors != NULL && (*errors)->type != PROMPT_JSON_ARRAY
        && (*errors)->type != PROMPT_JSON_NULL)
    {
        *data = NULL;
    }

    *errors = NULL;

    if (status == 413) {
        ctl_error("the request is larger than the server takes (HTTP status "
                  "413): ask for a larger client_max_body_size");
        return CTL_FAILED;
    }

    if (*data == NULL || (*data)->type != PROMPT_JSON_OBJECT) {
        ctl_error("HTTP status %ld, and not a GraphQL response: is PROMPT_URL "
                  "right?", status);
        return CTL_FAILED;
    }

    return CTL_OK;
}


void
ctl_api_errors(const prompt_json_t *errors)
{
    prompt_str_t          code, field, message;
    const prompt_json_t  *error, *extensions;

    for (error = errors->first; error != NULL; error = error->next) {
        message = ctl_text(error, "message");
        extensions = ctl_member(error, "extensions");
        code = ctl_text(extensions, "code");
        field = ctl_text(extensions, "field");

        ctl_error("%.*s%s%.*s (%.*s)", prompt_str_arg(field),
                  field.len != 0 ? ": " : "", prompt_str_arg(message),
                  prompt_str_arg(code));
    }
}


int
ctl_api_prompt(ctl_api_t *api, const char *name, const char *selection,
    prompt_json_t **prompt)
{
    prompt_uuid_t  id;

    if (!prompt_uuid_parse(prompt_str_from(name), &id)) {
        return ctl_api_prompt_by_name(api, name, selection, prompt);
    }

    return ctl_api_prompt_by(api, "query ($p: ID!) { p: prompt(id: $p) ", name,
                             selection, prompt);
}


int
ctl_api_prompt_by_name(ctl_api_t *api, const char *name,
    const char *selection, prompt_json_t **prompt)
{
    return ctl_api_prompt_by(api, "query ($p: String!)"
                             " { p: promptByName(name: $p) ", name, selection,
                             prompt);
}


/* document: up to the selection */

static int
ctl_api_prompt_by(ctl_api_t *api, const char *document, const char *name,
    const char *selection, prompt_json_t **prompt)
{
    int             rc;
    prompt_str_t    whole;
    prompt_json_t  *variables, *data, *errors;

    whole = prompt_arena_printf(api->ctl->arena, "%s%s }", document,
                                selection);
    variables = ctl_object(api->ctl);

    if (whole.data == NULL || variables == NULL
        || !ctl_set_text(api->ctl, variables, "p", prompt_str_from(name)))
    {
        return ctl_no_memory();
    }

    rc = ctl_api_request(api, whole.data, variables, &data, &errors);
    if (rc != CTL_OK) {
        return rc;
    }

    if (errors != NULL) {
        *prompt = NULL;

        if (prompt_str_eq(ctl_text(ctl_member(errors->first, "extensions"),
                                   "code"), prompt_str("NOT_FOUND")))
        {
            return CTL_OK;
        }

        ctl_api_errors(errors);

        return CTL_FAILED;
    }

    *prompt = ctl_member(data, "p");

    if (*prompt != NULL && (*prompt)->type != PROMPT_JSON_OBJECT) {
        *prompt = NULL;
    }

    return CTL_OK;
}


int
ctl_api_no_prompt(const char *name)
{
    ctl_error("there is no prompt \"%s\"", name);

    return CTL_FAILED;
}


prompt_str_t
ctl_text(const prompt_json_t *object, const char *name)
{
    const prompt_json_t  *member;

    member = ctl_member(object, name);

    if (member == NULL || member->type != PROMPT_JSON_STRING) {
        return prompt_str_absent;
    }

    return member->text;
}


prompt_json_t *
ctl_member(const prompt_json_t *object, const char *name)
{
    if (object == NULL || object->type != PROMPT_JSON_OBJECT) {
        return NULL;
    }

    return prompt_json_get(object, prompt_str_from(name));
}


int64_t
ctl_integer(const prompt_json_t *object, const char *name)
{
    int64_t               n;
    const prompt_json_t  *member;

    member = ctl_member(object, name);

    if (member == NULL || member->type != PROMPT_JSON_NUMBER
        || !prompt_json_integer(member, &n))
    {
        return 0;
    }

    return n;
}


prompt_json_t *
ctl_object(ctl_t *ctl)
{
    return prompt_json_new(ctl->arena, PROMPT_JSON_OBJECT);
}


bool
ctl_set(ctl_t *ctl, prompt_json_t *object, const char *name,
    const prompt_json_t *value)
{
    prompt_json_t  *copy;

    /* value may hang in another tree: what is set is a copy */

    copy = value != NULL ? prompt_json_copy(ctl->arena, value)
                         : prompt_json_new(ctl->arena, PROMPT_JSON_NULL);

    if (object == NULL || copy == NULL) {
        return false;
    }

    prompt_json_set(object, prompt_str_from(name), copy);

    return true;
}


bool
ctl_set_text(ctl_t *ctl, prompt_json_t *object, const char *name,
    prompt_str_t text)
{
    prompt_json_t  *value;

    value = text.data != NULL ? prompt_json_new_string(ctl->arena, text)
                              : prompt_json_new(ctl->arena, PROMPT_JSON_NULL);

    if (object == NULL || value == NULL) {
        return false;
    }

    prompt_json_set(object, prompt_str_from(name), value);

    return true;
}
