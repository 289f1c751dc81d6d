/*
 * What promptctl can do, and how it says so.
 */

#include <stdio.h>

#include "ctl/commands.h"


/* columns of a line of usage, and where a second one begins */
#define CTL_USAGE_WIDTH   79
#define CTL_USAGE_INDENT  "\n           "

#define CTL_NO_OPTION     { 0, NULL, NULL, NULL }
#define CTL_OPTIONS(...)                                                     \
    (const ctl_option_t[]) { __VA_ARGS__, CTL_NO_OPTION }

/* what commands have that fill a version with values, to "run" it, say */
#define CTL_INPUT(what)                                                      \
    { 'i' | CTL_REPEATED, "set", "NAME=TEXT",                                \
      "a value of the input, as text; NAME:=JSON for other values" },        \
    { 0, "input", "FILE",                                                    \
      "a JSON object with values of the input (- for standard input)" },     \
    { CTL_OR, "version", "N",                                                \
      "the version to " what " (default: the latest)" },                     \
    { 0, "label", "LABEL", "the label of the version to " what }

/* what commands have that revoke */
#define CTL_VALID                                                            \
    { 0, "valid", "TIME",                                                    \
      "the longest \"valid\" of prompt_key_cache in use (default: 60s)" }


static void ctl_command_help(const ctl_t *ctl);
static void ctl_options_help(const ctl_option_t *options);
static prompt_str_t ctl_usage(const ctl_t *ctl, const ctl_command_t *command,
    size_t width);
static prompt_str_t ctl_usage_option(const ctl_t *ctl,
    const ctl_option_t **option);


const ctl_option_t  ctl_common_options[] = {
    { CTL_SECRET, "database", "CONNINFO",
      "connection string or URI of PostgreSQL (or PROMPT_DATABASE_URL)" },
    { CTL_SECRET, "redis",
      "\"ADDRESS [db=N] [user=U] [password=P] [prefix=S]\"",
      "written as in the directive prompt_redis (or PROMPT_REDIS)" },
    { 0, "url", "URL", "of the GraphQL endpoint (or PROMPT_URL)" },
    { CTL_SECRET, "key", "KEY", "API key (PROMPT_API_KEY is safer)" },
    { 0, "json", NULL, "results as JSON" },
    { 'h', "help", NULL, "show this help" },
    { 0, "version", NULL, "show the version of promptctl" },
    CTL_NO_OPTION
};


static const ctl_command_t  ctl_commands[] = {
    { "migrate", "", "bring the database schema up to date", ctl_migrate,
      "Safe to run twice, and from two hosts at once.  Refuses a database\n"
      "that is newer than this promptctl.\n",
      CTL_OPTIONS(
          { 0, "grant", "ROLE",
            "give this role what the service needs, and no more" }) },

    { "user add", "EMAIL", "add a user, print the id", ctl_user_add, NULL,
      CTL_OPTIONS(
          { 0, "name", "NAME", "what people call the user" }) },

    { "user list", "", "list all users", ctl_user_list, NULL, NULL },

    { "user password", "EMAIL",
      "set a user's password, end all of the user's sessions",
      ctl_user_password,
      "The password is asked for at the terminal, or read as a line of\n"
      "standard input: 12 to 1,024 bytes.  When it exits with 0, all sessions\n"
      "that were begun before are refused everywhere.\n",
      CTL_OPTIONS(CTL_VALID) },

    { "user disable", "EMAIL",
      "end all of a user's sessions and keys, and let none be made",
      ctl_user_disable,
      "Commits in PostgreSQL, then revokes what is cached in Redis.  Where\n"
      "Redis does not answer, waits until every cached copy has expired.\n"
      "When it exits with 0, no session and no key of theirs is let in.\n"
      "Keys that are kept may what they might before; \"admin\" only where\n"
      "the user was OWNER.\n",
      CTL_OPTIONS(
          { 0, "keep-project-keys", NULL,
            "pass keys of projects to the first OWNER who stays" },
          CTL_VALID) },

    { "user enable", "EMAIL", "let a user who was disabled sign in again",
      ctl_user_enable,
      "What has ended stays so.\n", NULL },

    { "user delete", "EMAIL",
      "disable a user for good, and delete what is theirs", ctl_user_delete,
      "In small steps; where it was broken off, it goes on when it is run\n"
      "again.  Personal prompts are deleted, or given to somebody else; what\n"
      "the user put into executions, and got out, is taken away everywhere;\n"
      "figures stay, under a name that says deleted.  Wants the owner of the\n"
      "tables.\n",
      CTL_OPTIONS(
          { 0, "transfer-to", "EMAIL",
            "who gets the prompts, and projects without another OWNER" },
          CTL_VALID) },
    { "project list", "", "list all projects of several", ctl_project_list,
      NULL, NULL },

    { "project add", "NAME", "create a project, print the id", ctl_project_add,
      NULL,
      CTL_OPTIONS(
          { CTL_NEEDED, "owner", "EMAIL", "who is its OWNER (required)" }) },

    { "project member", "PROJECT EMAIL ROLE",
      "make somebody a member of a project, or none", ctl_project_member,
      "PROJECT is an id or a name; ROLE is OWNER, ADMIN, EDITOR, VIEWER or\n"
      "none.  Who leaves takes the API keys along that they made there.  When\n"
      "it exits with 0, the role counts everywhere.\n",
      CTL_OPTIONS(CTL_VALID) },

    { "key add", "EMAIL", "create an API key, print it once", ctl_key_add,
      "Only a hash of the key is stored: nobody can print it again.\n",
      CTL_OPTIONS(
          { CTL_NEEDED, "name", "NAME", "what the key is for (required)" },
          { CTL_REPEATED, "scope", "SCOPE",
            "read, write, execute, keys, admin or promote; default: all" },
          { 0, "project", "PROJECT",
            "in which it acts, by id or name (default: the personal one)" },
          { 0, "expires", "WHEN", "2027-01-31T00:00:00Z, or 90d from now" }) },

    { "key list", "EMAIL", "list the API keys that a user made", ctl_key_list,
      NULL, NULL },

    { "key delete", "KEY-ID", "delete an API key, everywhere and at once",
      ctl_key_delete,
      "Commits in PostgreSQL, then revokes the cached key in Redis.  Where\n"
      "Redis does not answer, waits until every cached copy has expired.\n"
      "When it exits with 0, the key is refused everywhere, and so are keys\n"
      "that were made with it.\n",
      CTL_OPTIONS(CTL_VALID) },

    { "audit", "", "show who changed what, and what was refused", ctl_audit,
      "Of all projects, the oldest first; what promptctl changed, too.\n",
      CTL_OPTIONS(
          { 0, "since", "WHEN",
            "2027-01-31T00:00:00Z, or 7d ago (default: 7d)" },
          { 0, "project", "PROJECT",
            "its id or name, or a user's e-mail for their personal one" }) },

    { "prune", "", "delete old executions, contents, sums or audit rows",
      ctl_prune,
      "In small steps, the oldest first; what still runs stays.  Statistics\n"
      "keep what they have of executions; they forget days where that is\n"
      "asked for.  Wants the owner of the tables.\n",
      CTL_OPTIONS(
          { 0, "older-than", "AGE", "executions: 90d, at least 1h" },
          { 0, "content-older-than", "AGE",
            "what went in and came out of them: 30d, at least 1h" },
          { 0, "statistics-older-than", "AGE",
            "sums of statistics: 730d, at least 1d" },
          { 0, "audit-older-than", "AGE",
            "rows of the audit log: 730d, at least 1d" },
          { 0, "dry-run", NULL,
            "say how many there are, and delete nothing" }) },

    { "restore-check", "",
      "say whether a restored database is as the service needs it",
      ctl_restore_check,
      "Compares schema, owner, rights, settings, months and marks with what\n"
      "this promptctl makes itself, and says each fault in a line.  Base\n"
      "backups that go on beside their original need --new-identity, with the\n"
      "service stopped.  Wants the owner of the tables.\n",
      CTL_OPTIONS(
          { 0, "new-identity", NULL,
            "make it another database than the one it is a copy of" }) },

    { "prompts", "", "list the project's prompts", ctl_prompts, NULL, NULL },

    { "show", "PROMPT",
      "show a prompt, by id or name, with its latest versions", ctl_show, NULL,
      CTL_OPTIONS(
          { 0, "last", "N", "how many versions, 1 to 999 (default: 10)" }) },

    { "run", "PROMPT", "execute a prompt, print its output", ctl_run,
      "Values given with -i override those of the file.  Where the\n"
      "connection is lost, it is asked again with the same key, so that\n"
      "nothing is executed twice.\n",
      CTL_OPTIONS(
          CTL_INPUT("run"),
          { CTL_OR, "idempotency-key", "KEY",
            "run it once with this key (default: a random one)" },
          { 0, "stream", NULL, "print the output as it comes" }) },

    { "render", "PROMPT", "show the messages that run would send", ctl_render,
      "PROMPT is an id, or the name of one of the project.  Nobody is called,\n"
      "and nothing is recorded.\n",
      CTL_OPTIONS(
          CTL_INPUT("render")) },

    { "label", "PROMPT [LABEL [VERSION[=PERMILLE]...]]",
      "list, show, set or remove labels of a prompt's versions", ctl_labels,
      "With a VERSION the label names that from then on, with --remove none;\n"
      "else it is shown, or without a LABEL all of them.  3=900 4=100 names\n"
      "two, and 900 of 1,000 subjects have the first; a guard stays.\n",
      CTL_OPTIONS(
          { 0, "remove", NULL, "remove the label" }) },

    { "executions", "[PROMPT]", "list executions, newest first",
      ctl_executions,
      "Those that the project ran, and all of its own prompts; or of one\n"
      "prompt, by id or name.\n",
      CTL_OPTIONS(
          { CTL_REPEATED, "status", "STATUS",
            "running, succeeded, failed, cancelled or lost; may be repeated" },
          { 0, "since", "WHEN", "2027-01-31T00:00:00Z, or 7d before now" },
          { 0, "first", "N", "how many (default: 50)" }) },

    { "export", "DIR", "write the project's prompts as files", ctl_export,
      "DIR/NAME/prompt.json has name, description, category and isPublic;\n"
      "v1.txt, v2.txt ... the contents of the versions, byte for byte;\n"
      "v1.json, v2.json ... their messages, params, inputSchema,\n"
      "outputSchema and note;\n"
      "with --labels labels.json the versions that labels name.\n"
      "Removes nothing.\n",
      CTL_OPTIONS(
          { 0, "labels", NULL, "write labels, too" }) },

    { "import", "[DIR]", "make prompts and versions from such files",
      ctl_import,
      "Creates what the service lacks and updates what differs: all of it, or\n"
      "nothing where anything is wrong, such as a version that differs.\n"
      "With --delete all other prompts are deleted.  In the place of DIR\n"
      "--openai names a file of prompts that OpenAI stored.\n",
      CTL_OPTIONS(
          { 0, "openai", "FILE",
            "bodies of requests with {{variables}} (- for standard input)" },
          { 0, "labels", NULL, "set labels, too" },
          { 0, "delete", NULL, "delete prompts that are not in the files" },
          { 0, "dry-run", NULL, "show what would be done, and do nothing" }) },

    { "diff", "DIR", "show what import would change", ctl_diff,
      "A line each: + what is new, ~ what differs, - what would be deleted.\n"
      "With --exit-code 1 is a difference, 0 none, 2 a failure.\n",
      CTL_OPTIONS(
          { 0, "labels", NULL, "compare labels, too" },
          { 0, "delete", NULL, "show prompts that are not in the files" },
          { 0, "exit-code", NULL,
            "exit with 1 where there is a difference" }) },

    { "dataset export", "NAME FILE.jsonl",
      "write the items of a dataset as lines", ctl_dataset_export,
      "Each is a JSON object with input, expected and metadata (- for\n"
      "standard output).\n", NULL },

    { "dataset import", "NAME FILE.jsonl",
      "add items of such lines to a dataset", ctl_dataset_import,
      "Makes the dataset where there is none of that name (- for standard\n"
      "input).  1,000 items at most are added at once; where some are wrong,\n"
      "those before them stay.\n", NULL },

    { "eval", "PROMPT", "run versions on a dataset, and see that they are good",
      ctl_eval,
      "Makes a run and watches it to its end.  Fails with 1 where a cell has\n"
      "failed, a bound is missed by one of the versions, or the run is over\n"
      "what it may cost.\n",
      CTL_OPTIONS(
          { CTL_NEEDED, "dataset", "NAME", "the dataset, by name (required)" },
          { CTL_NEEDED, "version", "N[,N]",
            "the versions, with commas between them (required)" },
          { 0, "repetitions", "N", "how often on each item (default: 1)" },
          { 0, "max-cost", "USD", "the most that the run may cost" },
          { CTL_REPEATED, "fail-under", "NAME=X",
            "the least mean of a score; may be repeated" },
          { 0, "junit", "FILE", "write a test case for each cell" }) },

    { NULL, NULL, NULL, NULL, NULL, NULL }
};


const ctl_command_t *
ctl_find_command(const char **words, size_t nwords, size_t *taken)
{
    size_t                len;
    const ctl_command_t  *command;

    for (command = ctl_commands; command->name != NULL; command++) {
        len = strcspn(command->name, " ");

        if (nwords == 0 || strlen(words[0]) != len
            || memcmp(words[0], command->name, len) != 0)
        {
            continue;
        }

        if (command->name[len] == '\0') {
            *taken = 1;
            return command;
        }

        if (nwords > 1 && strcmp(words[1], command->name + len + 1) == 0) {
            *taken = 2;
            return command;
        }
    }

    return NULL;
}


bool
ctl_is_group(const char *word)
{
    size_t                len;
    const ctl_command_t  *command;

    for (command = ctl_commands; command->name != NULL; command++) {
        len = strcspn(command->name, " ");

        if (command->name[len] == ' ' && strlen(word) == len
            && memcmp(word, command->name, len) == 0)
        {
            return true;
        }
    }

    return false;
}


void
ctl_check_arguments(const ctl_t *ctl)
{
    size_t       least, most;
    const char  *p;

    least = 0;
    most = 0;

    for (p = ctl->command->arguments; *p != '\0'; p += strspn(p, " ")) {
        most++;
        least += *p != '[';
        p += strcspn(p, " ");
    }

    if (strstr(ctl->command->arguments, "...") != NULL) {
        most = SIZE_MAX;
    }

    if (ctl->narguments < least || ctl->narguments > most) {
        ctl_wrong(ctl, "usage: promptctl %s",
                  ctl_usage(ctl, ctl->command, SIZE_MAX).data);
    }
}


void
ctl_help(const ctl_t *ctl)
{
    const ctl_command_t  *command;

    if (ctl->command != NULL) {
        ctl_command_help(ctl);
        return;
    }

    (void) puts("Usage: promptctl COMMAND [ARGUMENT]... [OPTION]...\n\n"
                "Commands:");

    for (command = ctl_commands; command->name != NULL; command++) {
        (void) printf("  %-14s  %s\n", command->name, command->summary);
    }

    (void) puts("\nOptions of all commands:");
    ctl_options_help(ctl_common_options);

    (void) puts("\nFor more: \"promptctl COMMAND --help\".  Exit status: 0, "
                "1 for a failure,\n2 for a usage error.");
}


static void
ctl_command_help(const ctl_t *ctl)
{
    const ctl_command_t  *command;

    command = ctl->command;

    (void) printf("Usage: promptctl %s\n\n%s\n",
                  ctl_usage(ctl, command, CTL_USAGE_WIDTH).data,
                  command->summary);

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

        if (ctl_option_letter(option) != '\0') {
            (void) printf("  -%c, ", ctl_option_letter(option));
        } else {
            (void) fputs("      ", stdout);
        }

        (void) printf("--%s%s%s\n          %s\n", option->name,
                      option->value != NULL ? " " : "",
                      option->value != NULL ? option->value : "",
                      option->help);
    }
}


/* The command with its arguments and options, in lines not wider than width. */
static prompt_str_t
ctl_usage(const ctl_t *ctl, const ctl_command_t *command, size_t width)
{
    size_t               column;
    prompt_str_t         usage, next;
    const ctl_option_t  *option;

    usage = ctl_printf(ctl, "%s%s%s", command->name,
                       command->arguments[0] != '\0' ? " " : "",
                       command->arguments);
    column = sizeof("Usage: promptctl") + usage.len;
    option = command->options;

    while (option != NULL && option->name != NULL) {
        next = ctl_usage_option(ctl, &option);

        if (column + 1 + next.len > width) {
            usage = ctl_printf(ctl, "%s" CTL_USAGE_INDENT "%s", usage.data,
                               next.data);
            column = sizeof(CTL_USAGE_INDENT) - 2 + next.len;

        } else {
            usage = ctl_printf(ctl, "%s %s", usage.data, next.data);
            column += 1 + next.len;
        }
    }

    return usage;
}


/* An option, or several of which one may be given; *option moves on. */
static prompt_str_t
ctl_usage_option(const ctl_t *ctl, const ctl_option_t **option)
{
    bool                 more;
    prompt_str_t         text;
    const ctl_option_t  *o;

    text = prompt_str("");
    more = true;

    for (o = *option; more; o++) {
        more = (o->flags & CTL_OR) != 0;

        text = ctl_option_letter(o) != '\0'
               ? ctl_printf(ctl, "%s-%c", text.data, ctl_option_letter(o))
               : ctl_printf(ctl, "%s--%s", text.data, o->name);
        text = ctl_printf(ctl, "%s%s%s%s", text.data, o->value ? " " : "",
                          o->value ? o->value : "", more ? " | " : "");
    }

    *option = o--;

    if ((o->flags & CTL_NEEDED) != 0) {
        return text;
    }

    return ctl_printf(ctl, "[%s]%s", text.data,
                      (o->flags & CTL_REPEATED) != 0 ? "..." : "");
}
