/*
 * Imports: their statements.
 *
 * What is to be imported comes as JSON, since its rows are many: one parameter
 * for prompts, one for versions, one for labels.  Places in these lists are
 * how rows are told from one another, there and in the answer.
 */

#include "store/import.h"
#include "base/uuid.h"
#include "store/statement_impl.h"


/* Nobody adds a version, moves a label or deletes one of these meanwhile. */
const prompt_source_t  prompt_sql_import_lock = {
    "SELECT count(*) FROM (SELECT p.id FROM prompts p"
    " WHERE p.owner_id = $1 AND p.state = 0 AND p.name = ANY (ARRAY("
    "SELECT json_array_elements_text($2) UNION ALL SELECT o.name"
    " FROM prompts o WHERE $3 AND o.owner_id = ANY (ARRAY[$1])"
    " AND o.state = 0))"
    " ORDER BY p.id DESC FOR NO KEY UPDATE) l",
    "ujb", 1, PROMPT_STATEMENT_COMMITS
};


/*
 * g, v, l: what is given; p: what becomes of the prompts, x: of versions; d:
 * prompts that are deleted.  f: what is wrong; where there is none, and it is
 * not dry, there is a row of `go`, which all changes hang on.
 *
 * A prompt that somebody creates after the first statement is seen by this one,
 * and not held: it is changed as it is then, by what was given alone, and its
 * last version is never set back.
 *
 * Versions of a prompt are ascending, so that one that does not follow the one
 * before it leaves a gap.
 *
 * PostgreSQL takes each list for a hundred rows, and an owner for one of few
 * prompts: so what is there is looked up for one row after the other (LATERAL,
 * OFFSET 0), and never compared with a list from its beginning to its end.
 */
const prompt_source_t  prompt_sql_import = {
    "WITH " PROMPT_PROTECTED_OF("$1") ", "
    "g AS MATERIALIZED ("
    "SELECT * FROM json_to_recordset($2)"
    " AS g (n integer, given text[], {prompt record})), "
    "v AS MATERIALIZED ("
    "SELECT * FROM json_to_recordset($3)"
    " AS v (n integer, i integer, version integer, previous integer,"
    " {version record})), "
    "p AS MATERIALIZED ("
    "SELECT g.n, coalesce(p.id, g.id) AS id, g.owner_id,"
    " p.id IS NULL AS is_new, coalesce(p.state, 0) <> 0 AS copying,"
    " coalesce(p.last_version, 0) AS had,"
    " greatest(p.last_version, t.version, 0) AS last_version,"
    " {prompt given g}, g.given,"
    " p.id IS NOT NULL AND ({prompt other g}) AS differs"
    " FROM g LEFT JOIN (SELECT n, max(version) AS version FROM v GROUP BY n) t"
    " USING (n) LEFT JOIN LATERAL (SELECT * FROM prompts p"
    " WHERE p.owner_id = $1 AND p.name = g.name OFFSET 0) p ON true), "
    "x AS MATERIALIZED ("
    "SELECT v.n, v.i, v.version, p.id, v.version > p.had AS added,"
    " greatest(p.had, v.previous) AS before,"
    " CASE WHEN v.version > p.had THEN NULL {version differs v} END AS differs"
    " FROM v JOIN p USING (n)"
    " LEFT JOIN LATERAL (SELECT * FROM prompt_versions x"
    " WHERE x.owner_id = $1 AND x.prompt_id = p.id AND x.version = v.version"
    " OFFSET 0) x ON true), "
    "l AS MATERIALIZED ("
    "SELECT l.n, l.i, l.label, l.version, l.move, p.id, p.last_version,"
    " x.version AS previous"
    " FROM json_to_recordset($4) AS l (n integer, i integer,"
    " label text COLLATE \"C\", version integer, move uuid)"
    " JOIN p USING (n) LEFT JOIN LATERAL (SELECT * FROM prompt_labels x"
    " WHERE x.owner_id = $1 AND x.prompt_id = p.id AND x.label = l.label"
    " OFFSET 0) x ON true), "
    "d AS MATERIALIZED ("
    "SELECT o.id, o.name, o.bytes FROM prompts o"
    " WHERE $6 AND o.owner_id = ANY (ARRAY[$1]) AND o.state = 0"
    " AND o.name NOT IN (SELECT name FROM g)), "
    "f AS MATERIALIZED ("
    "SELECT 5 AS kind, max(n) AS n, NULL::integer AS i,"
    " NULL::integer AS version, min(n) AS other, NULL::text AS text"
    " FROM g GROUP BY name HAVING count(*) > 1"
    " UNION ALL SELECT 6, n, NULL, NULL, NULL, NULL FROM p WHERE copying"
    " UNION ALL SELECT 7, n, i, version, NULL, differs FROM x"
    " WHERE differs IS NOT NULL"
    " UNION ALL SELECT 8, n, i, version, before, NULL FROM x"
    " WHERE version > before + 1"
    " UNION ALL SELECT 9, n, i, version, NULL, label FROM l"
    " WHERE version NOT BETWEEN 1 AND last_version"
    " UNION ALL SELECT 10, n, max(i), NULL, NULL, label FROM l"
    " GROUP BY n, label HAVING count(*) > 1"
    " UNION ALL SELECT 11, n, NULL, NULL, NULL, NULL FROM l"
    " WHERE previous IS NULL GROUP BY n, id HAVING count(*) >"
    " $7 - (SELECT count(*) FROM prompt_labels x"
    " WHERE x.owner_id = $1 AND x.prompt_id = l.id)"
    " UNION ALL SELECT 12, NULL, NULL, NULL, NULL, NULL FROM d"
    " HAVING count(*) > $8"
    " UNION ALL SELECT 13, l.n, l.i, l.version, NULL, l.label"
    " FROM protected s JOIN l ON l.label = ANY (s.labels)"
    " WHERE l.version IS DISTINCT FROM l.previous"
    " UNION ALL SELECT 13, NULL, NULL, NULL, NULL, x.label"
    " FROM protected s CROSS JOIN d CROSS JOIN LATERAL ("
    "SELECT x.label FROM prompt_labels x WHERE x.owner_id = $1"
    " AND x.prompt_id = d.id AND x.label = ANY (s.labels) OFFSET 0) x"
    " UNION ALL SELECT 16, n, max(i), NULL, NULL, NULL FROM x"
    " WHERE added AND version > {by quota_versions} GROUP BY n), "
    "y AS MATERIALIZED ("
    "SELECT n, sum({version bytes v})::bigint AS bytes"
    " FROM x JOIN v USING (n, i) WHERE x.added GROUP BY n), "
    /* what is deleted has its room until then */
    "q AS MATERIALIZED ("
    "SELECT CASE WHEN $5 THEN 0 ELSE prompt_room($1,"
    " (SELECT count(*) FROM p WHERE is_new),"
    " coalesce((SELECT sum(bytes)::bigint FROM y), 0),"
    " {by quota_prompts} + (SELECT count(*) FROM d),"
    " {by quota_bytes} + coalesce((SELECT sum(bytes)::bigint FROM d), 0)) END"
    " AS room WHERE NOT EXISTS (SELECT FROM f)), "
    "go AS MATERIALIZED ("
    "SELECT true FROM q WHERE NOT $5 AND q.room = 0), "
    "created AS ("
    "INSERT INTO prompts ({prompt create}, last_version, bytes, created_at,"
    " updated_at, created_by)"
    " SELECT {prompt create g}, p.last_version, coalesce(y.bytes, 0), $9, $9,"
    " {by author}"
    " FROM go, g JOIN p USING (n) LEFT JOIN y USING (n) WHERE p.is_new), "
    "changed AS ("
    "UPDATE prompts AS o SET {prompt merged e},"
    " last_version = greatest(o.last_version, e.last_version),"
    " bytes = o.bytes + coalesce((SELECT bytes FROM y WHERE y.n = e.n), 0),"
    " updated_at = greatest(now(),"
    " o.updated_at + interval '1 millisecond' * (1 + random()))"
    " FROM go, p AS e"
    " WHERE o.owner_id = e.owner_id AND o.id = e.id AND o.state = 0"
    " AND (e.differs OR e.last_version > e.had)), "
    "added AS ("
    "INSERT INTO prompt_versions (prompt_id, owner_id, version, created_at,"
    " created_by, {version create})"
    " SELECT x.id, $1, v.version, $9, {by author}, {version create v}"
    " FROM go, x JOIN v USING (n, i) WHERE x.added), "
    "moved AS ("
    "INSERT INTO prompt_label_moves (id, prompt_id, owner_id, label, number,"
    " moved_at, moved_by, version, previous_version)"
    " SELECT l.move, l.id, $1, l.label, coalesce(m.number, 0) + l.nth,"
    " greatest($9, m.moved_at + interval '1 millisecond')"
    " + (l.nth - 1) * interval '1 millisecond', {by author},"
    " l.version, l.previous"
    " FROM go, (SELECT l.*, row_number() OVER (PARTITION BY n ORDER BY i)"
    " AS nth FROM l WHERE version IS DISTINCT FROM previous) l"
    " LEFT JOIN LATERAL (SELECT x.number, x.moved_at"
    " FROM prompt_label_moves x WHERE x.owner_id = $1 AND x.prompt_id = l.id"
    " ORDER BY x.number DESC LIMIT 1) m ON true"
    " RETURNING prompt_id, owner_id, label, version, moved_at, moved_by), "
    "labelled AS ("
    "INSERT INTO prompt_labels (prompt_id, owner_id, label, version, set_at,"
    " set_by)"
    " SELECT prompt_id, owner_id, label, version, moved_at, moved_by"
    " FROM moved"
    " ON CONFLICT ON CONSTRAINT prompt_labels_pkey DO UPDATE"
    " SET version = excluded.version, set_at = excluded.set_at,"
    " set_by = excluded.set_by, split = NULL, split_at = NULL, guard = NULL,"
    " slots = NULL), "
    "deleted AS ("
    "UPDATE prompts o SET state = 1, name = '/' || o.id, is_public = false"
    " FROM go WHERE o.owner_id = $1 AND o.id = ANY (ARRAY(SELECT id FROM d))"
    " AND o.state = 0), "
    "audit_moves AS ("
    PROMPT_AUDIT_ROW("l.move", "$1", "{by user}",
                     "'Prompt', l.id, p.name, json_build_object('label',"
                     " label, 'before', previous, 'after', version)"
                     " FROM go, l JOIN p USING (n)"
                     " WHERE version IS DISTINCT FROM previous")
    "), "
    PROMPT_AUDIT("'Project', $1, NULL, json_build_object("
                 "'created', (SELECT count(*) FROM p WHERE is_new),"
                 " 'updated', (SELECT count(*) FROM p WHERE differs),"
                 " 'deleted', (SELECT count(*) FROM d),"
                 " 'versions', (SELECT count(*) FROM x WHERE added),"
                 " 'prompts', names)"
                 " FROM go, (SELECT ARRAY(SELECT name FROM ("
                 "SELECT name FROM p WHERE is_new OR differs"
                 " OR last_version > had UNION ALL SELECT name FROM d) t"
                 " ORDER BY name COLLATE \"C\" LIMIT 100) AS names) c"
                 " WHERE cardinality(names) > 0")
    "SELECT * FROM (SELECT kind, n, i, version, other, text, NULL::uuid AS id"
    " FROM f"
    " UNION ALL SELECT room + 3, NULL, NULL, NULL, NULL, NULL, NULL"
    " FROM q WHERE room <> 0"
    " UNION ALL SELECT CASE WHEN is_new THEN 0 ELSE 1 END, n, NULL, NULL, NULL,"
    " NULL, id FROM p WHERE is_new OR differs"
    " UNION ALL SELECT 2, n, i, version, NULL, NULL, id FROM x WHERE added"
    " UNION ALL SELECT 3, n, i, version, NULL, label, id FROM l"
    " WHERE version IS DISTINCT FROM previous"
    " UNION ALL SELECT 4, NULL, NULL, NULL, NULL, name, NULL FROM d) r"
    " ORDER BY kind < 5, kind <> 13, n, kind, i, text COLLATE \"C\"",
    "ujjjbbllz", 7, PROMPT_STATEMENT_COMMITS
};


static prompt_buf_t *
prompt_import_begin(prompt_import_t *import, prompt_import_list_t list)
{
    prompt_buf_char(&import->lists[list],
                    import->counts[list]++ == 0 ? '[' : ',');

    return &import->lists[list];
}


void
prompt_import_prompt(prompt_import_t *import, prompt_mask_t given,
    const prompt_record_t *prompt)
{
    bool                      first;
    unsigned                  i;
    prompt_buf_t             *row;
    const prompt_resource_t  *resource;

    resource = &prompt_prompt_resource;

    row = prompt_import_begin(import, PROMPT_IMPORT_NAMES);
    prompt_json_write_string(row, prompt->name);

    row = prompt_import_begin(import, PROMPT_IMPORT_PROMPTS);
    prompt_buf_printf(row, "{\"n\":%u,\"given\":[",
                      import->counts[PROMPT_IMPORT_PROMPTS] - 1);
    first = true;

    for (i = 0; i < resource->ncolumns; i++) {

        if (given & (PROMPT_MASK_BIT << i)) {
            prompt_buf_printf(row, "%s\"%s\"", first ? "" : ",",
                              resource->columns[i].name);
            first = false;
        }
    }

    prompt_buf_char(row, ']');
    prompt_columns_write(resource,
                         prompt_columns_with(resource, PROMPT_COLUMN_CREATE),
                         prompt, row);
    prompt_buf_char(row, '}');
}


static prompt_buf_t *
prompt_import_item(prompt_import_t *import, prompt_import_list_t list,
    uint32_t place, int32_t version)
{
    prompt_buf_t  *row;

    row = prompt_import_begin(import, list);
    prompt_buf_printf(row, "{\"n\":%u,\"i\":%u,\"version\":%d",
                      import->counts[PROMPT_IMPORT_PROMPTS] - 1, place,
                      version);
    return row;
}


void
prompt_import_version(prompt_import_t *import, uint32_t place,
    int32_t previous, const prompt_version_t *version)
{
    prompt_buf_t  *row;

    row = prompt_import_item(import, PROMPT_IMPORT_VERSIONS, place,
                             version->version);
    prompt_buf_printf(row, ",\"previous\":%d", previous);
    prompt_columns_write(&prompt_version_resource,
                         prompt_columns_with(&prompt_version_resource,
                                             PROMPT_COLUMN_CREATE),
                         version, row);
    prompt_buf_char(row, '}');
}


void
prompt_import_label(prompt_import_t *import, uint32_t place,
    const prompt_label_t *label, prompt_str_t move)
{
    char           id[PROMPT_UUID_TEXT_LEN];
    prompt_buf_t  *row;
    prompt_uuid_t  uuid;

    memcpy(uuid.bytes, move.data, sizeof(uuid.bytes));
    prompt_uuid_format(&uuid, id);

    row = prompt_import_item(import, PROMPT_IMPORT_LABELS_SET, place,
                             label->version);
    prompt_buf_literal(row, ",\"label\":");
    prompt_json_write_string(row, label->label);
    prompt_buf_printf(row, ",\"move\":\"%.*s\"}", (int) sizeof(id), id);
}


void
prompt_import_end(prompt_import_t *import)
{
    unsigned  i;

    for (i = 0; i < PROMPT_IMPORT_LISTS; i++) {
        prompt_buf_str(&import->lists[i], import->counts[i] == 0
                                          ? prompt_str("[]")
                                          : prompt_str("]"));
    }
}


bool
prompt_import(prompt_query_t *query, prompt_str_t owner,
    const prompt_import_t *import, prompt_str_t now, unsigned *rows)
{
    unsigned      i;
    prompt_str_t  lists[PROMPT_IMPORT_LISTS];

    *rows = import->dry ? 0 : 1;

    for (i = 0; i < PROMPT_IMPORT_LISTS; i++) {
        lists[i] = prompt_buf_view(&import->lists[i]);

        if (import->lists[i].status != PROMPT_BUF_OK) {
            return false;
        }
    }

    return (import->dry
            || prompt_append(query, PROMPT_STATEMENT_IMPORT_LOCK,
                             prompt_as_uuid(owner),
                             prompt_as_text(lists[PROMPT_IMPORT_NAMES]),
                             prompt_as_bool(import->deletes)))
           && prompt_append(query, PROMPT_STATEMENT_IMPORT,
                            prompt_as_uuid(owner),
                            prompt_as_text(lists[PROMPT_IMPORT_PROMPTS]),
                            prompt_as_text(lists[PROMPT_IMPORT_VERSIONS]),
                            prompt_as_text(lists[PROMPT_IMPORT_LABELS_SET]),
                            prompt_as_bool(import->dry),
                            prompt_as_bool(import->deletes),
                            prompt_as_int8(import->max_labels),
                            prompt_as_int8(import->max_deletions),
                            prompt_as_id_time(now));
}


void
prompt_import_row(const prompt_rows_t *rows, unsigned row,
    prompt_import_row_t *out)
{
    out->kind = (prompt_import_kind_t)
                prompt_cell_int(prompt_rows_cell(rows, row, 0));
    out->prompt = (int32_t) prompt_cell_int(prompt_rows_cell(rows, row, 1));
    out->place = (int32_t) prompt_cell_int(prompt_rows_cell(rows, row, 2));
    out->version = prompt_cell_maybe(prompt_rows_cell(rows, row, 3));
    out->other = (int32_t) prompt_cell_int(prompt_rows_cell(rows, row, 4));
    out->text = prompt_rows_cell(rows, row, 5);
    out->id = prompt_rows_cell(rows, row, 6);
}
