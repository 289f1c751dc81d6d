/*
 * measured FILE COMMAND [ARG...]: runs a command, and writes into FILE how many
 * seconds of processor time it took, with all that it started: also servers
 * that went into the background, which become children of this program where
 * their parent ends.  What others do for it, as a PostgreSQL that several
 * suites share, is not in it.  Ends as the command ended.
 */

#define _GNU_SOURCE

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>


static double
seconds(const struct timeval *time)
{
    return (double) time->tv_sec + (double) time->tv_usec / 1e6;
}


int
main(int argc, char **argv)
{
    int            status;
    FILE          *file;
    pid_t          command, ended;
    struct rusage  used;

    if (argc < 3) {
        fprintf(stderr, "usage: measured FILE COMMAND [ARG...]\n");
        return 2;
    }

    (void) prctl(PR_SET_CHILD_SUBREAPER, 1);

    command = fork();

    if (command == -1) {
        perror("fork");
        return 127;
    }

    if (command == 0) {
        (void) execvp(argv[2], argv + 2);
        perror(argv[2]);
        _exit(127);
    }

    do {
        ended = waitpid(-1, &status, 0);
    } while (ended != command && (ended != -1 || errno == EINTR));

    if (ended == -1) {
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
