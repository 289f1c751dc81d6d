/*
 * Passwords: verified and made in nginx's thread pool.
 *
 *   create ── run ──► queue ──► a thread ──► done
 *                       │ full, late, too many wrong ones
 *                       └───────────────────► done, run says BUSY
 *
 * At most two at once a worker, as each takes a core and 19 MiB; two queues in
 * front of them, with a time limit: whoever is known at their address comes
 * before all others, however many these are, but for every fourth turn.  One
 * account has a few places of a queue, so that nobody fills it alone.  What is
 * counted for guessing is looked at when a task comes to the front: at that
 * moment all that came before is known, or is waited for.
 *
 * A task owns all that its thread sees.  Whoever wants to know how it ended
 * may leave at any time; the thread then ends for itself, and a wrong guess
 * is counted all the same.
 */

#ifndef NGX_HTTP_PROMPT_PASSWORDS_H
#define NGX_HTTP_PROMPT_PASSWORDS_H

#include "io/ngx_http_prompt_timer.h"
#include "prompt/password.h"
#include "service/people/guessing.h"


#define NGX_HTTP_PROMPT_PASSWORDS_RUNNING  2
#define NGX_HTTP_PROMPT_PASSWORDS_QUEUE    128       /* of each */
#define NGX_HTTP_PROMPT_PASSWORDS_ACCOUNT  4         /* places in it */
#define NGX_HTTP_PROMPT_PASSWORDS_THERE    2         /* from an address */
#define NGX_HTTP_PROMPT_PASSWORDS_LIMIT    10000     /* ms, from run on */


typedef enum {
    NGX_HTTP_PROMPT_PASSWORD_RIGHT = 0,
    NGX_HTTP_PROMPT_PASSWORD_WRONG,
    NGX_HTTP_PROMPT_PASSWORD_LIMITED,    /* wait says for how long */
    NGX_HTTP_PROMPT_PASSWORD_LATE,       /* it took too long */
    NGX_HTTP_PROMPT_PASSWORD_FAILED      /* memory, or what is stored */
} ngx_http_prompt_password_e;


typedef struct ngx_http_prompt_passwords_s  ngx_http_prompt_passwords_t;
typedef struct ngx_http_prompt_password_s   ngx_http_prompt_password_t;

/*
 * Told once, from the event loop, unless detached; the task is gone when it
 * returns.  Who writes to a request runs posted requests last.
 */
typedef void (*ngx_http_prompt_password_pt)(void *data,
    ngx_http_prompt_password_t *task, ngx_http_prompt_password_e how);


/* A task.  Those above the line are for its owner to see. */
struct ngx_http_prompt_password_s {
    char                              made[PROMPT_PASSWORD_TEXT];
                                                 /* to be stored; empty:
                                                    nothing is */
    uint32_t                          wait;      /* s; LIMITED */

    ngx_http_prompt_passwords_t      *passwords;
    ngx_http_prompt_guess_t           guess;
    char                              given[PROMPT_PASSWORD_MAX];
    size_t                            given_len;
    char                              stored[PROMPT_PASSWORD_TEXT];
    size_t                            stored_len;    /* 0: none */
    char                              wanted[PROMPT_PASSWORD_MAX];
    size_t                            wanted_len;    /* 0: none */
    ngx_uint_t                        surely_wrong;
    ngx_uint_t                        only_made;
    uint8_t                           salt[PROMPT_PASSWORD_SALT];
    prompt_password_e                 found;
    ngx_http_prompt_password_pt       done;      /* NULL: nobody waits */
    void                             *data;
    ngx_http_prompt_timer_t           timer;
    ngx_queue_t                       queue;
    void                             *thread;    /* NULL: in the queue */
};


/*
 * For init_process.  threads: the pool (ngx_thread_pool_t); zone: the
 * guesses.  NULL: memory.
 */
ngx_http_prompt_passwords_t *ngx_http_prompt_passwords_create(
    ngx_cycle_t *cycle, void *threads, ngx_shm_zone_t *zone);

/* For exit_process, after nginx has ended its threads.  NULL is allowed. */
void ngx_http_prompt_passwords_destroy(ngx_http_prompt_passwords_t *passwords);

/*
 * A task with copies: the password that was given, and a sound one to be
 * stored in its place (absent: the same, where what is stored is old).  One
 * that is longer than any is wrong, and takes as long.  NULL: memory.
 */
ngx_http_prompt_password_t *ngx_http_prompt_password_create(
    ngx_http_prompt_passwords_t *passwords, prompt_str_t given,
    prompt_str_t wanted);

/* A task that only makes a sound one to be stored.  NULL: memory. */
ngx_http_prompt_password_t *ngx_http_prompt_password_new(
    ngx_http_prompt_passwords_t *passwords, prompt_str_t wanted);

/* The same password once more, of a task that was told; NULL: memory. */
ngx_http_prompt_password_t *ngx_http_prompt_password_again(
    const ngx_http_prompt_password_t *task);

/* One that was not sent. */
void ngx_http_prompt_password_free(ngx_http_prompt_password_t *task);

/*
 * Compares it with what is stored (absent: nothing is).  Of the queue or of
 * nobody from then on.  NGX_BUSY: the queue is full, or the account has no more
 * places in it; done is not called, the task is gone.
 */
ngx_int_t ngx_http_prompt_password_run(ngx_http_prompt_password_t *task,
    prompt_str_t stored, const ngx_http_prompt_guess_t *guess,
    ngx_http_prompt_password_pt done, void *data);

/* Whether run would be BUSY for somebody who is not known. */
ngx_uint_t ngx_http_prompt_passwords_full(
    const ngx_http_prompt_passwords_t *passwords);

/* The owner goes away: done is not called. */
void ngx_http_prompt_password_detach(ngx_http_prompt_password_t *task);

#endif /* NGX_HTTP_PROMPT_PASSWORDS_H */
