/*
 * promptctl: the operator's command.  The way from the command line to what
 * it does.
 */

#include <getopt.h>
#include <signal.h>
#include <stdio.h>

#include "base/version.h"
#include "ctl/commands.h"

/* options of a command and of all of them */
#define CTL_OPTIONS  32

/* what getopt_long() says: a word, and the options from this number on */
#define CTL_WORD     1
#define CTL_OPTION   256


typedef struct {
    const ctl_option_t  *table[CTL_OPTIONS];
    struct option        names[CTL_OPTIONS + 1];
    char                 letters[2 * CTL_OPTIONS + 3];
} ctl_options_t;


/* where the arguments go while they are read */
typedef struct {
    ctl_t          *ctl;
    int             argc;
    char          **argv;
    const char    **words;                   /* arguments, commands first */
    size_t          nwords;
    bool            help;
    bool            version;
} ctl_line_t;


static void ctl_read_line(ctl_line_t *line);
static void ctl_no_command(const ctl_line_t *line);
static void ctl_read_words(ctl_line_t *line, bool ahead);
static void ctl_options_of(ctl_options_t *options,
    const ctl_command_t *command);
static void ctl_take_option(ctl_line_t *line, const ctl_options_t *options,
    int rc);
static void ctl_wrong_option(const ctl_line_t *line, int rc)
    __attribute__((noreturn));


int
main(int argc, char **argv)
{
    ctl_t       ctl;
    ctl_line_t  line;

    memset(&ctl, 0, sizeof(ctl_t));
    memset(&line, 0, sizeof(ctl_line_t));

    /* a peer that goes away is an error of a write, not the end */

    (void) signal(SIGPIPE, SIG_IGN);

    ctl.arena = prompt_arena_create(CTL_MEMORY);
    if (ctl.arena == NULL) {
        ctl_no_memory();
    }

    line.ctl = &ctl;
    line.argc = argc;
    line.argv = argv;

    ctl_read_line(&line);

    if (line.version) {
        (void) puts("promptctl " PROMPT_VERSION);

    } else if (line.help) {
        ctl_help(&ctl);

    } else {
        ctl_end(ctl.command->run(&ctl));
    }

    ctl_end(CTL_OK);
}


static void
ctl_read_line(ctl_line_t *line)
{
    size_t  taken;
    ctl_t  *ctl;

    ctl = line->ctl;
    taken = 0;

    line->words = prompt_arena_array(ctl->arena, (size_t) line->argc + 1,
                                     sizeof(char *));
    ctl->given = prompt_arena_array(ctl->arena, (size_t) line->argc + 1,
                                    sizeof(ctl_given_t));

    if (line->words == NULL || ctl->given == NULL) {
        ctl_no_memory();
    }

    /* the command decides which options there are: find it first */

    ctl_read_words(line, true);
    ctl->command = ctl_find_command(line->words, line->nwords, &taken);

    ctl_read_words(line, false);

    if (line->version
        || (line->help && (ctl->command != NULL || line->nwords == 0)))
    {
        return;
    }

    if (ctl->command == NULL) {
        ctl_no_command(line);
        return;
    }

    ctl->arguments = line->words + taken;
    ctl->narguments = line->nwords - taken;

    ctl_check_arguments(ctl);
}


/* It returns where help is all that was asked for. */
static void
ctl_no_command(const ctl_line_t *line)
{
    if (line->nwords == 0) {
        ctl_wrong(NULL, "no command");
    }

    if (!ctl_is_group(line->words[0])) {
        ctl_wrong(NULL, "unknown command \"%s\"", line->words[0]);
    }

    if (line->help) {
        return;
    }

    if (line->nwords == 1) {
        ctl_wrong(NULL, "\"%s\" is half a command, such as \"%s list\"",
                  line->words[0], line->words[0]);
    }

    ctl_wrong(NULL, "unknown command \"%s %s\"", line->words[0],
              line->words[1]);
}


/*
 * Tells words from options, and takes these; ahead: only words, without the
 * options and values that are common to all commands.
 */
static void
ctl_read_words(ctl_line_t *line, bool ahead)
{
    int            rc;
    ctl_options_t  options;

    ctl_options_of(&options, line->ctl->command);

    line->nwords = 0;
    optind = 0;
    opterr = 0;

    do {
        rc = getopt_long(line->argc, line->argv, options.letters,
                         options.names, NULL);

        if (rc == CTL_WORD) {
            line->words[line->nwords++] = optarg;

        } else if (rc != -1 && !ahead) {
            ctl_take_option(line, &options, rc);
        }

    } while (rc != -1);

    while (optind < line->argc) {
        line->words[line->nwords++] = line->argv[optind++];
    }
}


/*
 * As getopt_long() wants them.  Of two of one name it takes the first: a
 * command may have an option of its own in place of a common one.
 */
static void
ctl_options_of(ctl_options_t *options, const ctl_command_t *command)
{
    char                *letter;
    size_t               i, n;
    struct option       *name;
    const ctl_option_t  *option;
    const ctl_option_t  *tables[2];

    memset(options, 0, sizeof(ctl_options_t));

    tables[0] = command != NULL ? command->options : NULL;
    tables[1] = ctl_common_options;

    letter = options->letters;
    *letter++ = '-';                 /* words come in their place */
    *letter++ = ':';                 /* a value that is missing is told apart */

    for (i = 0, n = 0; i < 2; i++) {

        for (option = tables[i];
             option != NULL && option->name != NULL && n < CTL_OPTIONS;
             option++, n++)
        {
            options->table[n] = option;

            name = &options->names[n];
            name->name = option->name;
            name->has_arg = option->value != NULL;
            name->val = CTL_OPTION + (int) n;

            if (ctl_option_letter(option) != '\0') {
                *letter++ = ctl_option_letter(option);
                *letter = ':';
                letter += option->value != NULL;
            }
        }
    }

    *letter = '\0';
}


/* rc: what getopt_long() says */
static void
ctl_take_option(ctl_line_t *line, const ctl_options_t *options, int rc)
{
    size_t               n;
    ctl_t               *ctl;
    ctl_given_t         *given;
    const ctl_option_t  *option;

    ctl = line->ctl;
    option = NULL;

    for (n = 0; n < CTL_OPTIONS && options->table[n] != NULL; n++) {

        if (rc == CTL_OPTION + (int) n
            || rc == ctl_option_letter(options->table[n]))
        {
            option = options->table[n];
            break;
        }
    }

    if (option == NULL) {
        ctl_wrong_option(line, rc);
    }

    given = &ctl->given[ctl->ngiven++];
    given->name = option->name;
    given->value = option->value != NULL ? optarg : "";

    /* others see a process's arguments: what was read there goes from there */

    if ((option->flags & CTL_SECRET) != 0) {
        given->value = ctl_copy(ctl, prompt_str_from(optarg)).data;
        memset(optarg, 'x', strlen(optarg));
    }

    line->help |= strcmp(option->name, "help") == 0;
    line->version |= strcmp(option->name, "version") == 0
                     && option->value == NULL;
    ctl->json |= strcmp(option->name, "json") == 0;
}


/* A value is not repeated: it may be a password. */
static void
ctl_wrong_option(const ctl_line_t *line, int rc)
{
    int          len;
    const char  *word;

    word = line->argv[optind - 1];
    len = (int) strcspn(word, "=");

    if (rc == ':') {
        ctl_wrong(line->ctl, "option %.*s needs a value", len, word);
    }

    if (optopt >= CTL_OPTION) {
        ctl_wrong(line->ctl, "option %.*s takes no value", len, word);
    }

    /* letters may stand together */

    if (optopt != 0) {
        ctl_wrong(line->ctl, "unknown option -%c", optopt);
    }

    ctl_wrong(line->ctl, "unknown option %.*s", len, word);
}
