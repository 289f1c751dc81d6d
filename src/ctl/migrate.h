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
 * These return an exit status, after a message where it is not CTL_OK.
 */

/*
 * Begins a transaction that only one promptctl is in, waiting for others: for
 * long, because one may be making an index.
 */
int ctl_migrate_begin(ctl_migrate_t *migrate) PROMPT_WARN_UNUSED;

/*
 * What cannot be in a transaction: does the work over a connection of its own,
 * on which no statement has a time limit but for locks ("0": none), while
 * migrate->pg is in a transaction that only one promptctl is in.
 */
typedef int (*ctl_migrate_work_pt)(ctl_migrate_t *migrate, ctl_postgres_t *pg,
    void *data);

int ctl_migrate_outside(ctl_migrate_t *migrate, const char *lock_timeout,
    ctl_migrate_work_pt work, void *data) PROMPT_WARN_UNUSED;

/*
 * What was applied must be what this program has, from the first on; sets
 * migrate->first and migrate->version.  What is newer must say that it bears
 * this program.
 */
int ctl_migrate_compare(ctl_migrate_t *migrate) PROMPT_WARN_UNUSED;

/* In the transaction: rights for the role, or for those that have the old. */
int ctl_migrate_grant(ctl_migrate_t *migrate, const char *role)
    PROMPT_WARN_UNUSED;
int ctl_migrate_grant_again(ctl_migrate_t *migrate) PROMPT_WARN_UNUSED;

/*
 * The roles of the service, by what they may do, with their names quoted:
 * *roles is the caller's to clear.  And rights for one of them.
 */
int ctl_migrate_roles(ctl_migrate_t *migrate, PGresult **roles)
    PROMPT_WARN_UNUSED;
int ctl_migrate_grant_quoted(ctl_migrate_t *migrate, const char *quoted)
    PROMPT_WARN_UNUSED;

/*
 * After it: what the service wants of its connections, as settings of the
 * role.  Where that is not allowed, a message says so.
 */
int ctl_migrate_settings(ctl_migrate_t *migrate, const char *role)
    PROMPT_WARN_UNUSED;

/* The names of these, an array of PostgreSQL's; absent: memory is short. */
prompt_str_t ctl_migrate_setting_names(const ctl_migrate_t *migrate);

/*
 * After it: the indexes of all migrations that are not there, or were left
 * unfinished.  Waits for transactions that are open, and lets everybody read
 * and write meanwhile.
 */
int ctl_migrate_indexes(ctl_migrate_t *migrate) PROMPT_WARN_UNUSED;

/*
 * After that: what migrations do in steps, as far as it is not done.  Says
 * which step it takes, and lets everybody read and write meanwhile.
 */
int ctl_migrate_steps(ctl_migrate_t *migrate) PROMPT_WARN_UNUSED;

/* where what runs in the transaction ends: "-- afterwards", or the end */
size_t ctl_migration_length(const ctl_migration_t *migration);

/* Says why the last run failed; returns CTL_FAILED. */
int ctl_migrate_failed(ctl_migrate_t *migrate, const char *what,
    const char *so);

#endif /* CTL_MIGRATE_H */
