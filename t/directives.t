# Directives: what nginx -t accepts and refuses, and in which words.

use lib 't/lib';
use PromptTest;

# in the http block, in place of the standard configuration
our $postgres = 'prompt_postgres "host=/nonexistent dbname=x";';

run_tests();

__DATA__

=== TEST 1: all directives together
--- bare
--- http_config
prompt_postgres "postgresql://u@/x?host=/nonexistent" connections=2
                connect_timeout=1s timeout=5s;
prompt_redis 127.0.0.1:1 db=1 user=u password=p prefix=a: timeout=100ms;
prompt_key_cache valid=60s unknown=1s;
prompt_provider one /_one format=openai timeout=10s;
prompt_provider two /_two format=anthropic;
prompt_model gpt-4o-mini provider=one input=0.15 output=0.60
             cached_input=0.075 max_tokens_as=max_completion_tokens;
prompt_model gpt-* provider=one;
prompt_model claude-* provider=two input=3 output=15;
prompt_default_model gpt-4o-mini;
prompt_introspection off;
prompt_limits tokens=1000 depth=5 aliases=5 root_fields=3 complexity=1000;
--- config
location = /graphql { prompt_graphql; prompt_introspection on; prompt_limits depth=7; }
location = /_echo { internal; prompt_echo; }
location = /metrics { prompt_metrics; }
location /t { return 200 "fine"; }
--- request
GET /t
--- response_body: fine
--- allow_log: prompt

=== TEST 2: an endpoint without a database
--- bare
--- config
location = /graphql { prompt_graphql; }
--- must_die
--- error_log
"prompt_graphql" needs a database

=== TEST 3: a connection string that libpq cannot read
--- bare
--- http_config
prompt_postgres "host=/nonexistent colour=blue";
--- must_die
--- error_log eval
qr/\[emerg\].*prompt_postgres|colour/

=== TEST 4: prompt_postgres twice
--- bare
--- http_config eval
"$::postgres $::postgres"
--- must_die
--- error_log
is duplicate

=== TEST 5: no connections at all
--- bare
--- http_config
prompt_postgres "host=/nonexistent" connections=0;
--- must_die
--- error_log eval
qr/\[emerg\].*connections/

=== TEST 6: an unknown parameter of prompt_postgres
--- bare
--- http_config
prompt_postgres "host=/nonexistent" colour=blue;
--- must_die
--- error_log
invalid parameter "colour"

=== TEST 7: the password does not get into the log
--- bare
--- http_config
prompt_postgres "host=/nonexistent password=%{alice_key} colour=blue";
--- must_die
--- error_log eval
qr/\[emerg\]/

=== TEST 8: an address of Redis that is none
--- bare
--- http_config
prompt_redis redis://localhost;
--- must_die
--- error_log eval
qr/\[emerg\]/

=== TEST 9: an unknown parameter of prompt_redis
--- bare
--- http_config
prompt_redis 127.0.0.1:1 colour=blue;
--- must_die
--- error_log
invalid parameter "colour"

=== TEST 10: keys may not be cached for longer than a minute
--- bare
--- http_config
prompt_key_cache valid=61s;
--- must_die
--- error_log
write at most "valid=60s"

=== TEST 11: a provider that is no location
--- bare
--- http_config
prompt_provider one http://127.0.0.1/;
--- must_die
--- error_log
is not the URI of a location

=== TEST 12: two providers of one name
--- bare
--- http_config
prompt_provider one /_one;
prompt_provider one /_two;
--- must_die
--- error_log
duplicate provider "one"

=== TEST 13: an unknown format
--- bare
--- http_config
prompt_provider one /_one format=gemini;
--- must_die
--- error_log
unknown format

=== TEST 14: a time of a provider that is none
--- bare
--- http_config
prompt_provider one /_one timeout=soon;
--- must_die
--- error_log
invalid time

=== TEST 15: a model without a provider
--- bare
--- http_config
prompt_model m input=1 output=2;
--- must_die
--- error_log
has no provider

=== TEST 16: a model of an unknown provider
--- bare
--- http_config eval
"$::postgres prompt_model m provider=nobody;"
--- config
location = /graphql { prompt_graphql; }
--- must_die
--- error_log
unknown provider "nobody"

=== TEST 17: half a price
--- bare
--- http_config
prompt_provider one /_one;
prompt_model m provider=one input=1;
--- must_die
--- error_log
has half a price

=== TEST 18: the other half
--- bare
--- http_config
prompt_provider one /_one;
prompt_model m provider=one output=1;
--- must_die
--- error_log
has half a price

=== TEST 19: prices that are none
--- bare
--- http_config
prompt_provider one /_one;
prompt_model m provider=one input=1e3 output=1;
--- must_die
--- error_log
invalid price

=== TEST 20: a price with too many digits before the point
--- bare
--- http_config
prompt_provider one /_one;
prompt_model m provider=one input=1234567890 output=1;
--- must_die
--- error_log
invalid price

=== TEST 21: a price with too many digits after the point
--- bare
--- http_config
prompt_provider one /_one;
prompt_model m provider=one input=0.1234567890123 output=1;
--- must_die
--- error_log
invalid price

=== TEST 22: a negative price
--- bare
--- http_config
prompt_provider one /_one;
prompt_model m provider=one input=-1 output=1;
--- must_die
--- error_log
invalid price

=== TEST 23: a pattern with its star in the middle
--- bare
--- http_config
prompt_provider one /_one;
prompt_model gpt-*-mini provider=one;
--- must_die
--- error_log
can only stand at the end

=== TEST 24: two models of one pattern
--- bare
--- http_config
prompt_provider one /_one;
prompt_model gpt-* provider=one;
prompt_model gpt-* provider=one;
--- must_die
--- error_log
duplicate model

=== TEST 25: a default model that nobody serves
--- bare
--- http_config eval
"$::postgres prompt_default_model m;"
--- config
location = /graphql { prompt_graphql; }
--- must_die
--- error_log
is served by no provider

=== TEST 26: a limit that is none
--- bare
--- http_config
prompt_limits depth=deep;
--- must_die
--- error_log
invalid limit

=== TEST 27: an unknown limit
--- bare
--- http_config
prompt_limits width=3;
--- must_die
--- error_log
width

=== TEST 28: prompt_graphql takes no arguments
--- bare
--- config
location = /graphql { prompt_graphql on; }
--- must_die
--- error_log
invalid number of arguments in "prompt_graphql" directive

=== TEST 29: prompt_graphql is for locations
--- bare
--- http_config
prompt_graphql;
--- must_die
--- error_log
"prompt_graphql" directive is not allowed here

=== TEST 30: prompt_introspection is on or off
--- bare
--- http_config
prompt_introspection maybe;
--- must_die
--- error_log
it must be "on" or "off"

=== TEST 31: without any endpoint nothing is needed
--- bare
--- config
location /t { return 200 "fine"; }
--- request
GET /t
--- response_body: fine
