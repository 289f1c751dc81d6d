/*
 * Spans, and the queue of those that wait.
 */

#include "trace/span.h"

#include "base/utf8.h"

#include <stdlib.h>


static prompt_attribute_t *prompt_span_attribute(prompt_span_t *span,
    const char *name, prompt_attribute_kind_t kind);
static size_t prompt_span_size(const prompt_span_t *span);
static prompt_span_t *prompt_span_copy(const prompt_span_t *span);
static char *prompt_span_move(char *to, prompt_str_t *text);


void
prompt_span_text(prompt_span_t *span, const char *name, prompt_str_t text)
{
    prompt_span_whole(span, name, PROMPT_ATTRIBUTE_TEXT,
                      prompt_span_cut(text, PROMPT_SPAN_TEXT));
}


void
prompt_span_integer(prompt_span_t *span, const char *name, int64_t n)
{
    prompt_attribute_t  *attribute;

    attribute = prompt_span_attribute(span, name, PROMPT_ATTRIBUTE_INTEGER);

    if (attribute != NULL) {
        attribute->integer = n;
    }
}


void
prompt_span_number(prompt_span_t *span, const char *name, prompt_str_t text)
{
    if (text.len <= PROMPT_SPAN_TEXT) {
        prompt_span_whole(span, name, PROMPT_ATTRIBUTE_NUMBER, text);
    }
}


void
prompt_span_whole(prompt_span_t *span, const char *name,
    prompt_attribute_kind_t kind, prompt_str_t text)
{
    prompt_attribute_t  *attribute;

    if (text.data == NULL) {
        return;
    }

    attribute = prompt_span_attribute(span, name, kind);

    if (attribute != NULL) {
        attribute->text = text;
    }
}


static prompt_attribute_t *
prompt_span_attribute(prompt_span_t *span, const char *name,
    prompt_attribute_kind_t kind)
{
    prompt_attribute_t  *attribute;

    if (span->nattributes == PROMPT_SPAN_ATTRIBUTES) {
        return NULL;
    }

    attribute = &span->attributes[span->nattributes++];

    attribute->name = name;
    attribute->kind = kind;
    attribute->integer = 0;
    attribute->text = prompt_str_absent;

    return attribute;
}


prompt_str_t
prompt_span_cut(prompt_str_t text, size_t max)
{
    return text.len <= max
           ? text : prompt_str_of(text.data, prompt_utf8_whole(text.data, max));
}


bool
prompt_span_queue_init(prompt_span_queue_t *queue, unsigned max)
{
    memset(queue, 0, sizeof(prompt_span_queue_t));

    queue->spans = calloc(max, sizeof(prompt_span_t *));
    queue->max = queue->spans != NULL ? max : 0;

    return queue->spans != NULL;
}


void
prompt_span_queue_free(prompt_span_queue_t *queue)
{
    prompt_span_queue_drop(queue, queue->count);

    free(queue->spans);
    memset(queue, 0, sizeof(prompt_span_queue_t));
}


bool
prompt_span_queue_put(prompt_span_queue_t *queue, const prompt_span_t *span)
{
    size_t          size;
    prompt_span_t  *copy;

    size = prompt_span_size(span);

    if (queue->count == queue->max
        || size > PROMPT_SPAN_QUEUE_BYTES - queue->bytes)
    {
        return false;
    }

    copy = prompt_span_copy(span);
    if (copy == NULL) {
        return false;
    }

    queue->spans[(queue->first + queue->count) % queue->max] = copy;
    queue->count++;
    queue->bytes += size;

    return true;
}


const prompt_span_t *
prompt_span_queue_at(const prompt_span_queue_t *queue, unsigned i)
{
    return queue->spans[(queue->first + i) % queue->max];
}


unsigned
prompt_span_queue_fit(const prompt_span_queue_t *queue, unsigned max,
    size_t bytes)
{
    size_t    sum;
    unsigned  n;

    sum = 0;

    for (n = 0; n < queue->count && n < max; n++) {
        sum += prompt_span_size(prompt_span_queue_at(queue, n));

        if (n != 0 && sum > bytes) {
            break;
        }
    }

    return n;
}


void
prompt_span_queue_drop(prompt_span_queue_t *queue, unsigned n)
{
    prompt_span_t  *span;

    for ( /* void */ ; n != 0 && queue->count != 0; n--) {
        span = queue->spans[queue->first];

        queue->bytes -= prompt_span_size(span);
        queue->first = (queue->first + 1) % queue->max;
        queue->count--;

        free(span);
    }
}


/* the attributes that there are not take no room */
static size_t
prompt_span_size(const prompt_span_t *span)
{
    size_t    size;
    unsigned  i;

    size = offsetof(prompt_span_t, attributes)
           + span->nattributes * sizeof(prompt_attribute_t)
           + span->name.len + span->message.len;

    for (i = 0; i < span->nattributes; i++) {
        size += span->attributes[i].text.len;
    }

    return size;
}


static prompt_span_t *
prompt_span_copy(const prompt_span_t *span)
{
    char           *p;
    size_t          head;
    unsigned        i;
    prompt_span_t  *copy;

    copy = malloc(prompt_span_size(span));
    if (copy == NULL) {
        return NULL;
    }

    head = offsetof(prompt_span_t, attributes)
           + span->nattributes * sizeof(prompt_attribute_t);

    memcpy((void *) copy, span, head);
    p = (char *) copy + head;

    p = prompt_span_move(p, &copy->name);
    p = prompt_span_move(p, &copy->message);

    for (i = 0; i < copy->nattributes; i++) {
        p = prompt_span_move(p, &copy->attributes[i].text);
    }

    return copy;
}


/* absent stays absent */
static char *
prompt_span_move(char *to, prompt_str_t *text)
{
    if (text->data == NULL) {
        return to;
    }

    if (text->len != 0) {
        memcpy(to, text->data, text->len);
    }

    text->data = to;

    return to + text->len;
}
