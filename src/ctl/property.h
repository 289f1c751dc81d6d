/*
 * What a prompt and a version consist of, named once: in the documents that
 * are sent, in JSON that is written, in files that are read.
 */

#ifndef CTL_PROPERTY_H
#define CTL_PROPERTY_H

#include "ctl/json.h"


typedef enum {
    CTL_TEXT = 0,
    CTL_TEXTS,
    CTL_BOOLEAN,
    CTL_INTEGER,
    CTL_JSON,
    CTL_MESSAGES                             /* role and content, or
                                                placeholder */
} ctl_kind_t;

#define CTL_FILED    1                       /* export writes it */
#define CTL_OMITTED  2                       /* but not null or no messages */

typedef struct {
    const char  *name;
    const char  *title;                      /* for people, or NULL */
    ctl_kind_t   kind;
    unsigned     flags;
    const char  *selection;                  /* below it, or NULL */
} ctl_property_t;


/* each ended by one without name */
extern const ctl_property_t  ctl_prompt_properties[];
extern const ctl_property_t  ctl_version_properties[];


/* the next property from p on that has the flags; NULL at the end */
const ctl_property_t *ctl_property(const ctl_property_t *p, unsigned flags);

#define ctl_property_foreach(p, table, flags)                                \
    for ((p) = ctl_property(table, flags); (p) != NULL;                      \
         (p) = ctl_property((p) + 1, flags))

/* "{ id name … more }" of those with the flags */
prompt_str_t ctl_selection(const ctl_t *ctl, const ctl_property_t *properties,
    unsigned flags, const char *more);

/*
 * A value as files have it: of messages no members that are null or empty.
 * NULL where they do not have it at all (CTL_OMITTED).
 */
json_t *ctl_property_filed(const ctl_property_t *property,
    const json_t *object);

#endif /* CTL_PROPERTY_H */
