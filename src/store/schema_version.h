/*
 * The version of the database schema, and what its maintenance needs.
 */

#ifndef PROMPT_STORE_SCHEMA_VERSION_H
#define PROMPT_STORE_SCHEMA_VERSION_H

#include "store/query.h"


/* the number of the newest file in migrations/ */
#define PROMPT_SCHEMA_VERSION  1


/*
 * Reads the version.  Where the table of migrations is missing the statement
 * fails, and prompt_sqlstate() says PROMPT_SQL_SCHEMA.
 */
bool prompt_schema_version(prompt_query_t *query) PROMPT_WARN_UNUSED;

/* the version found: 0 where no migration was recorded */
int64_t prompt_schema_version_row(const prompt_rows_t *rows);


/*
 * What `promptctl migrate` runs, as plain text: lock, table, list, record.
 * The first and second take no parameters; the list gives version (text),
 * name and checksum (text); recording takes version, name and SQL text, all
 * as text.  One transaction around all of it, and around the migrations.
 */
extern const char  prompt_migration_lock_sql[];
extern const char  prompt_migration_table_sql[];
extern const char  prompt_migration_list_sql[];
extern const char  prompt_migration_checksum_sql[];
extern const char  prompt_migration_record_sql[];

/*
 * What the role of the service needs and no more, as "GRANT … TO " to which
 * the role's quoted name is appended; ends with NULL.
 */
extern const char *const  prompt_schema_grants[];

#endif /* PROMPT_STORE_SCHEMA_VERSION_H */
