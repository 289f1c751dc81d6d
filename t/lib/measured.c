/*
 * measured FILE SECONDS COMMAND [ARG...]: runs a command, and writes into FILE
 * how many seconds of processor time it took, with all that it started: also
 * servers that went into the background, which become children of this program
 * where their parent ends.  What others do for it, as a PostgreSQL that several
 * suites share, is not in it.  Ends as the command ended.
 *
 * A command that takes longer than SECONDS hangs: what it and its servers are,
 * and what they wait for, goes to standard error.  It is asked to end (SIGTERM)
 * then, and ten seconds later all that is left is killed; it ends with 124.
 */

#define _GNU_SOURCE

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>


#define GRACE   10          /* s */
#define DESPAIR 20          /* s: somebody else's, or one that never wakes */
#define HUNG    124
#define FAMILY  1024        /* how many of its processes are known, at most */


static volatile sig_atomic_t  late;


static void
is_late(int signal)
{
    (void) signal;
    late = 1;
}


static double
seconds(const struct timeval *time)
{
    return (double) time->tv_sec + (double) time->tv_usec / 1e6;
}


/* what stands in /proc/PID/NAME, on one line; empty where there is none */
static void
process_text(pid_t pid, const char *name, char *text, size_t size)
{
    char    path[64];
    FILE   *file;
    size_t  n, i;

    text[0] = '\0';
    (void) snprintf(path, sizeof(path), "/proc/%ld/%s", (long) pid, name);

    file = fopen(path, "r");

    if (file == NULL) {
        return;
    }

    n = fread(text, 1, size - 1, file);
    (void) fclose(file);

    for (i = 0; i < n; i++) {
        text[i] = isprint((unsigned char) text[i]) ? text[i] : ' ';
    }

    text[n] = '\0';
}


/* 0 where there is no such process */
static pid_t
parent_of(pid_t pid, char *state)
{
    char   text[512];
    long   parent;
    char  *rest;

    process_text(pid, "stat", text, sizeof(text));
    rest = strrchr(text, ')');

    if (rest == NULL || sscanf(rest + 1, " %c %ld", state, &parent) != 2) {
        return 0;
    }

    return (pid_t) parent;
}


/* all that descends from this program; how many there are */
static size_t
family(pid_t *member)
{
    DIR            *proc;
    char            state;
    pid_t           pid, up, self;
    size_t          n;
    struct dirent  *entry;

    proc = opendir("/proc");

    if (proc == NULL) {
        return 0;
    }

    self = getpid();
    n = 0;

    while (n < FAMILY && (entry = readdir(proc)) != NULL) {
        pid = (pid_t) strtol(entry->d_name, NULL, 10);

        for (up = pid; up > 1 && up != self; up = parent_of(up, &state)) {
            /* void */
        }

        if (up == self && pid != self) {
            member[n++] = pid;
        }
    }

    (void) closedir(proc);

    return n;
}


static void
tell(const pid_t *member, size_t n, const char *name, const char *limit)
{
    char    state, command[120], channel[64];
    size_t  i;

    fprintf(stderr, "# %s: not ended after %s s; there are:\n", name, limit);

    for (i = 0; i < n; i++) {
        state = '?';
        (void) parent_of(member[i], &state);
        process_text(member[i], "cmdline", command, sizeof(command));
        process_text(member[i], "wchan", channel, sizeof(channel));

        fprintf(stderr, "#   %ld %c %s: %s\n", (long) member[i], state, channel,
                command);
    }
}


static void
signal_each(const pid_t *member, size_t n, int signal)
{
    size_t  i;

    for (i = 0; i < n; i++) {
        (void) kill(member[i], signal);
    }
}


/*
 * Waits until the command has ended, and where it did not in time, all of its
 * servers, too; its status, or -1 where that is lost.
 */
static int
ended_as(pid_t command, char **argv, const char *name)
{
    int               status, over;
    pid_t             ended, member[FAMILY];
    size_t            n;
    struct itimerval  timer;

    over = 0;                /* s that it has hung */

    /* each second from then on, as a signal may come before the wait */

    memset(&timer, 0, sizeof(timer));
    timer.it_value.tv_sec = (time_t) strtoul(argv[2], NULL, 10);
    timer.it_interval.tv_sec = 1;
    (void) setitimer(ITIMER_REAL, &timer, NULL);

    while (over < DESPAIR) {
        ended = waitpid(-1, &status, 0);

        if (ended == command && over == 0) {
            return status;
        }

        /* what is left holds the output, and who reads that would wait */
        if (ended == -1 && errno == ECHILD && over != 0) {
            break;
        }

        if (ended == -1 && errno != EINTR) {
            return -1;
        }

        if (!late) {
            continue;
        }

        late = 0;
        n = family(member);

        if (over++ == 0) {
            tell(member, n, name, argv[2]);
            signal_each(member, n, SIGCONT);
            (void) kill(command, SIGTERM);

        } else if (over > GRACE) {
            signal_each(member, n, SIGKILL);
        }
    }

    return HUNG << 8;
}


int
main(int argc, char **argv)
{
    int               status;
    FILE             *file;
    pid_t             command;
    struct rusage     used;
    struct sigaction  action;

    if (argc < 4) {
        fprintf(stderr, "usage: measured FILE SECONDS COMMAND [ARG...]\n");
        return 2;
    }

    (void) prctl(PR_SET_CHILD_SUBREAPER, 1);

    /* waitpid() is to be interrupted */
    memset(&action, 0, sizeof(action));
    action.sa_handler = is_late;
    (void) sigaction(SIGALRM, &action, NULL);

    command = fork();

    if (command == -1) {
        perror("fork");
        return 127;
    }

    if (command == 0) {
        (void) execvp(argv[3], argv + 3);
        perror(argv[3]);
        _exit(127);
    }

    status = ended_as(command, argv, argv[argc - 1]);
    (void) signal(SIGALRM, SIG_IGN);

    if (status == -1) {
        return 127;
    }

    /* what was left and has ended meanwhile */
    while (waitpid(-1, NULL, WNOHANG) > 0) { /* void */ }

    file = fopen(argv[1], "w");

    if (file != NULL) {
        (void) getrusage(RUSAGE_CHILDREN, &used);
        fprintf(file, "%.2f\n",
                seconds(&used.ru_utime) + seconds(&used.ru_stime));
        (void) fclose(file);
    }

    if (WIFSIGNALED(status)) {
        (void) signal(WTERMSIG(status), SIG_DFL);
        (void) kill(getpid(), WTERMSIG(status));
    }

    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
