/*
 * The version of the database schema, which database it is, and what its
 * maintenance needs.
 */

#ifndef PROMPT_STORE_SCHEMA_VERSION_H
#define PROMPT_STORE_SCHEMA_VERSION_H

#include "store/query.h"


/* the number of the newest file in migrations/, counted by the build */
extern const int  prompt_migrations_last;

#define PROMPT_SCHEMA_VERSION  prompt_migrations_last


/*
 * Reads both.  Where the table of migrations is missing the statement
 * fails, and prompt_sqlstate() says PROMPT_SQL_SCHEMA.
 */
bool prompt_schema_version(prompt_query_t *query) PROMPT_WARN_UNUSED;

/* whether this program may use the database */
typedef enum {
    PROMPT_SCHEMA_FITS = 0,          /* its own version, or a newer one whose
                                        migrations say that they bear it */
    PROMPT_SCHEMA_OLDER,             /* promptctl migrate */
    PROMPT_SCHEMA_NEWER              /* a newer program */
} prompt_schema_fit_t;

/*
 * *version: the one found, 0 where no migration was recorded, or the database
 * has no identity.
 */
prompt_schema_fit_t prompt_schema_version_row(const prompt_rows_t *rows,
    int64_t *version);

/*
 * Which database it is: of random bytes that promptctl migrate makes, the
 * database's oid and, where the owner may read it, the cluster's identifier.  A
 * copy by dump or as a template is another one, a standby the same one, also
 * when it is promoted.  0: it has no identity.
 */
uint64_t prompt_schema_database(const prompt_rows_t *rows);


/*
 * What `promptctl migrate` runs, as plain text: lock, table, list, record.  The
 * lock gives whether it was got.  The list gives version, name, checksum (text)
 * and the oldest version that the migration bears; recording takes version,
 * name, SQL text and that oldest version (NULL: its own), all as text.  One
 * transaction around all of it, and around the migrations.
 */
extern const char  prompt_migration_lock_sql[];
extern const char  prompt_migration_table_sql[];
extern const char  prompt_migration_list_sql[];
extern const char  prompt_migration_checksum_sql[];
extern const char  prompt_migration_record_sql[];

/* Makes the random bytes where there are none; makes them anew. */
extern const char  prompt_database_make_sql[];
extern const char  prompt_database_renew_sql[];

/*
 * What the role of the service needs and no more: so many texts "GRANT … TO ",
 * to which the role's quoted name is appended.  Absent when memory is short.
 */
#define PROMPT_SCHEMA_GRANTS  22

prompt_str_t prompt_schema_grant(prompt_arena_t *arena, unsigned number);

#endif /* PROMPT_STORE_SCHEMA_VERSION_H */
