/*
 * Allocations of nginx that fail when they are told to (LD_PRELOAD): of the
 * module, of nginx itself, of libpq and hiredis.
 *
 * FAILING_FILE names a file of numbers that the processes share with the test:
 * how many allocations are left until one fails (0: none fails), how many fail
 * in a row from there on, and how many did.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>


typedef struct {
    int  left;
    int  row;
    int  failed;
} failing_t;


extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);


static failing_t   failing_none;
static failing_t  *failing = &failing_none;


__attribute__((constructor)) static void
failing_init(void)
{
    int          fd;
    void        *shared;
    const char  *name;

    name = getenv("FAILING_FILE");
    fd = name != NULL ? open(name, O_RDWR) : -1;

    if (fd == -1) {
        return;
    }

    shared = mmap(NULL, sizeof(failing_t), PROT_READ|PROT_WRITE, MAP_SHARED,
                  fd, 0);

    if (shared != MAP_FAILED) {
        failing = shared;
    }

    (void) close(fd);
}


static int
failing_fails(void)
{
    if (failing->left == 0) {
        return 0;
    }

    if (failing->left > 1) {
        failing->left--;
        return 0;
    }

    if (++failing->failed >= failing->row) {
        failing->left = 0;
    }

    errno = ENOMEM;

    return 1;
}


void *
malloc(size_t size)
{
    return failing_fails() ? NULL : __libc_malloc(size);
}


void *
calloc(size_t n, size_t size)
{
    return failing_fails() ? NULL : __libc_calloc(n, size);
}


void *
realloc(void *p, size_t size)
{
    return failing_fails() ? NULL : __libc_realloc(p, size);
}


int
posix_memalign(void **p, size_t alignment, size_t size)
{
    if (failing_fails()) {
        return ENOMEM;
    }

    *p = __libc_memalign(alignment, size);

    return *p != NULL ? 0 : ENOMEM;
}
