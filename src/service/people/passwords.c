/*
 * Passwords: a queue, and what runs in threads.
 */

#include "service/people/passwords.h"

#include "base/random.h"
#include "io/ngx_http_prompt_ratelog.h"


/* until those are looked at again that wait for another worker's */
#define NGX_HTTP_PROMPT_PASSWORDS_PAUSE  20          /* ms */

/* known ones in turn while others wait */
#define NGX_HTTP_PROMPT_PASSWORDS_TURN   3


struct ngx_http_prompt_passwords_s {
    void                     *threads;
    ngx_shm_zone_t           *zone;
    ngx_log_t                *log;
    ngx_queue_t               waiting[2];        /* known ones in the second */
    ngx_queue_t               running;
    ngx_uint_t                nwaiting[2];
    ngx_uint_t                nrunning;
    ngx_uint_t                turn;              /* known ones in turn */
    ngx_http_prompt_timer_t   timer;
};


static ngx_uint_t ngx_http_prompt_passwords_crowded(
    ngx_http_prompt_passwords_t *passwords,
    const ngx_http_prompt_guess_t *guess);
static void ngx_http_prompt_passwords_next(ngx_event_t *ev);
static ngx_uint_t ngx_http_prompt_passwords_start(
    ngx_http_prompt_passwords_t *passwords, ngx_uint_t known);
static ngx_uint_t ngx_http_prompt_password_start(
    ngx_http_prompt_password_t *task);
static void ngx_http_prompt_password_late(ngx_event_t *ev);
static void ngx_http_prompt_password_tell(ngx_http_prompt_password_t *task,
    ngx_http_prompt_password_e how);
static void ngx_http_prompt_password_leave(ngx_http_prompt_password_t *task);
static size_t ngx_http_prompt_password_copy(char *out, prompt_str_t text);

#if (NGX_THREADS)
static void ngx_http_prompt_password_thread(void *data, ngx_log_t *log);
static void ngx_http_prompt_password_ended(ngx_event_t *ev);
#endif


ngx_http_prompt_passwords_t *
ngx_http_prompt_passwords_create(ngx_cycle_t *cycle, void *threads,
    ngx_shm_zone_t *zone)
{
    ngx_http_prompt_passwords_t  *passwords;

    passwords = ngx_pcalloc(cycle->pool, sizeof(ngx_http_prompt_passwords_t));
    if (passwords == NULL) {
        return NULL;
    }

    passwords->threads = threads;
    passwords->zone = zone;
    passwords->log = cycle->log;

    ngx_queue_init(&passwords->waiting[0]);
    ngx_queue_init(&passwords->waiting[1]);
    ngx_queue_init(&passwords->running);

    ngx_http_prompt_timer_init(&passwords->timer,
                               ngx_http_prompt_passwords_next, passwords,
                               cycle->log);

    return passwords;
}


void
ngx_http_prompt_passwords_destroy(ngx_http_prompt_passwords_t *passwords)
{
    ngx_uint_t                   i;
    ngx_queue_t                 *queue;
    ngx_http_prompt_password_t  *task;

    if (passwords == NULL) {
        return;
    }

    ngx_http_prompt_timer_stop(&passwords->timer);

    for (i = 0; i < 3; i++) {
        queue = i < 2 ? &passwords->waiting[i] : &passwords->running;

        while (!ngx_queue_empty(queue)) {
            task = ngx_queue_data(ngx_queue_head(queue),
                                  ngx_http_prompt_password_t, queue);

            ngx_http_prompt_password_leave(task);
            ngx_http_prompt_password_free(task);
        }
    }
}


ngx_http_prompt_password_t *
ngx_http_prompt_password_create(ngx_http_prompt_passwords_t *passwords,
    prompt_str_t given, prompt_str_t wanted)
{
    ngx_http_prompt_password_t  *task;

    task = ngx_calloc(sizeof(ngx_http_prompt_password_t), passwords->log);
    if (task == NULL) {
        return NULL;
    }

    task->passwords = passwords;

    if (given.len > sizeof(task->given)) {
        given.len = sizeof(task->given);
        task->surely_wrong = 1;
    }

    if (wanted.len > sizeof(task->wanted)
        || !prompt_random(task->salt, sizeof(task->salt)))
    {
        ngx_free(task);
        return NULL;
    }

    task->given_len = ngx_http_prompt_password_copy(task->given, given);
    task->wanted_len = ngx_http_prompt_password_copy(task->wanted, wanted);

    ngx_http_prompt_timer_init(&task->timer, ngx_http_prompt_password_late,
                               task, passwords->log);

    return task;
}


ngx_http_prompt_password_t *
ngx_http_prompt_password_new(ngx_http_prompt_passwords_t *passwords,
    prompt_str_t wanted)
{
    ngx_http_prompt_password_t  *task;

    task = ngx_http_prompt_password_create(passwords, prompt_str_absent,
                                           wanted);
    if (task != NULL) {
        task->only_made = 1;
    }

    return task;
}


ngx_http_prompt_password_t *
ngx_http_prompt_password_again(const ngx_http_prompt_password_t *task)
{
    return ngx_http_prompt_password_create(task->passwords,
                                           prompt_str_of(task->given,
                                                         task->given_len),
                                           prompt_str_absent);
}


static size_t
ngx_http_prompt_password_copy(char *out, prompt_str_t text)
{
    if (text.len != 0) {
        ngx_memcpy(out, text.data, text.len);
    }

    return text.len;
}


ngx_int_t
ngx_http_prompt_password_run(ngx_http_prompt_password_t *task,
    prompt_str_t stored, const ngx_http_prompt_guess_t *guess,
    ngx_http_prompt_password_pt done, void *data)
{
    ngx_http_prompt_passwords_t  *passwords;

    passwords = task->passwords;

    if (ngx_http_prompt_passwords_crowded(passwords, guess)) {
        ngx_http_prompt_password_free(task);
        return NGX_BUSY;
    }

    /* what is longer than any is stored by nobody, and so is its beginning */

    if (!task->surely_wrong) {
        stored.len = ngx_min(stored.len, sizeof(task->stored));
        task->stored_len = ngx_http_prompt_password_copy(task->stored, stored);
    }

    task->guess = *guess;
    task->done = done;
    task->data = data;

    ngx_queue_insert_tail(&passwords->waiting[guess->known], &task->queue);
    passwords->nwaiting[guess->known]++;

    ngx_add_timer(&task->timer.event, NGX_HTTP_PROMPT_PASSWORDS_LIMIT);

    /* from the event loop: nobody is told from inside this call */

    ngx_http_prompt_timer_stop(&passwords->timer);
    ngx_add_timer(&passwords->timer.event, 0);

    return NGX_OK;
}


/*
 * Right passwords are never counted as guesses: without a share for each,
 * whoever has an account could fill the queue with it.
 */
static ngx_uint_t
ngx_http_prompt_passwords_crowded(ngx_http_prompt_passwords_t *passwords,
    const ngx_http_prompt_guess_t *guess)
{
    ngx_uint_t                   account, there;
    ngx_queue_t                 *q, *waiting;
    ngx_http_prompt_password_t  *task;

    waiting = &passwords->waiting[guess->known];
    account = 0;
    there = 0;

    for (q = ngx_queue_head(waiting);
         q != ngx_queue_sentinel(waiting);
         q = ngx_queue_next(q))
    {
        task = ngx_queue_data(q, ngx_http_prompt_password_t, queue);

        account += ngx_memcmp(task->guess.keys[NGX_HTTP_PROMPT_GUESSES_ACCOUNT],
                              guess->keys[NGX_HTTP_PROMPT_GUESSES_ACCOUNT],
                              PROMPT_GUESSES_KEY) == 0;
        there += ngx_memcmp(task->guess.keys[NGX_HTTP_PROMPT_GUESSES_KNOWN],
                            guess->keys[NGX_HTTP_PROMPT_GUESSES_KNOWN],
                            PROMPT_GUESSES_KEY) == 0;
    }

    return account >= NGX_HTTP_PROMPT_PASSWORDS_ACCOUNT
           || there >= NGX_HTTP_PROMPT_PASSWORDS_THERE
           || passwords->nwaiting[guess->known]
              >= NGX_HTTP_PROMPT_PASSWORDS_QUEUE;
}


void
ngx_http_prompt_password_detach(ngx_http_prompt_password_t *task)
{
    task->done = NULL;
    task->data = NULL;

    if (task->thread == NULL) {
        ngx_http_prompt_password_leave(task);
        ngx_http_prompt_password_free(task);
    }
}


ngx_uint_t
ngx_http_prompt_passwords_full(const ngx_http_prompt_passwords_t *passwords)
{
    return passwords->nwaiting[0] >= NGX_HTTP_PROMPT_PASSWORDS_QUEUE;
}


static void
ngx_http_prompt_passwords_next(ngx_event_t *ev)
{
    ngx_uint_t                    known;
    ngx_http_prompt_passwords_t  *passwords;

    passwords = ngx_http_prompt_timer_owner(ev);

    do {
        known = passwords->turn < NGX_HTTP_PROMPT_PASSWORDS_TURN;

    } while (ngx_http_prompt_passwords_start(passwords, known)
             || ngx_http_prompt_passwords_start(passwords, !known));

    /* what could not start here waits for another worker's */

    if (passwords->nrunning < NGX_HTTP_PROMPT_PASSWORDS_RUNNING
        && passwords->nwaiting[0] + passwords->nwaiting[1] != 0
        && !passwords->timer.event.timer_set)
    {
        ngx_add_timer(&passwords->timer.event,
                      NGX_HTTP_PROMPT_PASSWORDS_PAUSE);
    }
}


/* Starts the first that may start, and says whether there was one. */
static ngx_uint_t
ngx_http_prompt_passwords_start(ngx_http_prompt_passwords_t *passwords,
    ngx_uint_t known)
{
    uint32_t                     wait;
    ngx_queue_t                 *q, *next, *waiting;
    prompt_guesses_e             may;
    ngx_http_prompt_password_t  *task;

    waiting = &passwords->waiting[known];
    q = ngx_queue_head(waiting);

    while (q != ngx_queue_sentinel(waiting)
           && passwords->nrunning < NGX_HTTP_PROMPT_PASSWORDS_RUNNING)
    {
        next = ngx_queue_next(q);
        task = ngx_queue_data(q, ngx_http_prompt_password_t, queue);

        may = ngx_http_prompt_guessing_begin(passwords->zone, &task->guess,
                                             &wait);

        if (may == PROMPT_GUESSES_FREE) {

            if (ngx_http_prompt_password_start(task)) {
                passwords->turn = known ? passwords->turn + 1 : 0;
                return 1;
            }

            ngx_http_prompt_guessing_end(passwords->zone, &task->guess, 0);
            ngx_http_prompt_password_tell(task,
                                          NGX_HTTP_PROMPT_PASSWORD_FAILED);

            /* who is told may have taken others out of the queue */

            next = ngx_queue_head(waiting);

        } else if (may == PROMPT_GUESSES_FULL) {
            task->wait = wait;
            ngx_http_prompt_password_tell(task,
                                          NGX_HTTP_PROMPT_PASSWORD_LIMITED);

            next = ngx_queue_head(waiting);
        }

        q = next;
    }

    return 0;
}


static ngx_uint_t
ngx_http_prompt_password_start(ngx_http_prompt_password_t *task)
{
#if (NGX_THREADS)
    ngx_thread_task_t            *thread;
    ngx_http_prompt_passwords_t  *passwords;

    passwords = task->passwords;

    thread = ngx_calloc(sizeof(ngx_thread_task_t), passwords->log);
    if (thread == NULL) {
        return 0;
    }

    thread->ctx = task;
    thread->handler = ngx_http_prompt_password_thread;
    thread->event.data = task;
    thread->event.handler = ngx_http_prompt_password_ended;
    thread->event.log = passwords->log;

    if (ngx_thread_task_post(passwords->threads, thread) != NGX_OK) {
        ngx_free(thread);
        return 0;
    }

    ngx_queue_remove(&task->queue);
    passwords->nwaiting[task->guess.known]--;

    ngx_queue_insert_tail(&passwords->running, &task->queue);
    passwords->nrunning++;

    task->thread = thread;

    return 1;
#else
    return 0;
#endif
}


#if (NGX_THREADS)


/* In a thread: looks at nothing but the task's own, and logs nothing. */
static void
ngx_http_prompt_password_thread(void *data, ngx_log_t *log)
{
    ngx_http_prompt_password_t  *task = data;

    prompt_str_t  given, stored, wanted;

    given = prompt_str_of(task->given, task->given_len);
    stored = task->stored_len != 0
             ? prompt_str_of(task->stored, task->stored_len)
             : prompt_str_absent;

    task->found = task->only_made ? PROMPT_PASSWORD_RIGHT
                                  : prompt_password_verify(given, stored);

    if (task->found != PROMPT_PASSWORD_RIGHT) {
        return;
    }

    if (task->wanted_len != 0) {
        wanted = prompt_str_of(task->wanted, task->wanted_len);

    } else if (prompt_password_is_old(stored)) {
        wanted = given;

    } else {
        return;
    }

    if (!prompt_password_hash(wanted, task->salt, task->made)) {
        task->found = PROMPT_PASSWORD_NOMEM;
    }
}


/*
 * A thread is done.  What is stored and unreadable counts as wrong: it must
 * not be a way to ask without end.
 */
static void
ngx_http_prompt_password_ended(ngx_event_t *ev)
{
    ngx_http_prompt_password_t   *task;
    ngx_http_prompt_password_e    how;
    ngx_http_prompt_passwords_t  *passwords;

    task = ev->data;
    passwords = task->passwords;

    ngx_http_prompt_guessing_end(passwords->zone, &task->guess,
                                 task->found == PROMPT_PASSWORD_WRONG
                                 || task->found == PROMPT_PASSWORD_UNREADABLE);

    switch (task->found) {

    case PROMPT_PASSWORD_RIGHT:
        how = NGX_HTTP_PROMPT_PASSWORD_RIGHT;
        break;

    case PROMPT_PASSWORD_WRONG:
        how = NGX_HTTP_PROMPT_PASSWORD_WRONG;
        break;

    case PROMPT_PASSWORD_UNREADABLE:
        ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_STORED,
                                prompt_str_absent, passwords->log,
                                "prompt: the password of an account is stored "
                                "in a form that cannot be read: \"promptctl "
                                "user password\" sets another one");
        how = NGX_HTTP_PROMPT_PASSWORD_WRONG;
        break;

    default:
        ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_MEMORY,
                                prompt_str_absent, passwords->log,
                                "prompt: a password could not be verified: "
                                "memory is short");
        how = NGX_HTTP_PROMPT_PASSWORD_FAILED;
        break;
    }

    ngx_http_prompt_password_tell(task, how);

    if (passwords->nwaiting[0] + passwords->nwaiting[1] != 0) {
        ngx_http_prompt_timer_stop(&passwords->timer);
        ngx_add_timer(&passwords->timer.event, 0);
    }
}

#endif


/* A thread cannot be stopped: it ends for itself. */
static void
ngx_http_prompt_password_late(ngx_event_t *ev)
{
    void                         *data;
    ngx_http_prompt_password_t   *task;
    ngx_http_prompt_password_pt   done;

    task = ngx_http_prompt_timer_owner(ev);

    if (task->thread == NULL) {
        ngx_http_prompt_password_tell(task, NGX_HTTP_PROMPT_PASSWORD_LATE);
        return;
    }

    done = task->done;
    data = task->data;

    task->done = NULL;
    task->data = NULL;

    if (done != NULL) {
        done(data, task, NGX_HTTP_PROMPT_PASSWORD_LATE);
    }
}


static void
ngx_http_prompt_password_tell(ngx_http_prompt_password_t *task,
    ngx_http_prompt_password_e how)
{
    ngx_http_prompt_password_leave(task);

    if (task->done != NULL) {
        task->done(task->data, task, how);
    }

    ngx_http_prompt_password_free(task);
}


static void
ngx_http_prompt_password_leave(ngx_http_prompt_password_t *task)
{
    ngx_queue_remove(&task->queue);

    if (task->thread != NULL) {
        task->passwords->nrunning--;
    } else {
        task->passwords->nwaiting[task->guess.known]--;
    }

    ngx_http_prompt_timer_stop(&task->timer);
}


void
ngx_http_prompt_password_free(ngx_http_prompt_password_t *task)
{
    if (task->thread != NULL) {
        ngx_free(task->thread);
    }

    explicit_bzero(task, sizeof(ngx_http_prompt_password_t));
    ngx_free(task);
}
