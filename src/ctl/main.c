/*
 * promptctl: the operator's command.  The table of what it does, and the way
 * from the command line to it.
 */

#include <signal.h>
#include <stdio.h>

#include "ctl/ctl.h"


#ifndef PROMPT_VERSION
#define PROMPT_VERSION  "0.1.0"
#endif


/* where the arguments go while they are read */
typedef struct {
    ctl_t          *ctl;
    int             argc;
    char          **argv;
    int             at;
    const char    **words;                   /* arguments, commands first */
    size_t          nwords;
    bool            help;
    bool            version;
} ctl_line_t;


static int ctl_read_line(ctl_line_t *line);
static int ctl_read_words(ctl_line_t *line);
static int ctl_no_command(const ctl_line_t *line);
static int ctl_read_long(ctl_line_t *line, const char *text);
static int ctl_read_letter(ctl_line_t *line, const char *text);
static bool ctl_option_is_secret(const ctl_option_t *option);
static const char *ctl_take_secret(ctl_t *ctl, char *value);
static int ctl_take_option(ctl_line_t *line, const ctl_option_t *option,
    const char *value);
static const ctl_option_t *ctl_find_option(const ctl_command_t *command,
    const char *name, size_t len, char letter);
static const ctl_command_t *ctl_find_command(const char **words,
    size_t nwords, size_t *taken);
static size_t ctl_words_before_options(int argc, char **argv,
    const char **words);
static bool ctl_known_group(const char *word);
static void ctl_help(void);
static void ctl_command_help(const ctl_command_t *command);
static void ctl_options_help(const ctl_option_t *options);


static const ctl_option_t  ctl_common_options[] = {
    { '\0', "database", "CONNINFO",
      "connection string or URI of PostgreSQL (or PROMPT_DATABASE_URL)" },
    { '\0', "redis", "\"ADDRESS [db=N] [user=U] [password=P] [prefix=S]\"",
      "written as in the directive prompt_redis (or PROMPT_REDIS)" },
    { '\0', "url", "URL", "of the GraphQL endpoint (or PROMPT_URL)" },
    { '\0', "key", "KEY", "API key (PROMPT_API_KEY is safer)" },
    { '\0', "json", NULL, "results as JSON" },
    { 'h', "help", NULL, "show this help" },
    { '\0', "version", NULL, "show the version of promptctl" },
    { '\0', NULL, NULL, NULL }
};

/* a command may have a --version of its own */
static const ctl_option_t *const  ctl_version_option = &ctl_common_options[6];


static const ctl_option_t  ctl_migrate_options[] = {
    { '\0', "grant", "ROLE",
      "give this role what the service needs, and no more" },
    { '\0', NULL, NULL, NULL }
};

static const ctl_option_t  ctl_user_add_options[] = {
    { '\0', "name", "NAME", "what people call the user" },
    { '\0', NULL, NULL, NULL }
};

static const ctl_option_t  ctl_key_add_options[] = {
    { '\0', "name", "NAME", "what the key is for (required)" },
    { '\0', "scope", "SCOPE",
      "read, write, execute or keys; may be repeated; default: all" },
    { '\0', "expires", "WHEN", "2027-01-31T00:00:00Z, or 90d from now" },
    { '\0', NULL, NULL, NULL }
};

static const ctl_option_t  ctl_key_delete_options[] = {
    { '\0', "valid", "TIME",
      "the longest \"valid\" of prompt_key_cache in use (default: 60s)" },
    { '\0', NULL, NULL, NULL }
};


static const ctl_option_t  ctl_show_options[] = {
    { '\0', "last", "N", "how many versions, 1 to 999 (default: 10)" },
    { '\0', NULL, NULL, NULL }
};

static const ctl_option_t  ctl_run_options[] = {
    { 'i', "set", "NAME=TEXT",
      "a value of the input, as text; NAME:=JSON for other values" },
    { '\0', "input", "FILE",
      "a JSON object with values of the input (- for standard input)" },
    { '\0', "version", "N", "the version to run (default: the latest)" },
    { '\0', "label", "LABEL", "the label of the version to run" },
    { '\0', "idempotency-key", "KEY",
      "run it once with this key (default: a random one)" },
    { '\0', "stream", NULL, "print the output as it comes" },
    { '\0', NULL, NULL, NULL }
};

static const ctl_option_t  ctl_label_options[] = {
    { '\0', "remove", NULL, "remove the label" },
    { '\0', NULL, NULL, NULL }
};

static const ctl_option_t  ctl_export_options[] = {
    { '\0', "labels", NULL, "write labels, too" },
    { '\0', NULL, NULL, NULL }
};

static const ctl_option_t  ctl_executions_options[] = {
    { '\0', "status", "STATUS",
      "running, succeeded, failed, cancelled or lost; may be repeated" },
    { '\0', "since", "WHEN", "2027-01-31T00:00:00Z, or 7d before now" },
    { '\0', "first", "N", "how many (default: 50)" },
    { '\0', NULL, NULL, NULL }
};

static const ctl_option_t  ctl_prune_options[] = {
    { '\0', "older-than", "AGE", "executions: 90d, at least 1h" },
    { '\0', "statistics-older-than", "AGE", "sums: 730d, at least 1d" },
    { '\0', "dry-run", NULL, "say how many there are, and delete nothing" },
    { '\0', NULL, NULL, NULL }
};

static const ctl_option_t  ctl_restore_options[] = {
    { '\0', "new-identity", NULL,
      "make it another database than the one it is a copy of" },
    { '\0', NULL, NULL, NULL }
};


static const ctl_command_t  ctl_commands[] = {
    { "migrate", "[--grant ROLE]",
      "bring the database schema up to date",
      "Safe to run twice, and from two hosts at once.  Refuses a database\n"
      "that is newer than this promptctl.\n",
      ctl_migrate_options, 0, ctl_migrate },

    { "user add", "EMAIL [--name NAME]",
      "add a user, print the id", NULL,
      ctl_user_add_options, 1, ctl_user_add },

    { "user list", "", "list all users", NULL, NULL, 0, ctl_user_list },

    { "user password", "EMAIL [--valid TIME]",
      "set a user's password, end all of the user's sessions",
      "The password is asked for at the terminal, or read as a line of\n"
      "standard input: 12 to 1,024 bytes.  When it exits with 0, all sessions\n"
      "that were begun before are refused everywhere.\n",
      ctl_key_delete_options, 1, ctl_user_password },

    { "key add", "EMAIL --name NAME [--scope SCOPE]... [--expires WHEN]",
      "create an API key, print it once",
      "Only a hash of the key is stored: nobody can print it again.\n",
      ctl_key_add_options, 1, ctl_key_add },

    { "key list", "EMAIL", "list a user's API keys", NULL,
      NULL, 1, ctl_key_list },

    { "key delete", "KEY-ID [--valid TIME]",
      "delete an API key, everywhere and at once",
      "Commits in PostgreSQL, then revokes the cached key in Redis.  Where\n"
      "Redis does not answer, waits until every cached copy has expired.\n"
      "When it exits with 0, the key is refused everywhere.\n",
      ctl_key_delete_options, 1, ctl_key_delete },

    { "prune", "[--older-than AGE] [--statistics-older-than AGE] [--dry-run]",
      "delete old executions, or forget old sums of statistics", NULL,
      ctl_prune_options, 0, ctl_prune },

    { "restore-check", "[--new-identity]",
      "say whether a restored database is as the service needs it",
      "Compares schema, owner, rights, settings, months and marks with what\n"
      "this promptctl makes itself, and says each fault in a line.  Base\n"
      "backups that go on beside their original need --new-identity, with the\n"
      "service stopped.  Wants the owner of the tables.\n",
      ctl_restore_options, 0, ctl_restore_check },

    { "prompts", "", "list the caller's prompts", NULL,
      NULL, 0, ctl_prompts },

    { "show", "PROMPT [--last N]",
      "show a prompt, by id or name, with its latest versions",
      NULL, ctl_show_options, 1, ctl_show },

    { "run", "PROMPT [-i NAME=TEXT]... [--input FILE]\n"
      "           [--version N | --label LABEL]"
      " [--idempotency-key KEY | --stream]",
      "execute a prompt, print its output",
      "Values given with -i override those of the file.  Where the\n"
      "connection is lost, it is asked again with the same key, so that\n"
      "nothing is executed twice.\n",
      ctl_run_options, 1, ctl_run },

    { "label", "PROMPT [LABEL [VERSION]] [--remove]",
      "list, show, set or remove labels of a prompt's versions",
      "With a VERSION the label names that from then on, with --remove none;\n"
      "else it is shown, or without a LABEL all of them.\n",
      ctl_label_options, CTL_ARITY(1, 2), ctl_labels },

    { "executions", "[PROMPT] [--status STATUS]... [--since WHEN] [--first N]",
      "list executions, newest first",
      "Those that the caller ran, and all of the caller's own prompts; or of\n"
      "one prompt, by id or name.\n",
      ctl_executions_options, CTL_ARITY(0, 1), ctl_executions },

    { "export", "DIR [--labels]", "write the caller's prompts as files",
      "DIR/NAME/prompt.json has name, description, category and isPublic;\n"
      "v1.txt, v2.txt ... the contents of the versions, byte for byte;\n"
      "v1.json, v2.json ... their messages, params and inputSchema;\n"
      "with --labels labels.json the versions that labels name.\n"
      "Removes nothing.\n",
      ctl_export_options, 1, ctl_export },

    { "import", "DIR [--labels] [--delete] [--dry-run]",
      "make prompts and versions from such files",
      "Creates what the service lacks and updates what differs: all of it, or\n"
      "nothing where anything is wrong, such as a version that differs.\n"
      "With --delete all other prompts are deleted.\n",
      ctl_import_options, 1, ctl_import },

    { "diff", "DIR [--labels] [--delete] [--exit-code]",
      "show what import would change",
      "A line each: + what is new, ~ what differs, - what would be deleted.\n"
      "With --exit-code 1 is a difference, 0 none, 2 a failure.\n",
      ctl_diff_options, 1, ctl_diff }
};

#define CTL_NCOMMANDS  (sizeof(ctl_commands) / sizeof(ctl_commands[0]))


int
main(int argc, char **argv)
{
    int         rc;
    ctl_t       ctl;
    ctl_line_t  line;

    memset(&ctl, 0, sizeof(ctl_t));
    memset(&line, 0, sizeof(ctl_line_t));

    /* a peer that goes away is an error of a write, not the end */

    (void) signal(SIGPIPE, SIG_IGN);

    ctl.arena = prompt_arena_create(CTL_MEMORY);
    if (ctl.arena == NULL) {
        return ctl_no_memory();
    }

    line.ctl = &ctl;
    line.argc = argc;
    line.argv = argv;

    rc = ctl_read_line(&line);

    if (rc == CTL_OK) {

        if (line.version) {
            (void) puts("promptctl " PROMPT_VERSION);

        } else if (ctl.command == NULL) {
            ctl_help();

        } else if (line.help) {
            ctl_command_help(ctl.command);

        } else {
            rc = ctl.command->run(&ctl);
        }
    }

    prompt_arena_destroy(ctl.arena);

    /* a result that did not arrive is no result */

    if (fflush(stdout) != 0 || ferror(stdout)) {
        ctl_error("cannot write to standard output");
        return CTL_FAILED;
    }

    return rc;
}


static int
ctl_read_line(ctl_line_t *line)
{
    int     rc;
    size_t  taken, n;
    ctl_t  *ctl;

    ctl = line->ctl;
    taken = 0;

    line->words = prompt_arena_array(ctl->arena, (size_t) line->argc + 1,
                                     sizeof(char *));
    ctl->given = prompt_arena_array(ctl->arena, (size_t) line->argc + 1,
                                    sizeof(ctl_given_t));

    if (line->words == NULL || ctl->given == NULL) {
        return ctl_no_memory();
    }

    /* the command decides which options there are: find it first */

    n = ctl_words_before_options(line->argc, line->argv, line->words);
    ctl->command = ctl_find_command(line->words, n, &taken);

    rc = ctl_read_words(line);

    if (rc != CTL_OK || line->version
        || (line->help && (ctl->command != NULL || line->nwords == 0)))
    {
        return rc;
    }

    if (ctl->command == NULL) {
        return ctl_no_command(line);
    }

    ctl->arguments = line->words + taken;

    ctl->narguments = line->nwords - taken;

    if (ctl->narguments < ctl_arity_least(ctl->command->arity)
        || ctl->narguments > ctl_arity_most(ctl->command->arity))
    {
        return ctl_wrong_usage(ctl);
    }

    return CTL_OK;
}


/* Tells words from options, and takes these. */

static int
ctl_read_words(ctl_line_t *line)
{
    int          rc;
    bool         only_words;
    const char  *text;

    only_words = false;

    for (line->at = 1; line->at < line->argc; line->at++) {
        text = line->argv[line->at];

        if (only_words || text[0] != '-' || text[1] == '\0') {
            line->words[line->nwords++] = text;
            continue;
        }

        if (strcmp(text, "--") == 0) {
            only_words = true;
            continue;
        }

        rc = text[1] == '-' ? ctl_read_long(line, text + 2)
                            : ctl_read_letter(line, text + 1);

        if (rc != CTL_OK) {
            return rc;
        }
    }

    return CTL_OK;
}


/* CTL_OK: help is all that was asked for */

static int
ctl_no_command(const ctl_line_t *line)
{
    if (line->nwords == 0) {
        return ctl_wrong(NULL, "no command");
    }

    if (!ctl_known_group(line->words[0])) {
        return ctl_wrong(NULL, "unknown command \"%s\"", line->words[0]);
    }

    if (line->help) {
        return CTL_OK;
    }

    if (line->nwords == 1) {
        return ctl_wrong(NULL, "\"%s\" is half a command, such as \"%s list\"",
                         line->words[0], line->words[0]);
    }

    return ctl_wrong(NULL, "unknown command \"%s %s\"", line->words[0],
                     line->words[1]);
}


/* Words, without the options and values that are common to all commands. */

static size_t
ctl_words_before_options(int argc, char **argv, const char **words)
{
    int                  i;
    size_t               n;
    const ctl_option_t  *option;

    n = 0;

    for (i = 1; i < argc && n < 2; i++) {

        if (argv[i][0] != '-') {
            words[n++] = argv[i];
            continue;
        }

        if (argv[i][1] != '-' || strchr(argv[i], '=') != NULL) {
            continue;
        }

        option = ctl_find_option(NULL, argv[i] + 2, strlen(argv[i] + 2), 0);

        if (option != NULL && option->value != NULL) {
            i++;
        }
    }

    return n;
}


static int
ctl_read_long(ctl_line_t *line, const char *text)
{
    size_t               len;
    const char          *value;
    const ctl_option_t  *option;

    value = strchr(text, '=');
    len = value != NULL ? (size_t) (value - text) : strlen(text);

    option = ctl_find_option(line->ctl->command, text, len, 0);

    if (option == NULL) {
        return ctl_wrong(line->ctl, "unknown option --%.*s", (int) len, text);
    }

    if (option->value == NULL && value != NULL) {
        return ctl_wrong(line->ctl, "option --%s takes no value",
                         option->name);
    }

    return ctl_take_option(line, option, value != NULL ? value + 1 : NULL);
}


static int
ctl_read_letter(ctl_line_t *line, const char *text)
{
    const ctl_option_t  *option;

    option = ctl_find_option(line->ctl->command, NULL, 0, text[0]);

    if (option == NULL) {
        return ctl_wrong(line->ctl, "unknown option -%c", text[0]);
    }

    if (option->value == NULL && text[1] != '\0') {
        return ctl_wrong(line->ctl, "option -%c takes no value", text[0]);
    }

    return ctl_take_option(line, option, text[1] != '\0' ? text + 1 : NULL);
}


/* whose values may be, or contain, passwords and keys */

static bool
ctl_option_is_secret(const ctl_option_t *option)
{
    return strcmp(option->name, "database") == 0
           || strcmp(option->name, "redis") == 0
           || strcmp(option->name, "key") == 0;
}


/* Others see a process's arguments: what was read there goes from there. */

static const char *
ctl_take_secret(ctl_t *ctl, char *value)
{
    prompt_str_t  copy;

    copy = prompt_arena_copy(ctl->arena, prompt_str_from(value));

    if (copy.data != NULL) {
        memset(value, 'x', copy.len);
    }

    return copy.data;
}


/* value: what stands in the same word, or NULL */

static int
ctl_take_option(ctl_line_t *line, const ctl_option_t *option,
    const char *value)
{
    ctl_t  *ctl;

    ctl = line->ctl;

    if (option->value != NULL && value == NULL) {

        if (line->at + 1 >= line->argc) {
            return ctl_wrong(ctl, "option --%s needs a value", option->name);
        }

        value = line->argv[++line->at];
    }

    if (value != NULL && ctl_option_is_secret(option)) {
        value = ctl_take_secret(ctl, (char *) value);

        if (value == NULL) {
            return ctl_no_memory();
        }
    }

    if (option->value == NULL) {
        value = "";
    }

    if (strcmp(option->name, "help") == 0) {
        line->help = true;

    } else if (option == ctl_version_option) {
        line->version = true;

    } else if (strcmp(option->name, "json") == 0) {
        ctl->json = true;
    }

    ctl->given[ctl->ngiven].name = option->name;
    ctl->given[ctl->ngiven].value = value;
    ctl->ngiven++;

    return CTL_OK;
}


/* By name where it is not NULL, else by letter; the command's own first. */

static const ctl_option_t *
ctl_find_option(const ctl_command_t *command, const char *name, size_t len,
    char letter)
{
    size_t               i;
    const ctl_option_t  *option;
    const ctl_option_t  *tables[2];

    tables[0] = command != NULL ? command->options : NULL;
    tables[1] = ctl_common_options;

    for (i = 0; i < 2; i++) {

        for (option = tables[i];
             option != NULL && option->name != NULL;
             option++)
        {
            if (name != NULL
                ? strlen(option->name) == len
                  && memcmp(option->name, name, len) == 0
                : option->letter == letter)
            {
                return option;
            }
        }
    }

    return NULL;
}


static const ctl_command_t *
ctl_find_command(const char **words, size_t nwords, size_t *taken)
{
    size_t                i, len;
    const char           *name, *space;
    const ctl_command_t  *command;

    for (i = 0; nwords != 0 && i < CTL_NCOMMANDS; i++) {
        command = &ctl_commands[i];
        name = command->name;
        space = strchr(name, ' ');
        len = space != NULL ? (size_t) (space - name) : strlen(name);

        if (strlen(words[0]) != len || memcmp(words[0], name, len) != 0) {
            continue;
        }

        if (space == NULL) {
            *taken = 1;
            return command;
        }

        if (nwords > 1 && strcmp(words[1], space + 1) == 0) {
            *taken = 2;
            return command;
        }
    }

    return NULL;
}


/* the first word of a command of two */

static bool
ctl_known_group(const char *word)
{
    return strcmp(word, "user") == 0 || strcmp(word, "key") == 0;
}


static void
ctl_help(void)
{
    size_t                i;
    const ctl_command_t  *command;

    (void) puts("Usage: promptctl COMMAND [ARGUMENT]... [OPTION]...\n\n"
                "Commands:");

    for (i = 0; i < CTL_NCOMMANDS; i++) {
        command = &ctl_commands[i];

        (void) printf("  %-13s  %s\n", command->name, command->summary);
    }

    (void) puts("\nOptions of all commands:");
    ctl_options_help(ctl_common_options);

    (void) puts("\nFor more: \"promptctl COMMAND --help\".  Exit status: 0, "
                "1 for a failure,\n2 for a usage error.");
}


static void
ctl_command_help(const ctl_command_t *command)
{
    (void) printf("Usage: promptctl %s %s\n\n%s\n", command->name,
                  command->arguments, command->summary);

    if (command->help != NULL) {
        (void) printf("\n%s", command->help);
    }

    if (command->options != NULL) {
        (void) puts("\nOptions:");
        ctl_options_help(command->options);
    }

    (void) puts("\nOptions of all commands:");
    ctl_options_help(ctl_common_options);
}


static void
ctl_options_help(const ctl_option_t *options)
{
    const ctl_option_t  *option;

    for (option = options; option->name != NULL; option++) {

        if (option->letter != '\0') {
            (void) printf("  -%c, ", option->letter);
        } else {
            (void) fputs("      ", stdout);
        }

        (void) printf("--%s%s%s\n          %s\n", option->name,
                      option->value != NULL ? " " : "",
                      option->value != NULL ? option->value : "",
                      option->help);
    }
}
