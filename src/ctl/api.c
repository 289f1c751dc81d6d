/*
 * The GraphQL endpoint, by libcurl.
 */

#define _DEFAULT_SOURCE  1                   /* explicit_bzero() */

#include <stdio.h>
#include <unistd.h>

#include <curl/curl.h>

#include "ctl/api.h"
#include "ctl/output.h"
#include "prompt/key.h"


#define CTL_KEY_MAX  255                     /* of an Idempotency-Key */


static void ctl_api_header(ctl_api_t *api, const char *line);
static const char *ctl_api_key(const ctl_t *ctl);
static size_t ctl_api_receive(char *data, size_t size, size_t n, void *buf);
static CURLcode ctl_api_perform(ctl_api_t *api, void *to, long *status);
static bool ctl_api_was_lost(CURLcode code);


void
ctl_api_open(ctl_api_t *api, const ctl_t *ctl)
{
    char         header[PROMPT_KEY_LEN + 32];
    const char  *key;

    memset(api, 0, sizeof(ctl_api_t));
    api->ctl = ctl;

    api->url = ctl_setting(ctl, "url", "PROMPT_URL");
    if (api->url == NULL) {
        ctl_wrong(ctl, "no endpoint: set PROMPT_URL or use --url");
    }

    key = ctl_setting(ctl, "key", "PROMPT_API_KEY");
    if (key == NULL) {
        ctl_wrong(ctl, "no API key: set PROMPT_API_KEY or use --key");
    }

    /* of that form, it cannot break the header either */

    if (!prompt_key_valid(prompt_str_from(key), PROMPT_KEY)) {
        ctl_wrong(ctl, "PROMPT_API_KEY (or --key) is not an API key: "
                  "a character may be missing or wrong");
    }

    if (curl_global_init(CURL_GLOBAL_DEFAULT) != 0) {
        ctl_no_memory();
    }

    api->curl = curl_easy_init();
    if (api->curl == NULL) {
        ctl_no_memory();
    }

    (void) snprintf(header, sizeof(header), "Authorization: Bearer %s", key);

    ctl_api_header(api, header);
    ctl_api_header(api, "Content-Type: application/json");
    ctl_api_header(api, "Accept: application/json, text/event-stream");

    explicit_bzero(header, sizeof(header));
}


static void
ctl_api_header(ctl_api_t *api, const char *line)
{
    struct curl_slist  *headers;

    headers = curl_slist_append(api->headers, line);
    if (headers == NULL) {
        ctl_no_memory();
    }

    api->headers = headers;
}


void
ctl_api_close(ctl_api_t *api)
{
    curl_slist_free_all(api->headers);
    curl_easy_cleanup(api->curl);
    curl_global_cleanup();
}


void
ctl_api_once(ctl_api_t *api)
{
    ctl_api_header(api, ctl_printf(api->ctl, "Idempotency-Key: %s",
                                   ctl_api_key(api->ctl)).data);
    api->once = true;
}


/* the given one, or a random one */
static const char *
ctl_api_key(const ctl_t *ctl)
{
    size_t          i, len;
    const char     *given;
    prompt_uuid_t   id;

    given = ctl_given(ctl, "idempotency-key");

    if (given == NULL) {
        id = ctl_uuid();
        given = ctl_uuid_text(ctl->arena, ctl_uuid_view(&id)).data;
    }

    len = strlen(given);

    for (i = 0; i < len && given[i] > ' ' && given[i] <= '~'; i++) {
        /* void */
    }

    if (i != len || len == 0 || len > CTL_KEY_MAX) {
        ctl_wrong(ctl, "--idempotency-key must have 1 to %d visible ASCII "
                  "characters", CTL_KEY_MAX);
    }

    return given;
}


json_t *
ctl_api_call(ctl_api_t *api, const char *document, const json_t *variables)
{
    json_t  *data, *errors;

    data = ctl_api_request(api, document, variables, &errors);

    if (errors != NULL) {
        ctl_api_errors(errors);
        ctl_give_up();
    }

    return data;
}


json_t *
ctl_api_request(ctl_api_t *api, const char *document, const json_t *variables,
    json_t **errors)
{
    long           status;
    json_t        *data;
    prompt_buf_t   answer;

    prompt_buf_init(&answer, CTL_API_ANSWER);

    status = ctl_api_send(api, document, variables, ctl_api_receive, &answer);

    if (status == 0) {
        ctl_give_up();
    }

    data = ctl_api_read(prompt_buf_view(&answer), status, errors);

    prompt_buf_free(&answer);

    return data;
}


long
ctl_api_send(ctl_api_t *api, const char *document, const json_t *variables,
    ctl_api_receive_pt receive, void *to)
{
    char           message[CURL_ERROR_SIZE];
    CURL          *curl;
    long           status;
    json_t        *request;
    CURLcode       code;
    prompt_buf_t   body;

    request = ctl_json(json_pack("{s:s, s:O*}", "query", document,
                                 "variables", variables));

    prompt_buf_init(&body, CTL_API_ANSWER);
    ctl_json_write(&body, request, false);
    json_decref(request);

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

    status = 0;
    code = ctl_api_perform(api, to, &status);

    prompt_buf_free(&body);

    if (code != CURLE_OK) {
        ctl_error("the endpoint does not answer: %s",
                  message[0] != '\0' ? message : curl_easy_strerror(code));
        return 0;
    }

    return status;
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


json_t *
ctl_api_read(prompt_str_t answer, long status, json_t **errors)
{
    json_t        *root, *data;
    json_error_t   error;

    root = ctl_json_read(answer, &error);
    *errors = json_object_get(root, "errors");
    data = json_object_get(root, "data");

    if (*errors != NULL && !json_is_array(*errors) && !json_is_null(*errors)) {
        data = NULL;
    }

    *errors = json_array_size(*errors) != 0 ? json_incref(*errors) : NULL;

    if (*errors == NULL && status == 413) {
        ctl_fail("the request is larger than the server takes (HTTP status "
                 "413): ask for a larger client_max_body_size");
    }

    if (*errors == NULL && !json_is_object(data)) {
        ctl_fail("HTTP status %ld, and not a GraphQL response: is PROMPT_URL "
                 "right?", status);
    }

    data = *errors == NULL ? json_incref(data) : NULL;
    json_decref(root);

    return data;
}


void
ctl_api_errors(const json_t *errors)
{
    size_t         i;
    json_t        *error, *extensions;
    prompt_str_t   code, field, message;

    json_array_foreach(errors, i, error) {
        message = ctl_text(error, "message");
        extensions = json_object_get(error, "extensions");
        code = ctl_text(extensions, "code");
        field = ctl_text(extensions, "field");

        ctl_error("%.*s%s%.*s (%.*s)", prompt_str_arg(field),
                  field.len != 0 ? ": " : "", prompt_str_arg(message),
                  prompt_str_arg(code));
    }
}


json_t *
ctl_api_prompt(ctl_api_t *api, const char *name, const char *selection)
{
    json_t         *variables, *data, *errors, *prompt;
    const char     *document;
    prompt_uuid_t   id;

    document = prompt_uuid_parse(prompt_str_from(name), &id)
               ? "query ($p: ID!) { p: prompt(id: $p)"
               : "query ($p: String!) { p: promptByName(name: $p)";
    document = ctl_printf(api->ctl, "%s %s }", document, selection).data;
    variables = ctl_json(json_pack("{s:o}", "p",
                                   ctl_json_text(prompt_str_from(name))));

    data = ctl_api_request(api, document, variables, &errors);
    json_decref(variables);

    if (errors != NULL
        && !prompt_str_eq(ctl_text(json_object_get(json_array_get(errors, 0),
                                                   "extensions"), "code"),
                          prompt_str("NOT_FOUND")))
    {
        ctl_api_errors(errors);
        ctl_give_up();
    }

    prompt = json_object_get(data, "p");

    if (!json_is_object(prompt)) {
        ctl_fail("there is no prompt \"%s\"", name);
    }

    prompt = json_incref(prompt);
    json_decref(data);

    return prompt;
}
