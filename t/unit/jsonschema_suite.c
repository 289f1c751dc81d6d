/*
 * The official JSON Schema Test Suite, both drafts: each of its cases, those
 * of the optional files included.  It comes with Debian's package
 * libtest-json-schema-acceptance-perl; without that, the test is skipped.
 *
 * What is decided otherwise here stands in a table, with the reason, and is
 * checked to be so.
 */

#include "jsonschema/validate.h"

#include <dirent.h>
#include <stdlib.h>

#include "tap.h"


#define SUITE  "/usr/share/perl5/auto/share/dist/"                           \
               "Test-JSON-Schema-Acceptance/tests"

#define REMOTES  SUITE "/../remotes"

#define STEPS  2000000


/* how a group of the suite differs */
typedef enum {
    AS_IT_SAYS = 0,
    REFUSED,                         /* its schema is, with this reason */
    BUNDLED,                         /* refused alone; not so together with
                                        the documents that it refers to */
    ASSERTED,                        /* what it calls only an annotation */
    ANNOTATION,                      /* the other way round */
    PASSED_OVER                      /* for this reason */
} how_t;


static const struct {
    const char  *file;               /* its beginning */
    const char  *group;              /* its beginning */
    how_t        how;
    const char  *reason;             /* REFUSED: part of the message */
} others[] = {

    /* formats are asserted, but for idn-hostname; contents are not */

    { "draft2020-12/format.json", "idn-hostname", AS_IT_SAYS, NULL },
    { "draft7/format.json", "idn-hostname", AS_IT_SAYS, NULL },
    { "draft2020-12/format.json", "", ASSERTED, NULL },
    { "draft7/format.json", "", ASSERTED, NULL },
    { "draft2020-12/optional/format/idn-hostname.json", "", ANNOTATION, NULL },
    { "draft7/optional/format/idn-hostname.json", "", ANNOTATION, NULL },
    { "draft7/optional/content.json", "", ANNOTATION, NULL },

    /* later versions of the suite ask this of hostname, too */

    { "draft2020-12/optional/format/hostname.json", "validation of A-label",
      PASSED_OVER, "labels that begin with xn-- are not decoded" },
    { "draft7/optional/format/hostname.json", "validation of A-label",
      PASSED_OVER, "labels that begin with xn-- are not decoded" },

    /* there are two meta-schemas, and no others */

    { "draft2020-12/vocabulary.json", "", REFUSED, "$schema must be" },
    { "draft2020-12/optional/format-assertion.json", "", REFUSED,
      "$schema must be" },

    /* nothing is fetched; these are drafts that are not supported ... */

    { "draft2020-12/optional/cross-draft.json", "refs to historic", REFUSED,
      "another document" },
    { "draft7/optional/cross-draft.json", "", REFUSED, "another document" },

    /* ... and these say another name than the one they are fetched by */

    { "draft2020-12/refRemote.json", "remote HTTP ref with", REFUSED,
      "another document" },

    { "draft2020-12/refRemote.json", "", BUNDLED, "another document" },
    { "draft7/refRemote.json", "", BUNDLED, "another document" },
    { "draft2020-12/dynamicRef.json", "strict-tree schema", BUNDLED,
      "another document" },
    { "draft2020-12/dynamicRef.json", "tests for implementation", BUNDLED,
      "another document" },
    { "draft2020-12/dynamicRef.json", "$ref and $dynamicAnchor are", BUNDLED,
      "another document" },
    { "draft2020-12/dynamicRef.json", "$ref to $dynamicRef finds", BUNDLED,
      "another document" }
};


static prompt_arena_t  *arena;


static prompt_json_t *
read_file(const char *path)
{
    FILE                 *in;
    size_t                n;
    prompt_str_t          text;
    prompt_json_t        *value;
    prompt_json_error_t   error;

    static char  buf[1 << 20];

    in = fopen(path, "rb");
    if (in == NULL) {
        return NULL;
    }

    n = fread(buf, 1, sizeof(buf), in);
    (void) fclose(in);

    text = prompt_arena_copy(arena, prompt_str_of(buf, n));
    value = prompt_json_read(arena, text, 64, &error);

    if (value == NULL) {
        diag("%s: %s", path, error.message);
    }

    return value;
}


static prompt_str_t
text_of(const prompt_json_t *object, const char *name)
{
    const prompt_json_t  *value;

    value = prompt_json_get(object, prompt_str_from(name));

    return value != NULL ? value->text : prompt_str("");
}


static bool
begins(prompt_str_t text, const char *with)
{
    return text.len >= strlen(with)
           && memcmp(text.data, with, strlen(with)) == 0;
}


static void
case_of(const prompt_jsonschema_t *schema, const prompt_json_t *test, how_t how,
    const char *file, prompt_str_t group)
{
    bool                           want, got;
    char                           title[500];
    prompt_str_t                   description;
    const prompt_json_t           *data;
    prompt_jsonschema_validator_t  validator;

    description = text_of(test, "description");
    data = prompt_json_get(test, prompt_str("data"));
    want = prompt_json_get(test, prompt_str("valid"))->boolean;

    if (how == ASSERTED && begins(description, "invalid ")) {
        want = false;
    }

    if (how == ANNOTATION) {
        want = true;
    }

    got = prompt_jsonschema_validate(&validator, arena, schema, data,
                                     prompt_str("input"), STEPS);

    (void) snprintf(title, sizeof(title), "%s: %.*s: %.*s is %svalid", file,
                    prompt_str_arg(group), prompt_str_arg(description),
                    want ? "" : "not ");

    ok(got == want
       && (validator.stop == PROMPT_JSONSCHEMA_GOES_ON
           || validator.stop == PROMPT_JSONSCHEMA_FULL)
       && got == (validator.violations->count == 0), title);
}


/* its index in the table, or -1 */
static int
other_of(const char *file, prompt_str_t group)
{
    size_t  i;

    for (i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        if (begins(prompt_str_from(file), others[i].file)
            && begins(group, others[i].group))
        {
            return (int) i;
        }
    }

    return -1;
}


static void
set_dialect(prompt_json_t *schema, const char *dialect)
{
    if (schema->type == PROMPT_JSON_OBJECT
        && prompt_json_get(schema, prompt_str("$schema")) == NULL)
    {
        prompt_json_set(schema, prompt_str("$schema"),
                        prompt_json_new_string(arena,
                                               prompt_str_from(dialect)));
    }
}


/* the documents below a folder, by what they are fetched by, into $defs */
static void
bundle(prompt_json_t *defs, const char *path, const char *uri,
    const char *dialect)
{
    int              i, n;
    char             child[700], name[700];
    prompt_str_t     text;
    struct dirent  **entries;
    prompt_json_t   *document;

    n = scandir(path, &entries, NULL, alphasort);

    for (i = 0; i < n; i++) {
        (void) snprintf(child, sizeof(child), "%s/%s", path,
                        entries[i]->d_name);
        (void) snprintf(name, sizeof(name), "%s/%s", uri, entries[i]->d_name);
        text = prompt_arena_copy(arena, prompt_str_from(name));

        if (strstr(child, ".json") != NULL) {
            document = read_file(child);

            if (document != NULL && document->type == PROMPT_JSON_OBJECT) {
                if (prompt_json_get(document, prompt_str("$id")) == NULL) {
                    prompt_json_set(document, prompt_str("$id"),
                                    prompt_json_new_string(arena, text));
                }

                set_dialect(document, dialect);
                prompt_json_set(defs, text, document);
            }

        } else if (begins(prompt_str_from(entries[i]->d_name), "base")
                   || begins(prompt_str_from(entries[i]->d_name), "nested")
                   || strcmp(entries[i]->d_name, "draft7") == 0)
        {
            bundle(defs, child, name, dialect);
        }

        free(entries[i]);
    }

    if (n >= 0) {
        free(entries);
    }
}


/* whether a document is no schema of these drafts, whatever it refers to */
static bool
needless(const prompt_json_t *document)
{
    char                  message[200];
    prompt_fault_t        fault;
    prompt_jsonschema_t  *compiled;

    if (prompt_jsonschema_compile(arena, document, prompt_str("inputSchema"),
                                  &compiled, &fault)
        == PROMPT_CHECK_OK)
    {
        return false;
    }

    (void) snprintf(message, sizeof(message), "%.*s",
                    prompt_str_arg(fault.message));

    return strstr(message, "another document") == NULL;
}


static prompt_check_t
compile_bundle(prompt_json_t *schema, const char *file, const char *dialect,
    prompt_jsonschema_t **compiled, prompt_fault_t *fault)
{
    bool                  new;
    prompt_str_t          name;
    prompt_json_t        *defs, *own;
    const prompt_json_t  *member;

    new = begins(prompt_str_from(file), "draft2020-12");
    name = new ? prompt_str("$defs") : prompt_str("definitions");
    defs = prompt_json_get(schema, name);

    if (defs == NULL) {
        defs = prompt_json_new(arena, PROMPT_JSON_OBJECT);
        prompt_json_set(schema, name, defs);
    }

    own = prompt_json_new(arena, PROMPT_JSON_OBJECT);

    if (new) {
        bundle(own, REMOTES "/draft2020-12",
               "http://localhost:1234/draft2020-12", dialect);

    } else {
        bundle(own, REMOTES, "http://localhost:1234", dialect);
    }

    /* in draft-07 a document that is but a $ref has no name of its own */

    for (member = own->first; member != NULL; member = member->next) {
        if (!needless(member)
            && (new || prompt_json_get(member, prompt_str("$ref")) == NULL))
        {
            prompt_json_set(defs, member->name,
                            prompt_json_copy(arena, member));
        }
    }

    return prompt_jsonschema_compile(arena, schema, prompt_str("inputSchema"),
                                     compiled, fault);
}


static void
group_of(const prompt_json_t *group, const char *file, const char *dialect)
{
    int                   other;
    char                  title[500];
    how_t                 how;
    prompt_str_t          description;
    prompt_json_t        *schema;
    prompt_check_t        rc;
    prompt_fault_t        fault;
    prompt_jsonschema_t  *compiled;
    const prompt_json_t  *test;

    description = text_of(group, "description");
    other = other_of(file, description);
    how = other >= 0 ? others[other].how : AS_IT_SAYS;
    schema = prompt_json_get(group, prompt_str("schema"));

    set_dialect(schema, dialect);

    if (how == PASSED_OVER) {
        skip(1, others[other].reason);
        return;
    }

    fault.message = prompt_str("accepted");
    rc = prompt_jsonschema_compile(arena, schema, prompt_str("inputSchema"),
                                   &compiled, &fault);

    if (how == REFUSED || how == BUNDLED) {
        (void) snprintf(title, sizeof(title), "%s: %.*s: %.*s", file,
                        prompt_str_arg(description),
                        prompt_str_arg(fault.message));
        ok(rc == PROMPT_CHECK_FAULT
           && strstr(title, others[other].reason) != NULL, title);

        if (how == REFUSED) {
            return;
        }

        rc = compile_bundle(schema, file, dialect, &compiled, &fault);
    }

    if (rc != PROMPT_CHECK_OK) {
        (void) snprintf(title, sizeof(title), "%s: %.*s: %.*s", file,
                        prompt_str_arg(description),
                        prompt_str_arg(fault.message));
        ok(false, title);
        return;
    }

    for (test = prompt_json_get(group, prompt_str("tests"))->first;
         test != NULL; test = test->next)
    {
        case_of(compiled, test, how, file, description);
    }
}


/* all files of a directory, in the order of their names */
static unsigned
directory(const char *draft, const char *below, const char *dialect)
{
    int              i, n;
    char             path[600], file[300];
    unsigned         read;
    struct dirent  **entries;
    prompt_json_t   *groups, *group;

    (void) snprintf(path, sizeof(path), SUITE "/%s/%s", draft, below);

    read = 0;
    n = scandir(path, &entries, NULL, alphasort);

    for (i = 0; i < n; i++) {
        (void) snprintf(file, sizeof(file), "%s/%s%s", draft, below,
                        entries[i]->d_name);
        (void) snprintf(path, sizeof(path), SUITE "/%s", file);

        if (strstr(entries[i]->d_name, ".json") != NULL) {
            groups = read_file(path);
            read++;

            for (group = groups != NULL ? groups->first : NULL; group != NULL;
                 group = group->next)
            {
                group_of(group, file, dialect);
            }
        }

        free(entries[i]);
    }

    if (n >= 0) {
        free(entries);
    }

    return read;
}


int
main(void)
{
    size_t    i;
    unsigned  read;

    static const char *const  drafts[][2] = {
        { "draft2020-12", "https://json-schema.org/draft/2020-12/schema" },
        { "draft7", "http://json-schema.org/draft-07/schema#" }
    };

    static const char *const  below[] = { "", "optional/", "optional/format/" };

    arena = prompt_arena_create((size_t) 1 << 30);
    read = 0;

    for (i = 0; i < 6; i++) {
        read += directory(drafts[i / 3][0], below[i % 3], drafts[i / 3][1]);
    }

    if (read == 0) {
        skip(1, "there is no " SUITE);
    }

    prompt_arena_destroy(arena);

    return done_testing();
}
