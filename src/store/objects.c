/*
 * Arrays of objects as they stand in a column: walked where they are, without
 * a tree.
 */

#include "store/value.h"


/* an array, and the objects in it */
#define PROMPT_OBJECTS_DEPTH  8


uint32_t
prompt_objects_begin(prompt_objects_t *objects)
{
    uint32_t            count;
    prompt_json_scan_t  scan;

    count = 0;
    objects->item = prompt_str_absent;
    objects->next = 0;

    if (objects->cell.data == NULL) {
        return 0;
    }

    prompt_json_scan_init(&scan, objects->cell, PROMPT_OBJECTS_DEPTH);

    if (!prompt_json_scan_array(&scan)) {
        return 0;
    }

    while (prompt_json_scan_element(&scan)) {
        prompt_json_scan_skip(&scan);
        count += scan.error.status == PROMPT_JSON_OK;
    }

    return count;
}


/*
 * The elements are JSON: so much was seen when they were counted.  One that is
 * no object, which this module never stores, is an item without members.
 */
void
prompt_objects_next(prompt_objects_t *objects)
{
    const char          *p, *end;
    prompt_json_scan_t   scan;

    p = objects->cell.data + objects->next;
    end = objects->cell.data + objects->cell.len;
    objects->item = prompt_str_absent;

    /* white space, and one bracket or comma: an element may be an array */

    while (p < end && *p != '[' && *p != ',') {
        p++;
    }

    if (p == end) {
        return;
    }

    p++;

    prompt_json_scan_init(&scan, prompt_str_of(p, (size_t) (end - p)),
                          PROMPT_OBJECTS_DEPTH);

    if (prompt_json_scan_type(&scan) == PROMPT_JSON_OBJECT) {
        objects->item.data = scan.pos;
    }

    prompt_json_scan_skip(&scan);
    objects->next = (size_t) (scan.pos - objects->cell.data);

    if (scan.error.status != PROMPT_JSON_OK) {
        objects->item = prompt_str_absent;

    } else if (objects->item.data != NULL) {
        objects->item.len = (size_t) (scan.pos - objects->item.data);
    }
}


prompt_str_t
prompt_objects_member(const prompt_objects_t *objects, prompt_str_t name)
{
    const char          *start;
    prompt_str_t         raw;
    prompt_json_type_t   type;
    prompt_json_scan_t   scan;

    if (objects->item.data == NULL) {
        return prompt_str_absent;
    }

    prompt_json_scan_init(&scan, objects->item, PROMPT_OBJECTS_DEPTH);

    if (!prompt_json_scan_object(&scan)) {
        return prompt_str_absent;
    }

    while (prompt_json_scan_member(&scan, &raw)) {

        type = prompt_json_scan_type(&scan);      /* stands at the value now */
        start = scan.pos;

        prompt_json_scan_skip(&scan);

        if (scan.error.status == PROMPT_JSON_OK && prompt_str_eq(raw, name)) {
            return type == PROMPT_JSON_NULL
                   ? prompt_str_absent
                   : prompt_str_of(start, (size_t) (scan.pos - start));
        }
    }

    return prompt_str_absent;
}
