/*
 * What providers bill: the cases of t/fixtures/bills, whose README says how
 * they are written, each whole or as a stream, with tokens and cost as somebody
 * has computed them by hand.
 */

#include <dirent.h>
#include <stdlib.h>

#include "prompt/price.h"
#include "provider/stream.h"

#include "tap.h"


#define BILLS  "t/fixtures/bills/"
#define LIMIT  (64 * 1024)


/* what a case has; what it does not say is that of the case before */
typedef struct {
    char                             title[160];
    const prompt_provider_format_t  *format;
    prompt_prices_t                  prices, long_prices;
    uint64_t                         long_from;
    bool                             priced;
    char                             tokens[256];
    char                             cost[256];
    prompt_buf_t                     body;
} bill_t;


static prompt_arena_t  *arena;


static const struct {
    const char  *name;
    size_t       offset;
} prices[] = {
    { "input", offsetof(bill_t, prices.input) },
    { "cached_input", offsetof(bill_t, prices.cached_input) },
    { "cache_write", offsetof(bill_t, prices.cache_write) },
    { "cache_write_1h", offsetof(bill_t, prices.cache_write_1h) },
    { "output", offsetof(bill_t, prices.output) },
    { "long_input", offsetof(bill_t, long_prices.input) },
    { "long_output", offsetof(bill_t, long_prices.output) },
    { "long_cached_input", offsetof(bill_t, long_prices.cached_input) }
};


/* NAME=USD, as prompt_model has it */
static bool
read_price(bill_t *bill, const char *name, const char *value)
{
    size_t  i;

    if (strcmp(name, "long_from") == 0) {
        bill->long_from = strtoull(value, NULL, 10);
        return bill->long_from != 0;
    }

    for (i = 0; i < sizeof(prices) / sizeof(prices[0]); i++) {

        if (strcmp(name, prices[i].name) == 0) {
            return prompt_price_parse(prompt_str_from(value),
                       (prompt_price_t *) (void *) ((char *) bill
                                                    + prices[i].offset));
        }
    }

    return false;
}


static bool
read_prices(bill_t *bill, char *text)
{
    bool   fine;
    char  *word, *value;

    fine = true;
    bill->priced = false;
    bill->long_from = 0;
    memset(&bill->prices, 0xff, sizeof(bill->prices));
    memset(&bill->long_prices, 0xff, sizeof(bill->long_prices));

    while ((word = strsep(&text, " ")) != NULL) {
        value = strchr(word, '=');

        if (value != NULL) {
            *value++ = '\0';
            bill->priced = true;
            fine = fine && read_price(bill, word, value);
        }
    }

    if (!prompt_price_given(&bill->prices.cached_input)) {
        bill->prices.cached_input = bill->prices.input;
    }

    return fine;
}


static void
read_file(bill_t *bill, const char *name)
{
    char    path[256], piece[4096];
    FILE   *file;
    size_t  n;

    (void) snprintf(path, sizeof(path), BILLS "%s", name);
    file = fopen(path, "r");

    while (file != NULL && (n = fread(piece, 1, sizeof(piece), file)) != 0) {
        prompt_buf_append(&bill->body, piece, n);
    }

    if (file != NULL) {
        (void) fclose(file);
    }
}


/* a line in front of the body; false: it says nothing that is known */
static bool
read_line(bill_t *bill, char *line)
{
    char  *value;

    value = strchr(line, ' ');

    if (line[0] == '\0' || line[0] == '#') {
        return true;
    }

    if (value == NULL) {
        return false;
    }

    *value++ = '\0';

    if (strcmp(line, "format") == 0) {
        bill->format = prompt_provider_format(prompt_str_from(value));
        return bill->format != NULL;
    }

    if (strcmp(line, "prices") == 0) {
        return read_prices(bill, value);
    }

    if (strcmp(line, "file") == 0) {
        read_file(bill, value);
        return bill->body.len != 0;
    }

    (void) snprintf(strcmp(line, "tokens") == 0 ? bill->tokens : bill->cost,
                    sizeof(bill->cost), "%s", value);

    return strcmp(line, "tokens") == 0 || strcmp(line, "cost") == 0;
}


static bool
answer_of(const bill_t *bill, size_t size, prompt_provider_answer_t *answer)
{
    bool                             done;
    const char                      *pos, *end, *last;
    prompt_str_t                     body;
    prompt_provider_stream_t         stream;
    prompt_provider_stream_status_t  status;

    body = prompt_buf_view(&bill->body);

    if (size == 0) {
        return prompt_provider_answer(arena, bill->format, 200, body, answer);
    }

    prompt_provider_stream_init(&stream, bill->format, LIMIT);

    pos = body.data;
    last = body.data + body.len;

    do {
        end = (size_t) (last - pos) < size ? last : pos + size;

        do {
            status = prompt_provider_stream_read(&stream, &pos, end);
        } while (status == PROMPT_PROVIDER_STREAM_TEXT);

    } while (status == PROMPT_PROVIDER_STREAM_MORE && pos < last);

    done = prompt_provider_stream_answer(&stream, arena, 200, answer);
    prompt_provider_stream_free(&stream);

    return done;
}


static const char *
count(int64_t tokens, char text[32])
{
    (void) snprintf(text, 32, "%" PRId64, tokens);

    return tokens < 0 ? "-" : text;
}


static void
bill_is(const bill_t *bill, size_t size)
{
    char                      got[256], texts[6][32];
    char                      out[PROMPT_PRICE_COST_MAX];
    prompt_str_t              cost;
    const prompt_usage_t     *usage;
    const prompt_prices_t    *of;
    prompt_provider_answer_t  answer;

    if (!answer_of(bill, size, &answer)) {
        ok(false, bill->title);
        return;
    }

    usage = &answer.usage;
    of = prompt_prices_of(&bill->prices, &bill->long_prices, bill->long_from,
                          usage);
    cost = prompt_price_cost(bill->priced ? of : NULL, usage, out);

    (void) snprintf(got, sizeof(got),
                    "in=%s cached=%s write=%s hour=%s out=%s reasoning=%s",
                    count(usage->in, texts[0]), count(usage->cached, texts[1]),
                    count(prompt_usage_written(usage), texts[2]),
                    count(usage->cache_write_1h, texts[3]),
                    count(usage->out, texts[4]),
                    count(usage->reasoning, texts[5]));

    is_str(prompt_str_from(got), bill->tokens, bill->title);
    is_str(cost, strcmp(bill->cost, "null") == 0 ? NULL : bill->cost,
           bill->title);
    ok(answer.outcome == PROMPT_PROVIDER_DONE, bill->title);
}


/* whole; and, as a provider may, whole where a stream was asked for */
static void
bill_end(bill_t *bill)
{
    bool  stream;

    if (bill->body.len == 0) {
        return;
    }

    prompt_buf_append(&bill->body, "\n", 1);
    stream = bill->body.data[0] != '{';

    bill_is(bill, stream ? 1 : 0);
    bill_is(bill, 7);
    bill_is(bill, bill->body.len);

    prompt_buf_truncate(&bill->body, 0);
}


static void
read_bills(const char *name)
{
    bool    body;
    char    path[512], line[8192];
    FILE   *file;
    bill_t  bill;

    (void) snprintf(path, sizeof(path), BILLS "%s", name);
    memset(&bill, 0, sizeof(bill));
    prompt_buf_init(&bill.body, LIMIT);
    body = false;
    file = fopen(path, "r");

    while (file != NULL && fgets(line, sizeof(line), file) != NULL) {

        if (strncmp(line, "== ", 3) == 0) {
            bill_end(&bill);
            body = false;
            line[strcspn(line, "\n")] = '\0';
            (void) snprintf(bill.title, sizeof(bill.title), "%.60s: %.80s",
                            name, line + 3);
            continue;
        }

        if (strcmp(line, "body\n") == 0) {
            body = true;

        } else if (body) {
            prompt_buf_append(&bill.body, line, strlen(line));

        } else {
            line[strcspn(line, "\n")] = '\0';

            if (!read_line(&bill, line)) {
                ok(false, bill.title);
                diag("what is \"%s\"?", line);
            }
        }
    }

    bill_end(&bill);
    prompt_buf_free(&bill.body);

    if (!ok(file != NULL, path) || fclose(file) != 0) {
        diag("%s cannot be read", path);
    }
}


int
main(void)
{
    int              i, n;
    struct dirent  **names;

    arena = prompt_arena_create(64 << 20);
    n = scandir(BILLS, &names, NULL, alphasort);

    for (i = 0; i < n; i++) {

        if (strstr(names[i]->d_name, ".bills") != NULL) {
            read_bills(names[i]->d_name);
        }

        free(names[i]);
    }

    ok(n > 0, "there are bills");

    if (n >= 0) {
        free(names);
    }

    prompt_arena_destroy(arena);

    return done_testing();
}
