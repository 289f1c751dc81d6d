/*
 * SQL that the build embeds: src/store/migrations/NNNN_*.sql in their order,
 * and what restore-check asks, all that is in src/ctl/restore.
 */

#ifndef CTL_MIGRATIONS_H
#define CTL_MIGRATIONS_H

#include <stddef.h>


typedef struct {
    const char  *name;                       /* 0001_initial.sql */
    const char  *sql;
    size_t       len;
} ctl_migration_t;

extern const ctl_migration_t  ctl_migrations[];
extern const size_t           ctl_migrations_count;

extern const ctl_migration_t  ctl_restore_sql[];
extern const size_t           ctl_restore_sql_count;

#endif /* CTL_MIGRATIONS_H */
