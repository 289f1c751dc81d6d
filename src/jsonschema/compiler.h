/*
 * The compiler of input schemas: what the files that are part of it share.
 */

#ifndef PROMPT_JSONSCHEMA_COMPILER_H
#define PROMPT_JSONSCHEMA_COMPILER_H

#include "jsonschema/schema.h"


/* a reference to be resolved when all schemas are known */
typedef struct prompt_schema_pending_s  prompt_schema_pending_t;

struct prompt_schema_pending_s {
    prompt_schema_rule_t      *rule;
    prompt_str_t               field;
    prompt_schema_pending_t   *next;
};


typedef struct prompt_schema_anchor_s  prompt_schema_anchor_t;

struct prompt_schema_anchor_s {
    prompt_json_t             *name;
    prompt_schema_t           *schema;
    prompt_str_t               field;
    prompt_schema_anchor_t    *next;
};


typedef struct {
    prompt_arena_t            *arena;
    prompt_fault_t            *fault;
    prompt_schema_document_t   document;
    prompt_schema_pending_t   *pending;
    prompt_schema_anchor_t    *anchors;
    prompt_schema_t           *meta[PROMPT_SCHEMA_DRAFT_07 + 1];
    prompt_regex_context_t     regexes;
} prompt_schema_compiler_t;


/* a fault where path stands, "PATH FORMAT" */
prompt_check_t prompt_schema_wrong(prompt_schema_compiler_t *compiler,
    const prompt_path_t *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* the path of a member or an element */
prompt_path_t prompt_schema_step(const prompt_path_t *parent,
    const prompt_json_t *child, size_t index);


/* Values of keywords: each checks one form, and keeps what rules need. */
prompt_check_t prompt_schema_sort(prompt_schema_compiler_t *compiler,
    prompt_schema_rule_t *rule);
prompt_check_t prompt_schema_names(prompt_schema_compiler_t *compiler,
    const prompt_json_t *value, const prompt_path_t *path);
prompt_check_t prompt_schema_types(prompt_schema_compiler_t *compiler,
    prompt_schema_rule_t *rule, const prompt_path_t *path);
prompt_check_t prompt_schema_number(prompt_schema_compiler_t *compiler,
    prompt_schema_rule_t *rule, prompt_schema_kind_t kind,
    const prompt_path_t *path);
prompt_check_t prompt_schema_pattern(prompt_schema_compiler_t *compiler,
    prompt_schema_rule_t *rule, const prompt_path_t *path);
prompt_check_t prompt_schema_patterns(prompt_schema_compiler_t *compiler,
    prompt_schema_rule_t *rule, const prompt_path_t *path);


/* Names and references. */
prompt_check_t prompt_schema_dialect_check(prompt_schema_compiler_t *compiler,
    const prompt_json_t *value, const prompt_path_t *path);
prompt_check_t prompt_schema_identifier(prompt_schema_compiler_t *compiler,
    prompt_schema_t *schema, const prompt_json_t *value,
    const prompt_path_t *path);
prompt_check_t prompt_schema_anchor(prompt_schema_compiler_t *compiler,
    prompt_schema_t *schema, const prompt_json_t *value,
    const prompt_path_t *path);
prompt_check_t prompt_schema_reference(prompt_schema_compiler_t *compiler,
    prompt_schema_rule_t *rule, const prompt_path_t *path);

/* Resolves all references, when all schemas are known. */
prompt_check_t prompt_schema_link(prompt_schema_compiler_t *compiler);

#endif /* PROMPT_JSONSCHEMA_COMPILER_H */
