# A database whose schema is newer than the module, as its table of migrations
# says.  t/migrate.t makes newer ones, and has older ones.

use lib 't/lib';
use PromptTest;

run_tests();

__DATA__

=== TEST 1: newer, and its migrations bear this module
--- sql
INSERT INTO prompt_migrations (version, name, checksum, compatible_with) SELECT max(version) + n, 'x' || n, 'x', max(version) - n + 1 FROM prompt_migrations, generate_series(1, 2) n GROUP BY n
--- graphql
mutation { createPrompt(input: {name: "x"}) { name } }
--- data
{"createPrompt": {"name": "x"}}

=== TEST 2: one of them does not
--- sql
UPDATE prompt_migrations SET compatible_with = version WHERE name = 'x1'
--- postgres: "host=%{pg_host} user=postgres dbname=%{database}" connect_timeout=500ms timeout=500ms
--- graphql
{ prompts { id } }
--- error_code: 503
--- code: INTERNAL_SERVER_ERROR
--- error_log
the database schema has version
install the module that goes with it
--- allow_log: this module needs

=== TEST 3: it does not say
--- sql
UPDATE prompt_migrations SET compatible_with = NULL WHERE name = 'x1'
--- postgres: "host=%{pg_host} user=postgres dbname=%{database}" connect_timeout=500ms timeout=500ms
--- graphql
{ prompts { id } }
--- error_code: 503
--- code: INTERNAL_SERVER_ERROR
--- error_log
install the module that goes with it
--- allow_log: this module needs
