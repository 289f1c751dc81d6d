/*
 * What importPrompts says of the rows that the store answered with: changes, or
 * faults.
 */

#include "service/fields/prompt_import_impl.h"

#include "service/fields/fields.h"
#include "service/frame/arguments.h"


static bool ngx_http_prompt_import_fault(ngx_http_prompt_root_t *root,
    ngx_http_prompt_import_t *import, const prompt_import_row_t *row)
    PROMPT_WARN_UNUSED;
static const char *ngx_http_prompt_import_field(prompt_str_t column);


void
ngx_http_prompt_import_shows(ngx_http_prompt_root_t *root,
    const ngx_http_prompt_import_t *import)
{
    unsigned             i;
    prompt_str_t         last;
    prompt_import_row_t  row;

    last = prompt_str_absent;

    for (i = 0; i < import->answer->count && !import->rows.dry; i++) {
        prompt_import_row(import->answer, i, &row);

        if (row.id.data != NULL && !prompt_str_eq(row.id, last)) {
            ngx_http_prompt_root_shows(root, row.id);
            last = row.id;
        }
    }
}


void
ngx_http_prompt_import_faults(ngx_http_prompt_root_t *root,
    ngx_http_prompt_import_t *import)
{
    unsigned             i;
    prompt_import_row_t  row;

    for (i = 0; i < import->answer->count
                && i < NGX_HTTP_PROMPT_IMPORT_FAULTS; i++)
    {
        prompt_import_row(import->answer, i, &row);

        if (row.kind < PROMPT_IMPORT_FAULT) {
            break;
        }

        if (row.kind == PROMPT_IMPORT_PROTECTED) {
            ngx_http_prompt_fail_protected(root, row.text);
            return;
        }

        if (!ngx_http_prompt_import_fault(root, import, &row)) {
            return;
        }
    }

    ngx_http_prompt_root_fail_faults(root);
}


static bool
ngx_http_prompt_import_fault(ngx_http_prompt_root_t *root,
    ngx_http_prompt_import_t *import, const prompt_import_row_t *row)
{
    int           version;
    size_t        faults;
    const char   *field;
    prompt_str_t  name;

    static const char *const  lists[] = {
        NULL, NULL, "versions", "versions", "labels", "labels", NULL, NULL
    };

    faults = root->faults->count;
    version = (int) row->version.value;
    name = row->kind != PROMPT_IMPORT_DELETIONS ? import->names[row->prompt]
                                                : prompt_str("");

    if (!ngx_http_prompt_import_within(root, (uint32_t) row->prompt,
                                       lists[row->kind - PROMPT_IMPORT_FAULT],
                                       (uint32_t) row->place))
    {
        return false;
    }

#define fault(field, ...)                                                    \
    ngx_http_prompt_root_fail(root, ngx_http_prompt_bad_user_input,          \
                              prompt_str_from(field), __VA_ARGS__)

    switch (row->kind) {

    case PROMPT_IMPORT_TWICE:
        fault("name", "\"%.*s\" is the name of prompts.%d, too.",
              prompt_str_arg(name), (int) row->other);
        break;

    case PROMPT_IMPORT_COPYING:
        fault("name", "You already have a prompt with that name.");
        break;

    case PROMPT_IMPORT_DIFFERS:
        field = ngx_http_prompt_import_field(row->text);
        fault(field, "Version %d of \"%.*s\" is there with another %s; "
              "versions never change: add a new one.", version,
              prompt_str_arg(name), field);
        break;

    case PROMPT_IMPORT_GAP:
        fault("version", "Version %d of \"%.*s\" would leave a gap: the one "
              "before it is %d.", version, prompt_str_arg(name),
              (int) row->other);
        break;

    case PROMPT_IMPORT_NO_VERSION:
        fault("version", "\"%.*s\" has no version %d.", prompt_str_arg(name),
              version);
        break;

    case PROMPT_IMPORT_LABEL_TWICE:
        fault("label", "Label \"%.*s\" is given twice.",
              prompt_str_arg(row->text));
        break;

    case PROMPT_IMPORT_LABELS:
        fault("labels", "A prompt has at most %d labels: remove one first.",
              PROMPT_LIMIT_LABELS);
        break;

    case PROMPT_IMPORT_VERSIONS_QUOTA:
        fault("versions", "The quota \"versions\" of the prompt is used up: it "
              "is %lld.", (long long) root->actor.quota.versions);
        break;

    default:
        root->within = prompt_str("");
        fault("delete", "An import deletes at most %d prompts.",
              PROMPT_LIMIT_IMPORT);
    }

    return root->faults->count != faults;
}


/* what clients call the column of a version; there always is one */
static const char *
ngx_http_prompt_import_field(prompt_str_t column)
{
    const ngx_http_prompt_field_t  *field;

    for (field = ngx_http_prompt_version_fields;
         field->column == NULL
         || !prompt_str_eq(prompt_str_from(field->column->name), column);
         field++)
    {
        /* void */
    }

    return field->name;
}


void
ngx_http_prompt_import_count(ngx_http_prompt_import_t *import)
{
    int32_t              last;
    unsigned             i;
    prompt_import_row_t  row;

    last = -1;

    for (i = 0; i < import->answer->count; i++) {
        prompt_import_row(import->answer, i, &row);

        if (row.kind == PROMPT_IMPORT_DELETE) {
            import->deleted++;

        } else if (row.prompt != last) {
            last = row.prompt;

            if (row.kind == PROMPT_IMPORT_CREATE) {
                import->created++;

            } else {
                import->changed++;
            }
        }
    }
}


void *
ngx_http_prompt_import_item(ngx_http_prompt_list_t *list)
{
    prompt_import_row_t        row;
    ngx_http_prompt_import_t  *import;

    static const prompt_str_t  words[] = {
        prompt_str_init("create"), prompt_str_init("update"),
        prompt_str_init("version"), prompt_str_init("label"),
        prompt_str_init("delete")
    };

    import = (ngx_http_prompt_import_t *) list;

    prompt_import_row(import->answer, import->next, &row);
    import->next = (import->next + 1) % import->answer->count;

    import->change.what = words[row.kind];
    import->change.version = row.version;
    import->change.label = row.kind == PROMPT_IMPORT_LABEL ? row.text
                                                           : prompt_str_absent;
    import->change.prompt = row.kind == PROMPT_IMPORT_DELETE
                            ? row.text : import->names[row.prompt];

    return import;
}
