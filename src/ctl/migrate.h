/*
 * The parts of promptctl migrate.
 *
 * A migration is SQL text that runs in one transaction.  Three lines have a
 * meaning of their own:
 *
 *     -- compatible: N     modules of schema version N and later can use the
 *                          schema that it makes; its own version where absent
 *     -- afterwards        what follows are CREATE INDEX CONCURRENTLY IF NOT
 *                          EXISTS, each to be run outside of a transaction
 *     -- steps: SELECT …   behind it: gives what is done next, in words, and
 *                          the statement that does it; NULL at the end
 */

#ifndef CTL_MIGRATE_H
#define CTL_MIGRATE_H

#include "ctl/migrations.h"
#include "ctl/postgres.h"


/* until a lock on a table is got that somebody holds: how often, how long */
#define CTL_MIGRATE_TRIES       60
#define CTL_MIGRATE_PAUSE       1000         /* ms */

/* of the lock that only promptctl takes, and of who is at an index */
#define CTL_MIGRATE_POLL        100          /* ms */


typedef struct {
    ctl_t           *ctl;
    ctl_postgres_t   pg;
    size_t           first;                  /* migration not yet applied */
    int64_t          version;                /* of the schema at the end */
} ctl_migrate_t;


/*
 * Begins a transaction that only one promptctl is in, waiting for others: for
 * long, because one may be making an index.
 */
void ctl_migrate_begin(ctl_migrate_t *migrate);

/*
 * What cannot be in a transaction: does the work over a connection of its own,
 * on which no statement has a time limit but for locks ("0": none), while
 * migrate->pg is in a transaction that only one promptctl is in.
 */
typedef void (*ctl_migrate_work_pt)(ctl_migrate_t *migrate,
    ctl_postgres_t *pg, const char *sql);

void ctl_migrate_outside(ctl_migrate_t *migrate, const char *lock_timeout,
    ctl_migrate_work_pt work, const char *sql);

/*
 * What was applied must be what this program has, from the first on; sets
 * migrate->first and migrate->version.  What is newer must say that it bears
 * this program.
 */
void ctl_migrate_compare(ctl_migrate_t *migrate);

/* In the transaction: rights for the role, or for those that have the old. */
void ctl_migrate_grant(ctl_migrate_t *migrate, const char *role);
void ctl_migrate_grant_again(ctl_migrate_t *migrate);

/*
 * The roles of the service, by what they may do, with their names quoted; the
 * caller's to clear.  And rights for one of them.
 */
PGresult *ctl_migrate_roles(ctl_migrate_t *migrate);
void ctl_migrate_grant_quoted(ctl_migrate_t *migrate, const char *quoted);

/*
 * After it: what the service wants of its connections, as settings of the
 * role.  Where that is not allowed, a message says so.
 */
void ctl_migrate_settings(ctl_migrate_t *migrate, const char *role);

/* the names of these, an array of PostgreSQL's */
const char *ctl_migrate_setting_names(const ctl_migrate_t *migrate);

/*
 * After it: the indexes of all migrations that are not there, or were left
 * unfinished.  Waits for transactions that are open, and lets everybody read
 * and write meanwhile.
 */
void ctl_migrate_indexes(ctl_migrate_t *migrate);

/*
 * After that: what migrations do in steps, as far as it is not done.  Says
 * which step it takes, and lets everybody read and write meanwhile.
 */
void ctl_migrate_steps(ctl_migrate_t *migrate);

/* where what runs in the transaction ends: "-- afterwards", or the end */
size_t ctl_migration_length(const ctl_migration_t *migration);

/* Says why the last run failed, and ends this one. */
void ctl_migrate_failed(const ctl_postgres_t *pg, const char *what,
    const char *so) __attribute__((noreturn));

#endif /* CTL_MIGRATE_H */
