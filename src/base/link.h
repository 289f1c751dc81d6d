/*
 * Lists that are appended to: first and last, and a member of the items that
 * leads to the next one.  Zeroed, a list is empty.
 */

#ifndef PROMPT_BASE_LINK_H
#define PROMPT_BASE_LINK_H


/* Puts item, which leads to none yet, behind the last one. */
#define prompt_link(list, item, next)                                        \
    do {                                                                     \
        if ((list)->last != NULL) {                                          \
            (list)->last->next = (item);                                     \
                                                                             \
        } else {                                                             \
            (list)->first = (item);                                          \
        }                                                                    \
                                                                             \
        (list)->last = (item);                                               \
    } while (0)

#endif /* PROMPT_BASE_LINK_H */
