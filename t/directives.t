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

=== TEST 32: prompt_redis twice
--- bare
--- http_config
prompt_redis 127.0.0.1:1;
prompt_redis 127.0.0.1:1;
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_redis" directive is duplicate.* in .*nginx\.conf:\d+/

=== TEST 33: prompt_key_cache twice
--- bare
--- http_config
prompt_key_cache valid=1s;
prompt_key_cache valid=1s;
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_key_cache" directive is duplicate.* in .*nginx\.conf:\d+/

=== TEST 34: prompt_default_model twice
--- bare
--- http_config
prompt_default_model a;
prompt_default_model a;
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_default_model" directive is duplicate.* in .*nginx\.conf:\d+/

=== TEST 35: prompt_introspection twice
--- bare
--- http_config
prompt_introspection on;
prompt_introspection on;
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_introspection" directive is duplicate.* in .*nginx\.conf:\d+/

=== TEST 36: prompt_graphql twice
--- bare
--- config
location = /g { prompt_graphql; prompt_graphql; }
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_graphql" directive is duplicate.* in .*nginx\.conf:\d+/

=== TEST 37: a limit twice
--- bare
--- http_config
prompt_limits depth=1 depth=2;
--- must_die
--- error_log eval
qr/\[emerg\] .*"depth=" is duplicate.* in .*nginx\.conf:\d+/

=== TEST 38: prompt_postgres without arguments
--- bare
--- http_config
prompt_postgres;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid number of arguments in "prompt_postgres" directive.* in .*nginx\.conf:\d+/

=== TEST 39: prompt_redis without arguments
--- bare
--- http_config
prompt_redis;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid number of arguments in "prompt_redis" directive.* in .*nginx\.conf:\d+/

=== TEST 40: prompt_provider without a location
--- bare
--- http_config
prompt_provider one;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid number of arguments in "prompt_provider" directive.* in .*nginx\.conf:\d+/

=== TEST 41: prompt_default_model without a name
--- bare
--- http_config
prompt_default_model;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid number of arguments in "prompt_default_model" directive.* in .*nginx\.conf:\d+/

=== TEST 42: a time limit of PostgreSQL that is none
--- bare
--- http_config
prompt_postgres "host=/x" timeout=soon;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid parameter "timeout" of "prompt_postgres".* in .*nginx\.conf:\d+/

=== TEST 43: a time limit of zero
--- bare
--- http_config
prompt_postgres "host=/x" timeout=0;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid parameter "timeout" of "prompt_postgres".* in .*nginx\.conf:\d+/

=== TEST 44: connections that are no number
--- bare
--- http_config
prompt_postgres "host=/x" connections=many;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid parameter "connections" of "prompt_postgres".* in .*nginx\.conf:\d+/

=== TEST 45: a negative number of connections
--- bare
--- http_config
prompt_postgres "host=/x" connections=-1;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid parameter "connections" of "prompt_postgres".* in .*nginx\.conf:\d+/

=== TEST 46: a connection string without quotes
--- bare
--- http_config
prompt_postgres host=/x dbname=y;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid parameter "dbname" of "prompt_postgres"; a connection string with spaces wants quotes.* in .*nginx\.conf:\d+/

=== TEST 47: a port that is none
--- bare
--- http_config
prompt_postgres "host=127.0.0.1 port=99999";
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid port.* in .*nginx\.conf:\d+/

=== TEST 48: a host that does not resolve
--- bare
--- http_config
prompt_postgres "host=nowhere.invalid";
--- must_die
--- error_log eval
qr/\[emerg\] .*nowhere\.invalid.* in .*nginx\.conf:\d+/

=== TEST 49: a Redis host that does not resolve
--- bare
--- http_config
prompt_redis nowhere.invalid:6379;
--- must_die
--- error_log eval
qr/\[emerg\] .*nowhere\.invalid.* in .*nginx\.conf:\d+/

=== TEST 50: a database of Redis that is none
--- bare
--- http_config
prompt_redis 127.0.0.1:1 db=x;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid parameter "db" of "prompt_redis".* in .*nginx\.conf:\d+/

=== TEST 51: a time limit of Redis that is none
--- bare
--- http_config
prompt_redis 127.0.0.1:1 timeout=x;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid parameter "timeout" of "prompt_redis".* in .*nginx\.conf:\d+/

=== TEST 52: a user of Redis without a password
--- bare
--- http_config
prompt_redis 127.0.0.1:1 user=u;
--- must_die
--- error_log eval
qr/\[emerg\] .*has a user, but no password.* in .*nginx\.conf:\d+/

=== TEST 53: a time of the key cache that is none
--- bare
--- http_config
prompt_key_cache valid=x;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid time in "valid=x".* in .*nginx\.conf:\d+/

=== TEST 54: refusals may not be cached for longer than a minute either
--- bare
--- http_config
prompt_key_cache unknown=61s;
--- must_die
--- error_log eval
qr/\[emerg\] .*write at most "unknown=60s".* in .*nginx\.conf:\d+/

=== TEST 55: an unknown parameter of prompt_key_cache
--- bare
--- http_config
prompt_key_cache colour=blue;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid parameter "colour=blue": prompt_key_cache takes.* in .*nginx\.conf:\d+/

=== TEST 56: an unknown parameter of prompt_provider
--- bare
--- http_config
prompt_provider one /_one colour=blue;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid parameter "colour=blue": prompt_provider takes.* in .*nginx\.conf:\d+/

=== TEST 57: a provider without a time
--- bare
--- http_config
prompt_provider one /_one timeout=0;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid time "0".* in .*nginx\.conf:\d+/

=== TEST 58: a named location as a provider
--- bare
--- http_config
prompt_provider one @named;
--- must_die
--- error_log eval
qr/\[emerg\] .*is not the URI of a location.* in .*nginx\.conf:\d+/

=== TEST 59: an unknown parameter of prompt_model
--- bare
--- http_config
prompt_provider one /_one;
prompt_model m provider=one colour=blue;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid parameter "colour=blue": prompt_model takes.* in .*nginx\.conf:\d+/

=== TEST 60: max_tokens_as without a name
--- bare
--- http_config
prompt_provider one /_one;
prompt_model m provider=one max_tokens_as=;
--- must_die
--- error_log eval
qr/\[emerg\] .*names no parameter.* in .*nginx\.conf:\d+/

=== TEST 61: a cached price alone
--- bare
--- http_config
prompt_provider one /_one;
prompt_model m provider=one cached_input=1;
--- must_die
--- error_log eval
qr/\[emerg\] .*has half a price.* in .*nginx\.conf:\d+/

=== TEST 62: a price that is empty
--- bare
--- http_config
prompt_provider one /_one;
prompt_model m provider=one input= output=1;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid price.* in .*nginx\.conf:\d+/

=== TEST 63: a price with a comma
--- bare
--- http_config
prompt_provider one /_one;
prompt_model m provider=one input=0,15 output=1;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid price.* in .*nginx\.conf:\d+/

=== TEST 64: a price that is a point
--- bare
--- http_config
prompt_provider one /_one;
prompt_model m provider=one input=. output=1;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid price.* in .*nginx\.conf:\d+/

=== TEST 65: a limit of zero
--- bare
--- http_config
prompt_limits depth=0;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid limit "depth=0".* in .*nginx\.conf:\d+/

=== TEST 66: a limit with a sign
--- bare
--- http_config
prompt_limits tokens=-5;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid limit "tokens=\-5".* in .*nginx\.conf:\d+/

=== TEST 67: a limit beyond all
--- bare
--- http_config
prompt_limits tokens=99999999999;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid limit.* in .*nginx\.conf:\d+/

=== TEST 68: no limit at all
--- bare
--- http_config
prompt_limits;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid number of arguments in "prompt_limits" directive.* in .*nginx\.conf:\d+/

=== TEST 69: prompt_postgres is for the http block
--- bare
--- config
prompt_postgres "host=/x";
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_postgres" directive is not allowed here.* in .*nginx\.conf:\d+/

=== TEST 70: prompt_model is for the http block
--- bare
--- config
prompt_model m provider=one;
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_model" directive is not allowed here.* in .*nginx\.conf:\d+/

=== TEST 71: prompt_echo is for locations
--- bare
--- http_config
prompt_echo;
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_echo" directive is not allowed here.* in .*nginx\.conf:\d+/

=== TEST 72: prompt_metrics is for locations
--- bare
--- http_config
prompt_metrics;
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_metrics" directive is not allowed here.* in .*nginx\.conf:\d+/

=== TEST 73: two handlers of one location
--- bare
--- http_config
prompt_postgres "host=/nonexistent dbname=x";
--- config
location = /g { proxy_pass http://127.0.0.1:1; prompt_graphql; }
--- must_die
--- error_log eval
qr/\[emerg\] .*conflicts with another handler.* in .*nginx\.conf:\d+/

=== TEST 74: an unknown provider names file and line of the model
--- bare
--- http_config
prompt_postgres "host=/nonexistent dbname=x";
prompt_model m provider=nobody;
--- config
location = /graphql { prompt_graphql; }
--- must_die
--- error_log eval
qr/\[emerg\] .*unknown provider "nobody" of model "m": declare it with "prompt_provider nobody \/URI;" in/

=== TEST 75: a missing database names file and line of the endpoint
--- bare
--- config
location = /graphql { prompt_graphql; }
--- must_die
--- error_log eval
qr/\[emerg\] .*needs a database: add "prompt_postgres CONNINFO;" to the http block, for the location in/

=== TEST 76: a price of 9 digits and 12 after the point; prices without the part before or after the point
--- bare
--- http_config
prompt_provider one /_one;
prompt_model a provider=one input=999999999.999999999999 output=0;
prompt_model b provider=one input=0 output=0.5 cached_input=0;
--- config
location /t { return 200 "fine"; }
--- request
GET /t
--- response_body: fine
--- allow_log: prompt

=== TEST 77: a connection URI, several hosts, TLS
--- bare
--- http_config
prompt_postgres "postgresql://u:p@127.0.0.1:1,127.0.0.1:2/x?sslmode=require&target_session_attrs=read-write" connections=1 prepare=off queue=10;
--- config
location /t { return 200 "fine"; }
--- request
GET /t
--- response_body: fine
--- allow_log: prompt

=== TEST 78: every form of an address of Redis
--- bare
--- http_config
prompt_redis unix:/nonexistent/redis.sock db=3 prefix="";
--- config
location /t { return 200 "fine"; }
--- request
GET /t
--- response_body: fine
--- allow_log: prompt

=== TEST 79: a host name of Redis
--- bare
--- http_config
prompt_redis localhost:1 password=p;
--- config
location /t { return 200 "fine"; }
--- request
GET /t
--- response_body: fine
--- allow_log: prompt

=== TEST 80: a pattern that is only a star, and the longest wins
--- bare
--- http_config
prompt_provider one /_one;
prompt_model * provider=one;
prompt_model a* provider=one;
prompt_model a provider=one;
--- config
location /t { return 200 "fine"; }
--- request
GET /t
--- response_body: fine
--- allow_log: prompt

=== TEST 81: a key cache that keeps nothing
--- bare
--- http_config
prompt_key_cache valid=0s;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid time in "valid=0s": write whole seconds.* in .*nginx\.conf:\d+/

=== TEST 82: a provider with arguments
--- bare
--- http_config
prompt_provider one /_one?version=2026 timeout=500ms;
--- config
location /t { return 200 "fine"; }
--- request
GET /t
--- response_body: fine
--- allow_log: prompt

=== TEST 83: limits and introspection at every level
--- bare
--- http_config
prompt_postgres "host=/nonexistent dbname=x";
prompt_limits depth=3;
prompt_introspection off;
--- config
prompt_limits tokens=10 mutation_fields=2 directives=3; location = /graphql { prompt_limits root_fields=2; prompt_introspection on; prompt_graphql; }
location /t { return 200 "fine"; }
--- request
GET /t
--- response_body: fine
--- allow_log: prompt
