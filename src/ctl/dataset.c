/*
 * promptctl dataset: the items of a dataset as lines of JSON, out and in.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "ctl/dataset.h"
#include "ctl/files.h"
#include "ctl/output.h"


/* datasets of a page; items of one, fewer where they are too large for that */
#define CTL_DATASETS_PAGE  1000
#define CTL_ITEMS_PAGE     500

/* items of a request, and bytes of lines: few servers take less than 1 MiB */
#define CTL_ITEMS_SENT     1000
#define CTL_ITEMS_BYTES    (768 * 1024)

/* no item is larger */
#define CTL_LINE_MAX       (16 * 1024 * 1024)


/* lines on their way to the service */
typedef struct {
    ctl_t        *ctl;
    ctl_api_t     api;
    const char   *path;
    const char   *id;                        /* of the dataset */
    json_t       *items;
    size_t        bytes;                     /* of their lines */
    long          line;
    long          first;                     /* line of those items */
    long          sent;
} ctl_items_t;


static const char *ctl_dataset_create(ctl_api_t *api, const char *name);
static FILE *ctl_dataset_open(const ctl_t *ctl, const char *path);
static void ctl_dataset_close(const ctl_t *ctl, FILE *out, const char *path);
static long ctl_dataset_write(ctl_api_t *api, const char *id, FILE *out,
    const char *path);
static json_t *ctl_dataset_page(ctl_api_t *api, const char *id, size_t *first,
    prompt_str_t after);
static void ctl_dataset_line(FILE *out, const char *path, const json_t *item);
static void ctl_dataset_read(ctl_items_t *items, FILE *in);
static void ctl_dataset_item(ctl_items_t *items, prompt_str_t line);
static void ctl_dataset_send(ctl_items_t *items);
static void ctl_dataset_said(const ctl_t *ctl, const char *did, long count);


int
ctl_dataset_export(ctl_t *ctl)
{
    long         count;
    FILE        *out;
    ctl_api_t    api;
    const char  *id, *path;

    path = ctl->arguments[1];

    ctl_api_open(&api, ctl);

    id = ctl_dataset_find(&api, ctl->arguments[0]);

    if (id == NULL) {
        ctl_fail("there is no dataset \"%s\"", ctl->arguments[0]);
    }

    out = ctl_dataset_open(ctl, path);
    count = ctl_dataset_write(&api, id, out, path);

    ctl_dataset_close(ctl, out, path);
    ctl_api_close(&api);

    /* what is the result then stands alone */

    if (out != stdout) {
        ctl_dataset_said(ctl, "exported", count);
    }

    return CTL_OK;
}


const char *
ctl_dataset_find(ctl_api_t *api, const char *name)
{
    size_t         i, n;
    json_t        *variables, *answer, *list, *dataset;
    const char    *id, *document;
    prompt_str_t   last, next;

    document = ctl_printf(api->ctl, "query ($after: ID) { datasets(first: %d,"
                          " after: $after) { id name } }",
                          CTL_DATASETS_PAGE).data;
    variables = ctl_json(json_pack("{s:n}", "after"));
    last = prompt_str_absent;
    id = NULL;

    do {
        answer = ctl_api_call(api, document, variables);
        list = ctl_list(answer, "datasets");

        if (list == NULL) {
            ctl_fail("the answer has no datasets");
        }

        json_array_foreach(list, i, dataset) {
            next = ctl_copy(api->ctl, ctl_text(dataset, "id"));

            /* ids descend, so that it ends, whatever an endpoint answers */

            if (next.data == NULL
                || (last.data != NULL && prompt_str_cmp(next, last) >= 0))
            {
                ctl_fail("the answer has datasets that are not newest first");
            }

            last = next;

            if (prompt_str_eq(ctl_text(dataset, "name"),
                              prompt_str_from(name)))
            {
                id = last.data;
            }
        }

        n = json_array_size(list);
        ctl_json_set(variables, "after", ctl_json_text(last));
        json_decref(answer);

    } while (id == NULL && n >= CTL_DATASETS_PAGE);

    json_decref(variables);

    return id;
}


static const char *
ctl_dataset_create(ctl_api_t *api, const char *name)
{
    json_t        *variables, *answer;
    prompt_str_t   id;

    variables = ctl_json(json_pack("{s:o}", "name",
                                   ctl_json_text(prompt_str_from(name))));
    answer = ctl_api_call(api, "mutation ($name: String!)"
                          " { d: createDataset(name: $name) { id } }",
                          variables);
    id = ctl_copy(api->ctl, ctl_text(json_object_get(answer, "d"), "id"));

    if (id.data == NULL) {
        ctl_fail("the answer has no dataset");
    }

    json_decref(variables);
    json_decref(answer);

    return id.data;
}


/* A file has its name when all of it is there. */
static FILE *
ctl_dataset_open(const ctl_t *ctl, const char *path)
{
    FILE  *out;

    if (strcmp(path, "-") == 0) {
        return stdout;
    }

    out = fopen(ctl_printf(ctl, "%s.part", path).data, "we");

    if (out == NULL) {
        ctl_file_failed(path, "write");
    }

    return out;
}


static void
ctl_dataset_close(const ctl_t *ctl, FILE *out, const char *path)
{
    if (out != stdout
        && (fclose(out) != 0
            || rename(ctl_printf(ctl, "%s.part", path).data, path) == -1))
    {
        ctl_file_failed(path, "write");
    }
}


/* Returns how many there were. */
static long
ctl_dataset_write(ctl_api_t *api, const char *id, FILE *out, const char *path)
{
    long           count;
    size_t         i, n, first;
    json_t        *answer, *list, *item;
    prompt_str_t   last, next;

    count = 0;
    first = CTL_ITEMS_PAGE;
    last = prompt_str_absent;

    do {
        answer = ctl_dataset_page(api, id, &first, last);
        list = ctl_list(json_object_get(answer, "d"), "items");

        if (list == NULL) {
            ctl_fail("the answer has no items");
        }

        json_array_foreach(list, i, item) {
            next = ctl_text(item, "id");

            /* they ascend, likewise */

            if (next.data == NULL
                || (last.data != NULL && prompt_str_cmp(next, last) <= 0))
            {
                ctl_fail("the answer has items out of order");
            }

            last = ctl_copy(api->ctl, next);
            ctl_dataset_line(out, path, item);
            count++;
        }

        n = json_array_size(list);
        json_decref(answer);

    } while (n >= first);

    return count;
}


/* Of items that are large fewer are asked for, down to one. */
static json_t *
ctl_dataset_page(ctl_api_t *api, const char *id, size_t *first,
    prompt_str_t after)
{
    json_t  *variables, *answer, *errors;

    static const char  document[] =
        "query ($id: ID!, $first: Int, $after: ID) { d: dataset(id: $id)"
        " { items(first: $first, after: $after)"
        " { id input expected metadata } } }";

    for ( ;; ) {
        variables = ctl_json(json_pack("{s:s, s:I, s:o}", "id", id, "first",
                                       (json_int_t) *first, "after",
                                       ctl_json_text(after)));
        answer = ctl_api_request(api, document, variables, &errors);
        json_decref(variables);

        if (errors == NULL) {
            return answer;
        }

        if (*first == 1
            || !prompt_str_eq(ctl_text(json_object_get(
                                              json_array_get(errors, 0),
                                              "extensions"), "field"),
                              prompt_str("first")))
        {
            ctl_api_errors(errors);
            ctl_give_up();
        }

        json_decref(errors);
        *first = (*first + 4) / 5;
    }
}


/* What is null is left out. */
static void
ctl_dataset_line(FILE *out, const char *path, const json_t *item)
{
    size_t         i;
    json_t        *line, *value;
    prompt_buf_t   buf;

    static const char *const  members[] = { "input", "expected", "metadata" };

    line = ctl_json(json_object());

    for (i = 0; i < sizeof(members) / sizeof(members[0]); i++) {
        value = json_object_get(item, members[i]);

        if (value != NULL && !json_is_null(value)) {
            ctl_json_set(line, members[i], json_incref(value));
        }
    }

    prompt_buf_init(&buf, CTL_JSON_MAX);
    ctl_json_write(&buf, line, false);
    prompt_buf_char(&buf, '\n');
    json_decref(line);

    if (buf.status != PROMPT_BUF_OK) {
        ctl_no_memory();
    }

    if (fwrite(buf.data, 1, buf.len, out) != buf.len) {
        ctl_file_failed(path, "write");
    }

    prompt_buf_free(&buf);
}


int
ctl_dataset_import(ctl_t *ctl)
{
    FILE         *in;
    ctl_items_t   items;

    memset(&items, 0, sizeof(ctl_items_t));

    items.ctl = ctl;
    items.path = ctl->arguments[1];
    items.items = ctl_json(json_array());

    in = strcmp(items.path, "-") == 0 ? stdin : fopen(items.path, "re");

    if (in == NULL) {
        ctl_file_failed(items.path, "open");
    }

    ctl_api_open(&items.api, ctl);
    items.id = ctl_dataset_find(&items.api, ctl->arguments[0]);

    ctl_dataset_read(&items, in);
    ctl_dataset_send(&items);

    json_decref(items.items);
    ctl_api_close(&items.api);

    if (in != stdin) {
        (void) fclose(in);
    }

    ctl_dataset_said(ctl, "imported", items.sent);

    return CTL_OK;
}


static void
ctl_dataset_read(ctl_items_t *items, FILE *in)
{
    int           c;
    bool          blank;
    prompt_buf_t  line;

    prompt_buf_init(&line, CTL_LINE_MAX);

    do {
        items->line++;
        blank = true;

        while ((c = getc_unlocked(in)) != EOF && c != '\n'
               && line.status == PROMPT_BUF_OK)
        {
            blank = blank && (c == ' ' || c == '\t' || c == '\r');
            prompt_buf_char(&line, (char) c);
        }

        if (line.status == PROMPT_BUF_NOMEM) {
            ctl_no_memory();
        }

        if (line.status != PROMPT_BUF_OK) {
            ctl_fail("%s:%ld: larger than %d MiB", items->path, items->line,
                     CTL_LINE_MAX / 1024 / 1024);
        }

        /* an empty line is none, and so is the half of one */

        if (!blank && !ferror(in)) {
            ctl_dataset_item(items, prompt_buf_view(&line));
        }

        prompt_buf_truncate(&line, 0);

    } while (c != EOF);

    if (ferror(in)) {
        ctl_file_failed(items->path, "read");
    }

    prompt_buf_free(&line);
}


static void
ctl_dataset_item(ctl_items_t *items, prompt_str_t line)
{
    json_t        *item, *value;
    const char    *name;
    json_error_t   error;

    item = ctl_json_read(line, &error);

    if (item == NULL) {
        ctl_fail("%s:%ld:%d: not JSON: %s", items->path, items->line,
                 error.column, error.text);
    }

    if (!json_is_object(json_object_get(item, "input"))) {
        ctl_fail("%s:%ld: there is to be an object \"input\"", items->path,
                 items->line);
    }

    json_object_foreach(item, name, value) {

        if (strcmp(name, "input") != 0 && strcmp(name, "expected") != 0
            && strcmp(name, "metadata") != 0)
        {
            ctl_fail("%s:%ld: \"%s\" is none of input, expected and metadata",
                     items->path, items->line, name);
        }
    }

    if (json_array_size(items->items) == CTL_ITEMS_SENT
        || (items->bytes != 0 && items->bytes + line.len > CTL_ITEMS_BYTES))
    {
        ctl_dataset_send(items);
    }

    if (json_array_size(items->items) == 0) {
        items->first = items->line;
    }

    items->bytes += line.len;
    ctl_json_append(items->items, item);
}


/* Each request is done once, whatever becomes of its answer. */
static void
ctl_dataset_send(ctl_items_t *items)
{
    size_t   n;
    json_t  *variables, *answer, *errors;

    n = json_array_size(items->items);

    ctl_api_close(&items->api);
    ctl_api_open(&items->api, items->ctl);

    if (items->id == NULL) {
        items->id = ctl_dataset_create(&items->api, items->ctl->arguments[0]);
    }

    if (n == 0) {
        return;
    }

    ctl_api_once(&items->api);

    variables = ctl_json(json_pack("{s:s, s:O}", "id", items->id, "items",
                                   items->items));
    answer = ctl_api_request(&items->api,
                             "mutation ($id: ID!, $items:"
                             " [DatasetItemInput!]!) { addDatasetItems("
                             "datasetId: $id, items: $items) { id } }",
                             variables, &errors);

    if (errors != NULL) {
        ctl_api_errors(errors);
        ctl_fail("%s: items from line %ld on were not added; %ld before them "
                 "were", items->path, items->first, items->sent);
    }

    json_decref(variables);
    json_decref(answer);
    (void) json_array_clear(items->items);

    items->bytes = 0;
    items->sent += (long) n;
}


static void
ctl_dataset_said(const ctl_t *ctl, const char *did, long count)
{
    if (ctl->json) {
        ctl_print_json(ctl_json(json_pack("{s:o, s:I}", "dataset",
                              ctl_json_text(prompt_str_from(ctl->arguments[0])),
                              "items", (json_int_t) count)));
        return;
    }

    (void) printf("%s %ld item%s\n", did, count, count == 1 ? "" : "s");
}
