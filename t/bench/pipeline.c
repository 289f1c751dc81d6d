/*
 * The bound by PostgreSQL: what the module asks it for, asked by a program
 * that does nothing else.
 *
 *     cc -O2 $(pkg-config --cflags libpq) -o pipeline t/bench/pipeline.c \
 *         $(pkg-config --libs libpq)
 *     pipeline CONNINFO PROCESSES CONNECTIONS DEPTH SECONDS FILE
 *
 * Each process has so many connections in pipeline mode, each with DEPTH
 * tasks in flight, statements prepared and results binary, as the module
 * does it.  Prints the tasks that were done in a second.  FILE has one item a
 * line, its bytes counted in front of them:
 *
 *     task               one that is timed as a whole
 *     sync               an implicit transaction of it
 *     sql 8:SELECT $1    a statement of that transaction
 *     null, text 3:abc   its parameters
 *     uuid, name         the same: made afresh for each task
 */

#include <sys/types.h>
#include <sys/wait.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <libpq-fe.h>


#define BENCH_STATEMENTS   4096
#define BENCH_TASKS        1024
#define BENCH_PARAMS       64
#define BENCH_CONNECTIONS  64
#define BENCH_FRESH        48


typedef enum { BENCH_NULL, BENCH_TEXT, BENCH_UUID, BENCH_NAME } bench_kind_t;

typedef struct {
    char          *sql;
    char           name[16];         /* the same for the same text */
    int            sync;             /* the first of its transaction */
    int            nparams;
    bench_kind_t   kinds[BENCH_PARAMS];
    char          *texts[BENCH_PARAMS];
} bench_statement_t;

typedef struct {
    PGconn   *pg;
    unsigned  in_flight;             /* tasks */
    unsigned  syncs[BENCH_TASKS];    /* of each, a ring */
    unsigned  head;
} bench_connection_t;


static bench_statement_t  bench_statements[BENCH_STATEMENTS];
static unsigned           bench_nstatements;
static unsigned           bench_tasks[BENCH_TASKS + 1];   /* their first */
static unsigned           bench_ntasks;


static void
bench_die(const char *what, const char *why)
{
    fprintf(stderr, "pipeline: %s: %s\n", what, why);
    exit(1);
}


static double
bench_now(void)
{
    struct timespec  ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);

    return (double) ts.tv_sec + (double) ts.tv_nsec / 1e9;
}


/* "N:" and N bytes, NUL-terminated by us */
static char *
bench_bytes(FILE *in)
{
    char    *text;
    size_t   len;

    if (fscanf(in, " %zu:", &len) != 1 || len > 64 * 1024 * 1024) {
        bench_die("file", "no length");
    }

    text = malloc(len + 1);

    if (text == NULL || fread(text, 1, len, in) != len) {
        bench_die("file", "too short");
    }

    text[len] = '\0';

    return text;
}


static void
bench_read(const char *path)
{
    int                 sync;
    char                word[8];
    FILE               *in;
    unsigned            i;
    bench_statement_t  *st;

    in = fopen(path, "r");

    if (in == NULL) {
        bench_die(path, "cannot be read");
    }

    st = NULL;
    sync = 0;

    while (fscanf(in, " %7[a-z]", word) == 1) {

        if (strcmp(word, "task") == 0) {

            if (bench_ntasks == BENCH_TASKS) {
                bench_die(path, "too many tasks");
            }

            bench_tasks[bench_ntasks++] = bench_nstatements;
            continue;
        }

        if (strcmp(word, "sync") == 0) {
            sync = 1;
            continue;
        }

        if (strcmp(word, "sql") == 0) {

            if (bench_nstatements == BENCH_STATEMENTS) {
                bench_die(path, "too many statements");
            }

            st = &bench_statements[bench_nstatements];
            st->sql = bench_bytes(in);
            st->sync = sync;
            sync = 0;

            for (i = 0; strcmp(bench_statements[i].sql, st->sql) != 0; i++) {
                /* void: the first one of this text, at last itself */
            }

            snprintf(st->name, sizeof(st->name), "s%u", i);
            bench_nstatements++;
            continue;
        }

        if (st == NULL || st->nparams == BENCH_PARAMS) {
            bench_die(path, "a parameter too many");
        }

        if (strcmp(word, "text") == 0) {
            st->texts[st->nparams] = bench_bytes(in);
            st->kinds[st->nparams++] = BENCH_TEXT;

        } else if (strcmp(word, "uuid") == 0) {
            st->kinds[st->nparams++] = BENCH_UUID;

        } else if (strcmp(word, "name") == 0) {
            st->kinds[st->nparams++] = BENCH_NAME;

        } else {
            st->kinds[st->nparams++] = BENCH_NULL;
        }
    }

    bench_tasks[bench_ntasks] = bench_nstatements;
    fclose(in);

    if (bench_ntasks == 0) {
        bench_die(path, "no task");
    }
}


static PGconn *
bench_connect(const char *conninfo)
{
    char        number[16];
    PGconn     *pg;
    unsigned    i;
    PGresult   *res;

    pg = PQconnectdb(conninfo);

    if (PQstatus(pg) != CONNECTION_OK) {
        bench_die("connection", PQerrorMessage(pg));
    }

    for (i = 0; i < bench_nstatements; i++) {
        snprintf(number, sizeof(number), "s%u", i);

        if (strcmp(number, bench_statements[i].name) != 0) {
            continue;
        }

        res = PQprepare(pg, number, bench_statements[i].sql, 0, NULL);

        if (PQresultStatus(res) != PGRES_COMMAND_OK) {
            bench_die("prepare", PQresultErrorMessage(res));
        }

        PQclear(res);
    }

    if (PQsetnonblocking(pg, 1) != 0 || PQenterPipelineMode(pg) != 1) {
        bench_die("connection", "no pipeline mode");
    }

    return pg;
}


static void
bench_send(bench_connection_t *bc)
{
    int                 p;
    char                uuid[BENCH_FRESH], name[BENCH_FRESH];
    uint64_t            ms;
    unsigned            i, t, syncs;
    const char         *values[BENCH_PARAMS];
    struct timespec     ts;
    bench_statement_t  *st;

    static unsigned  fresh;

    t = (unsigned) random() % bench_ntasks;
    syncs = 0;
    fresh++;

    /* ids that grow, as the module's do */

    clock_gettime(CLOCK_REALTIME, &ts);
    ms = (uint64_t) ts.tv_sec * 1000 + (uint64_t) ts.tv_nsec / 1000000;

    snprintf(uuid, sizeof(uuid), "%08llx-%04llx-7%03x-8000-%04x%08x",
             (unsigned long long) (ms >> 16),
             (unsigned long long) (ms & 0xffff), fresh & 0xfff,
             (unsigned) getpid() & 0xffff, fresh);
    snprintf(name, sizeof(name), "b-%llx-%d-%u", (unsigned long long) ms,
             (int) getpid(), fresh);

    for (i = bench_tasks[t]; i < bench_tasks[t + 1]; i++) {
        st = &bench_statements[i];

        if (st->sync && i != bench_tasks[t]) {
            syncs += (unsigned) PQpipelineSync(bc->pg);
        }

        for (p = 0; p < st->nparams; p++) {
            values[p] = st->kinds[p] == BENCH_UUID ? uuid
                        : st->kinds[p] == BENCH_NAME ? name : st->texts[p];
        }

        if (PQsendQueryPrepared(bc->pg, st->name, st->nparams, values, NULL,
                                NULL, 1)
            != 1)
        {
            bench_die("send", PQerrorMessage(bc->pg));
        }
    }

    syncs += (unsigned) PQpipelineSync(bc->pg);

    bc->syncs[(bc->head + bc->in_flight++) % BENCH_TASKS] = syncs;
}


/* Takes the results that are there; the tasks that are done. */
static unsigned
bench_receive(bench_connection_t *bc)
{
    unsigned         done;
    PGresult        *res;
    ExecStatusType   status;

    done = 0;

    if (PQconsumeInput(bc->pg) != 1) {
        bench_die("receive", PQerrorMessage(bc->pg));
    }

    while (bc->in_flight != 0 && !PQisBusy(bc->pg)) {
        res = PQgetResult(bc->pg);

        if (res == NULL) {
            continue;
        }

        status = PQresultStatus(res);

        if (status == PGRES_PIPELINE_SYNC) {

            if (--bc->syncs[bc->head] == 0) {
                bc->head = (bc->head + 1) % BENCH_TASKS;
                bc->in_flight--;
                done++;
            }

        } else if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
            bench_die("statement", PQresultErrorMessage(res));
        }

        PQclear(res);
    }

    return done;
}


static unsigned
bench_run(const char *conninfo, unsigned n, unsigned depth, double seconds)
{
    int                  pending;
    double               end;
    unsigned             i, done;
    struct pollfd        fds[BENCH_CONNECTIONS];
    bench_connection_t  *bc;

    static bench_connection_t  connections[BENCH_CONNECTIONS];

    for (i = 0; i < n; i++) {
        connections[i].pg = bench_connect(conninfo);
        fds[i].fd = PQsocket(connections[i].pg);
    }

    srandom((unsigned) getpid());

    done = 0;
    end = bench_now() + seconds;

    while (bench_now() < end) {

        for (i = 0; i < n; i++) {
            bc = &connections[i];

            while (bc->in_flight < depth) {
                bench_send(bc);
            }

            pending = PQflush(bc->pg);
            fds[i].events = (short) (POLLIN | (pending == 1 ? POLLOUT : 0));
        }

        if (poll(fds, n, 1000) <= 0) {
            continue;
        }

        for (i = 0; i < n; i++) {
            if (fds[i].revents != 0) {
                done += bench_receive(&connections[i]);
            }
        }
    }

    for (i = 0; i < n; i++) {
        PQfinish(connections[i].pg);
    }

    return done;
}


int
main(int argc, char **argv)
{
    int       fds[2], status;
    pid_t     pid;
    double    seconds;
    unsigned  i, processes, connections, depth, done, total;

    if (argc != 7) {
        bench_die("usage", "CONNINFO PROCESSES CONNECTIONS DEPTH SECONDS "
                  "FILE");
    }

    processes = (unsigned) atoi(argv[2]);
    connections = (unsigned) atoi(argv[3]);
    depth = (unsigned) atoi(argv[4]);
    seconds = atof(argv[5]);

    if (processes == 0 || connections == 0 || depth == 0
        || connections > BENCH_CONNECTIONS || depth > BENCH_TASKS
        || seconds <= 0)
    {
        bench_die("usage", "a number is out of range");
    }

    bench_read(argv[6]);

    if (pipe(fds) != 0) {
        bench_die("pipe", "cannot be made");
    }

    for (i = 0; i < processes; i++) {
        pid = fork();

        if (pid == 0) {
            done = bench_run(argv[1], connections, depth, seconds);
            _exit(write(fds[1], &done, sizeof(done)) != sizeof(done));
        }

        if (pid == -1) {
            bench_die("fork", "failed");
        }
    }

    close(fds[1]);

    for (total = 0; read(fds[0], &done, sizeof(done)) == sizeof(done); ) {
        total += done;
    }

    while (wait(&status) > 0) {
        if (status != 0) {
            return 1;
        }
    }

    printf("%.1f\n", total / seconds);

    return 0;
}
