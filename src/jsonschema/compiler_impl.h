/*
 * The compiler of schemas: what the files that are part of it share.
 */

#ifndef PROMPT_JSONSCHEMA_COMPILER_IMPL_H
#define PROMPT_JSONSCHEMA_COMPILER_IMPL_H

#include "jsonschema/schema.h"


/* a reference, to be resolved when all schemas are known */
typedef struct prompt_jsonschema_pending_s  prompt_jsonschema_pending_t;

struct prompt_jsonschema_pending_s {
    prompt_jsonschema_rule_t      *rule;
    prompt_jsonschema_resource_t  *resource;  /* where it stands; then where it
                                                 leads to */
    prompt_str_t                   fragment;  /* there */
    prompt_jsonschema_pending_t   *next;
};


/* a name that was found */
typedef struct prompt_jsonschema_named_s  prompt_jsonschema_named_t;

struct prompt_jsonschema_named_s {
    prompt_jsonschema_anchor_t  anchor;
    prompt_json_t               key;         /* for sorting: has the name */
    prompt_jsonschema_named_t  *next;
};


/* a schema that a reference found where no keyword has one */
typedef struct prompt_jsonschema_late_s  prompt_jsonschema_late_t;

struct prompt_jsonschema_late_s {
    const prompt_json_t        *value;
    prompt_jsonschema_t        *schema;
    prompt_jsonschema_late_t   *next;
};


typedef struct {
    prompt_arena_t                 *arena;
    prompt_fault_t                 *fault;
    const prompt_json_t            *json;       /* the document */
    prompt_path_t                   root;       /* what it is called */
    prompt_jsonschema_resource_t   *resource;   /* that is being compiled */
    prompt_jsonschema_t            *schema;     /* whose keyword is */
    struct {
        prompt_jsonschema_resource_t  *first;   /* the document */
        prompt_jsonschema_resource_t  *last;
    } resources;
    uint32_t                        nresources;
    prompt_json_member_t           *uris;       /* of the document's resources,
                                                   sorted; offset: index */
    uint32_t                        nuris;
    prompt_jsonschema_resource_t  **by_index;   /* those */
    prompt_jsonschema_resource_t   *metas[PROMPT_JSONSCHEMA_METAS];
    prompt_jsonschema_pending_t    *pending;    /* the last one first */
    struct {
        prompt_jsonschema_pending_t  *first;    /* whose resource is known */
        prompt_jsonschema_pending_t  *last;
    } found;
    prompt_jsonschema_named_t      *names;      /* the last one first */
    prompt_jsonschema_anchor_t     *anchors;    /* by name, then by resource */
    prompt_json_member_t           *keys;       /* theirs, in that order;
                                                   offset: index of the
                                                   resource, times nnames,
                                                   plus a number */
    size_t                          nnames;
    size_t                          uri_room;   /* bytes of URIs that are left,
                                                   to keep */
    size_t                          uri_work;   /* and to look for */
    bool                            dynamic;    /* there is a $dynamicRef */
    prompt_jsonschema_late_t       *late;
    unsigned                        nlate;
    size_t                          late_work;  /* that is left */
    bool                            below;      /* what is compiled is late: it
                                                   has no names */
    prompt_regex_context_t          regexes;
} prompt_jsonschema_compiler_t;


/* Compiles a document, which becomes the last resource. */
prompt_check_t prompt_jsonschema_document(
    prompt_jsonschema_compiler_t *compiler, const prompt_json_t *json,
    prompt_jsonschema_draft_t draft, prompt_str_t uri,
    prompt_jsonschema_t **schema);

/* Compiles a schema, which belongs to the compiler's resource. */
prompt_check_t prompt_jsonschema_one(prompt_jsonschema_compiler_t *compiler,
    const prompt_json_t *json, const prompt_path_t *path,
    prompt_jsonschema_t **out);

/* a fault where path stands, "PATH FORMAT" */
prompt_check_t prompt_jsonschema_wrong(prompt_jsonschema_compiler_t *compiler,
    const prompt_path_t *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));


/* the path of a member or an element */
static inline prompt_path_t
prompt_jsonschema_step(const prompt_path_t *parent, const prompt_json_t *child,
                       size_t index)
{
    prompt_path_t  path;

    path.parent = parent;
    path.name = child->name;
    path.index = index;

    return path;
}


/*
 * Values of keywords: each checks one form of them, and keeps in the rule what
 * it needs of its value.
 */
typedef prompt_check_t prompt_jsonschema_value_t(
    prompt_jsonschema_compiler_t *compiler, prompt_jsonschema_rule_t *rule,
    const prompt_path_t *path);

prompt_jsonschema_value_t  prompt_jsonschema_weigh,
                           prompt_jsonschema_form,
                           prompt_jsonschema_schema,
                           prompt_jsonschema_several,
                           prompt_jsonschema_one_or_several,
                           prompt_jsonschema_map,
                           prompt_jsonschema_names,
                           prompt_jsonschema_names_map,
                           prompt_jsonschema_types,
                           prompt_jsonschema_non_negative,
                           prompt_jsonschema_number,
                           prompt_jsonschema_divisor,
                           prompt_jsonschema_vocabulary,
                           prompt_jsonschema_pattern,
                           prompt_jsonschema_patterns;

/* those that are names and references */
prompt_jsonschema_value_t  prompt_jsonschema_dialect_check,
                           prompt_jsonschema_anchor,
                           prompt_jsonschema_reference;


/* Names and references. */

/*
 * A resource behind all others, which becomes the compiler's; NULL: memory is
 * short.
 */
prompt_jsonschema_resource_t *prompt_jsonschema_new_resource(
    prompt_jsonschema_compiler_t *compiler, prompt_jsonschema_draft_t draft,
    prompt_str_t uri);

/* what the $schema of a schema says; otherwise what holds around it */
prompt_jsonschema_draft_t prompt_jsonschema_draft(const prompt_json_t *json,
    prompt_jsonschema_draft_t around);

/*
 * Where the schema has an $id, what stands below it is a resource of its own:
 * the compiler's resource, until the caller sets the former one again.
 */
prompt_check_t prompt_jsonschema_enter(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_t *schema, const prompt_path_t *path);

/* the path of a value of the document, looked for; absent: memory is short */
prompt_str_t prompt_jsonschema_path_of(prompt_jsonschema_compiler_t *compiler,
    const prompt_json_t *value);

/*
 * The schema at a JSON pointer below the resource's, encoded for URIs; NULL:
 * there is none.
 */
prompt_check_t prompt_jsonschema_point(prompt_jsonschema_compiler_t *compiler,
    prompt_jsonschema_resource_t *resource, prompt_str_t pointer,
    prompt_jsonschema_t **schema);

/* Resolves all references, when all schemas are known. */
prompt_check_t prompt_jsonschema_link(prompt_jsonschema_compiler_t *compiler);

#endif /* PROMPT_JSONSCHEMA_COMPILER_IMPL_H */
