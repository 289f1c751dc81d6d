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
location = /health { prompt_health; }
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
unknown parameter "colour"

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
unknown parameter "colour"

=== TEST 10: keys may not be cached for longer than a minute
--- bare
--- http_config
prompt_key_cache valid=61s;
--- must_die
--- error_log
write whole seconds from 1s to 60s, such as "valid=10s"

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
prompt_provider one /_one format=cohere;
--- must_die
--- error_log
invalid value "cohere" of the parameter "format" of "prompt_provider": write "format=openai" or "format=responses" or "format=anthropic" or "format=gemini"

=== TEST 14: a time of a provider that is none
--- bare
--- http_config
prompt_provider one /_one timeout=soon;
--- must_die
--- error_log
invalid value "soon" of the parameter "timeout" of "prompt_provider": write a time from 1ms to 1h, such as "timeout=60s"

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
write US dollars per million tokens as a plain decimal

=== TEST 20: a price with too many digits before the point
--- bare
--- http_config
prompt_provider one /_one;
prompt_model m provider=one input=1234567890 output=1;
--- must_die
--- error_log
write US dollars per million tokens as a plain decimal

=== TEST 21: a price with too many digits after the point
--- bare
--- http_config
prompt_provider one /_one;
prompt_model m provider=one input=0.1234567890123 output=1;
--- must_die
--- error_log
write US dollars per million tokens as a plain decimal

=== TEST 22: a negative price
--- bare
--- http_config
prompt_provider one /_one;
prompt_model m provider=one input=-1 output=1;
--- must_die
--- error_log
write US dollars per million tokens as a plain decimal

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
invalid value "deep" of the parameter "depth" of "prompt_limits": write a whole number from 1 to 1000000000, such as "depth=20"

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
qr/\[emerg\] .*parameter "depth" of "prompt_limits" is given twice.* in .*nginx\.conf:\d+/

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
qr/\[emerg\] .*invalid value "soon" of the parameter "timeout" of "prompt_postgres": write a time from 1ms to 1h, such as "timeout=5s".* in .*nginx\.conf:\d+/

=== TEST 43: a time limit of zero
--- bare
--- http_config
prompt_postgres "host=/x" timeout=0;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "0" of the parameter "timeout" of "prompt_postgres": write a time from 1ms to 1h, such as "timeout=5s".* in .*nginx\.conf:\d+/

=== TEST 44: connections that are no number
--- bare
--- http_config
prompt_postgres "host=/x" connections=many;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "many" of the parameter "connections" of "prompt_postgres": write a whole number from 1 to 64, such as "connections=4".* in .*nginx\.conf:\d+/

=== TEST 45: a negative number of connections
--- bare
--- http_config
prompt_postgres "host=/x" connections=-1;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "-1" of the parameter "connections" of "prompt_postgres": write a whole number from 1 to 64, such as "connections=4".* in .*nginx\.conf:\d+/

=== TEST 46: a connection string without quotes
--- bare
--- http_config
prompt_postgres host=/x dbname=y;
--- must_die
--- error_log eval
qr/\[emerg\] .*unknown parameter "dbname" of "prompt_postgres": it takes .*; a connection string with spaces wants quotes.* in .*nginx\.conf:\d+/

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
qr/\[emerg\] .*invalid value "x" of the parameter "db" of "prompt_redis": write a whole number from 0 to 65535.* in .*nginx\.conf:\d+/

=== TEST 51: a time limit of Redis that is none
--- bare
--- http_config
prompt_redis 127.0.0.1:1 timeout=x;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "x" of the parameter "timeout" of "prompt_redis": write a time from 1ms to 10s, such as "timeout=100ms".* in .*nginx\.conf:\d+/

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
qr/\[emerg\] .*invalid value "x" of the parameter "valid" of "prompt_key_cache".* in .*nginx\.conf:\d+/

=== TEST 54: refusals may not be cached for longer than a minute either
--- bare
--- http_config
prompt_key_cache unknown=61s;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "61s" of the parameter "unknown" of "prompt_key_cache": write whole seconds from 1s to 60s.* in .*nginx\.conf:\d+/

=== TEST 55: an unknown parameter of prompt_key_cache
--- bare
--- http_config
prompt_key_cache colour=blue;
--- must_die
--- error_log eval
qr/\[emerg\] .*unknown parameter "colour" of "prompt_key_cache": it takes "valid=".* and "\w+=".* in .*nginx\.conf:\d+/

=== TEST 56: an unknown parameter of prompt_provider
--- bare
--- http_config
prompt_provider one /_one colour=blue;
--- must_die
--- error_log eval
qr/\[emerg\] .*unknown parameter "colour" of "prompt_provider": it takes "format=".* and "\w+=".* in .*nginx\.conf:\d+/

=== TEST 57: a provider without a time
--- bare
--- http_config
prompt_provider one /_one timeout=0;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "0" of the parameter "timeout" of "prompt_provider": write a time from 1ms to 1h.* in .*nginx\.conf:\d+/

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
qr/\[emerg\] .*unknown parameter "colour" of "prompt_model": it takes "provider=".* in .*nginx\.conf:\d+/

=== TEST 60: max_tokens_as without a name
--- bare
--- http_config
prompt_provider one /_one;
prompt_model m provider=one max_tokens_as=;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "" of the parameter "max_tokens_as" of "prompt_model".* in .*nginx\.conf:\d+/

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
qr/\[emerg\] .*write US dollars per million tokens as a plain decimal.* in .*nginx\.conf:\d+/

=== TEST 63: a price with a comma
--- bare
--- http_config
prompt_provider one /_one;
prompt_model m provider=one input=0,15 output=1;
--- must_die
--- error_log eval
qr/\[emerg\] .*write US dollars per million tokens as a plain decimal.* in .*nginx\.conf:\d+/

=== TEST 64: a price that is a point
--- bare
--- http_config
prompt_provider one /_one;
prompt_model m provider=one input=. output=1;
--- must_die
--- error_log eval
qr/\[emerg\] .*write US dollars per million tokens as a plain decimal.* in .*nginx\.conf:\d+/

=== TEST 65: a limit of zero
--- bare
--- http_config
prompt_limits depth=0;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "0" of the parameter "depth" of "prompt_limits".* in .*nginx\.conf:\d+/

=== TEST 66: a limit with a sign
--- bare
--- http_config
prompt_limits tokens=-5;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "-5" of the parameter "tokens" of "prompt_limits".* in .*nginx\.conf:\d+/

=== TEST 67: a limit beyond all
--- bare
--- http_config
prompt_limits tokens=99999999999;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "99999999999" of the parameter "tokens" of "prompt_limits".* in .*nginx\.conf:\d+/

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
prompt_redis unix:/nonexistent/redis@1.sock db=3 prefix="";
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
qr/\[emerg\] .*invalid value "0s" of the parameter "valid" of "prompt_key_cache": write whole seconds.* in .*nginx\.conf:\d+/

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

=== TEST 84: a parameter twice
--- bare
--- http_config
prompt_postgres "host=/x" timeout=1s timeout=2s;
--- must_die
--- error_log eval
qr/\[emerg\] .*parameter "timeout" of "prompt_postgres" is given twice.* in .*nginx\.conf:\d+/

=== TEST 85: a parameter without a value
--- bare
--- http_config
prompt_postgres "host=/x" timeout = 1s;
--- must_die
--- error_log eval
qr/\[emerg\] .*parameter "timeout" of "prompt_postgres" has no value: write a time from 1ms to 1h, such as "timeout=5s".* in .*nginx\.conf:\d+/

=== TEST 86: a time with another unit
--- bare
--- http_config
prompt_postgres "host=/x" timeout=5sec;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "5sec" of the parameter "timeout" of "prompt_postgres".* in .*nginx\.conf:\d+/

=== TEST 87: a time of days
--- bare
--- http_config
prompt_postgres "host=/x" connect_timeout=1d;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "1d" of the parameter "connect_timeout" of "prompt_postgres": write a time from 1ms to 1h.* in .*nginx\.conf:\d+/

=== TEST 88: too many connections
--- bare
--- http_config
prompt_postgres "host=/x" connections=65;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "65" of the parameter "connections" of "prompt_postgres": write a whole number from 1 to 64.* in .*nginx\.conf:\d+/

=== TEST 89: a queue that is none
--- bare
--- http_config
prompt_postgres "host=/x" queue=1k;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "1k" of the parameter "queue" of "prompt_postgres": write a whole number from 0 to 1000000, such as "queue=1024".* in .*nginx\.conf:\d+/

=== TEST 90: to prepare or not
--- bare
--- http_config
prompt_postgres "host=/x" prepare=no;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "no" of the parameter "prepare" of "prompt_postgres": write "prepare=on", "prepare=off" or "prepare=session".* in .*nginx\.conf:\d+/

=== TEST 91: a mistyped parameter lists the others
--- bare
--- http_config
prompt_postgres "host=/x" tiemout=1s;
--- must_die
--- error_log eval
qr/\[emerg\] .*unknown parameter "tiemout" of "prompt_postgres": it takes "connections=", "connect_timeout=", .* and "\w+="; a connection string.* in .*nginx\.conf:\d+/

=== TEST 92: what is not a parameter is not repeated: it may be a secret
--- bare
--- http_config
prompt_postgres "host=/x" %{alice_key};
--- must_die
--- error_log eval
qr/\[emerg\] .*argument 2 of "prompt_postgres" is not a parameter: it takes "connections=".* in .*nginx\.conf:\d+/

=== TEST 93: a connection string that is empty
--- bare
--- http_config
prompt_postgres " ";
--- must_die
--- error_log eval
qr/\[emerg\] .*the connection string of "prompt_postgres" is empty: write for example "host=localhost dbname=prompt user=prompt_app".* in .*nginx\.conf:\d+/

=== TEST 94: a connection string that is a host
--- bare
--- http_config
prompt_postgres localhost:5432;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid connection string of "prompt_postgres": missing "=" after "localhost:5432" .*; write for example "host=localhost dbname=prompt user=prompt_app", or a URI.* in .*nginx\.conf:\d+/

=== TEST 95: a URI with half its slashes keeps its password to itself
--- bare
--- http_config
prompt_postgres postgresql:/u:%{alice_key}@h/x;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid connection string of "prompt_postgres": missing \.\. after.* in .*nginx\.conf:\d+/

=== TEST 96: a time in the connection string
--- bare
--- http_config
prompt_postgres "host=/x connect_timeout=5s";
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid "connect_timeout" in the connection string of "prompt_postgres": write whole seconds from 1 to 3600.* in .*nginx\.conf:\d+/

=== TEST 97: sslmode
--- bare
--- http_config
prompt_postgres "host=/x sslmode=on";
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "on" of "sslmode" in the connection string of "prompt_postgres": write one of disable allow prefer require verify-ca verify-full.* in .*nginx\.conf:\d+/

=== TEST 98: target_session_attrs
--- bare
--- http_config
prompt_postgres "host=/x target_session_attrs=read";
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "read" of "target_session_attrs" in the connection string of "prompt_postgres": write one of any read-write.* in .*nginx\.conf:\d+/

=== TEST 99: a name in place of an address
--- bare
--- http_config
prompt_postgres "hostaddr=localhost";
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid address "localhost" in the connection string of "prompt_postgres": write numbers.* in .*nginx\.conf:\d+/

=== TEST 100: a service file
--- bare
--- http_config
prompt_postgres "service=x";
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_postgres" does not read service files: write what the service stands for instead.* in .*nginx\.conf:\d+/

=== TEST 101: as many ports as hosts
--- bare
--- http_config
prompt_postgres "host=/a,/b port=1,2,3";
--- must_die
--- error_log eval
qr/\[emerg\] .*hosts, addresses and ports differ in number; write one port, or as many as hosts.* in .*nginx\.conf:\d+/

=== TEST 102: a URI of Redis, without its password
--- bare
--- http_config
prompt_redis redis://:%{alice_key}@localhost:6379/0;
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_redis" takes no URI: write "HOST:PORT".* in .*nginx\.conf:\d+/

=== TEST 103: a socket of Redis without "unix:"
--- bare
--- http_config
prompt_redis /run/redis.sock;
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_redis": write "HOST:PORT", such as "localhost:6379", or "unix:\/PATH".* in .*nginx\.conf:\d+/

=== TEST 104: a port of Redis that is none
--- bare
--- http_config
prompt_redis localhost:x;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid port in address "localhost:x" of "prompt_redis": write.* in .*nginx\.conf:\d+/

=== TEST 105: milliseconds that are seconds
--- bare
--- http_config
prompt_redis 127.0.0.1:1 timeout=100;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "100" of the parameter "timeout" of "prompt_redis": write a time from 1ms to 10s, such as "timeout=100ms".* in .*nginx\.conf:\d+/

=== TEST 106: a prefix of Redis that is too long
--- bare
--- http_config
prompt_redis 127.0.0.1:1 prefix=ppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppppp;
--- must_die
--- error_log eval
qr/\[emerg\] .*of the parameter "prefix" of "prompt_redis": write at most 128 bytes.* in .*nginx\.conf:\d+/

=== TEST 107: a database of Redis twice
--- bare
--- http_config
prompt_redis 127.0.0.1:1 db=1 db=2;
--- must_die
--- error_log eval
qr/\[emerg\] .*parameter "db" of "prompt_redis" is given twice.* in .*nginx\.conf:\d+/

=== TEST 108: a password of Redis without its name
--- bare
--- http_config
prompt_redis 127.0.0.1:1 %{alice_key};
--- must_die
--- error_log eval
qr/\[emerg\] .*argument 2 of "prompt_redis" is not a parameter: it takes "db=", "user=", .* and "\w+=".* in .*nginx\.conf:\d+/

=== TEST 109: a time of the key cache twice
--- bare
--- http_config
prompt_key_cache valid=1s valid=2s;
--- must_die
--- error_log eval
qr/\[emerg\] .*parameter "valid" of "prompt_key_cache" is given twice.* in .*nginx\.conf:\d+/

=== TEST 110: a key cache for milliseconds
--- bare
--- http_config
prompt_key_cache unknown=1500ms;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "1500ms" of the parameter "unknown" of "prompt_key_cache": write whole seconds from 1s to 60s, such as "unknown=5s".* in .*nginx\.conf:\d+/

=== TEST 111: a key cache without a name
--- bare
--- http_config
prompt_key_cache 10s;
--- must_die
--- error_log eval
qr/\[emerg\] .*argument 1 of "prompt_key_cache" is not a parameter: it takes "valid=".* and "\w+=".* in .*nginx\.conf:\d+/

=== TEST 112: name and URI the other way round
--- bare
--- http_config
prompt_provider /_one one;
--- must_die
--- error_log eval
qr/\[emerg\] .*"one" of "prompt_provider" is not the URI of a location: write the name, then the internal location.* in .*nginx\.conf:\d+/

=== TEST 113: a provider without a name
--- bare
--- http_config
prompt_provider "" /_one;
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_provider" directive has an empty name.* in .*nginx\.conf:\d+/

=== TEST 114: a provider for hours
--- bare
--- http_config
prompt_provider one /_one timeout=2h;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "2h" of the parameter "timeout" of "prompt_provider": write a time from 1ms to 1h.* in .*nginx\.conf:\d+/

=== TEST 115: a format twice
--- bare
--- http_config
prompt_provider one /_one format=openai format=anthropic;
--- must_die
--- error_log eval
qr/\[emerg\] .*parameter "format" of "prompt_provider" is given twice.* in .*nginx\.conf:\d+/

=== TEST 116: a format without its name
--- bare
--- http_config
prompt_provider one /_one openai;
--- must_die
--- error_log eval
qr/\[emerg\] .*argument 3 of "prompt_provider" is not a parameter: it takes "format=".* and "\w+=".* in .*nginx\.conf:\d+/

=== TEST 117: no model before the provider
--- bare
--- http_config
prompt_provider one /_one; prompt_model provider=one;
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_model" names no model: write it first, such as "gpt-4o-mini" or "gpt-\*".* in .*nginx\.conf:\d+/

=== TEST 118: an empty model
--- bare
--- http_config
prompt_provider one /_one; prompt_model "" provider=one;
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_model" names no model.* in .*nginx\.conf:\d+/

=== TEST 119: a provider that is empty
--- bare
--- http_config
prompt_provider one /_one; prompt_model m provider=;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "" of the parameter "provider" of "prompt_model": write the name of a prompt_provider, such as "provider=openai".* in .*nginx\.conf:\d+/

=== TEST 120: a price with its unit
--- bare
--- http_config
prompt_provider one /_one; prompt_model m provider=one input=0.15USD output=1;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "0\.15USD" of the parameter "input" of "prompt_model": write US dollars per million tokens.* in .*nginx\.conf:\d+/

=== TEST 121: a price twice
--- bare
--- http_config
prompt_provider one /_one; prompt_model m provider=one input=1 output=1 output=2;
--- must_die
--- error_log eval
qr/\[emerg\] .*parameter "output" of "prompt_model" is given twice.* in .*nginx\.conf:\d+/

=== TEST 122: max_tokens under a name that the service needs
--- bare
--- http_config
prompt_provider one /_one; prompt_model m provider=one max_tokens_as=messages;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "messages" of the parameter "max_tokens_as" of "prompt_model": write .* such as "max_tokens_as=max_completion_tokens".* in .*nginx\.conf:\d+/

=== TEST 123: a model twice says where the other stands
--- bare
--- http_config
prompt_provider one /_one; prompt_model m provider=one; prompt_model m provider=one;
--- must_die
--- error_log eval
qr/\[emerg\] .*duplicate model "m" of "prompt_model": the other one is in .*nginx\.conf:\d+.* in .*nginx\.conf:\d+/

=== TEST 124: a default model that is a pattern
--- bare
--- http_config
prompt_default_model gpt-*;
--- must_die
--- error_log eval
qr/\[emerg\] .*"gpt-\*" of "prompt_default_model" is not a model: write the full name of one.* in .*nginx\.conf:\d+/

=== TEST 125: an empty default model
--- bare
--- http_config
prompt_default_model "";
--- must_die
--- error_log eval
qr/\[emerg\] .*"" of "prompt_default_model" is not a model.* in .*nginx\.conf:\d+/

=== TEST 126: a default model that nobody serves says where it stands
--- bare
--- http_config
prompt_postgres "host=/nonexistent";
prompt_default_model m;
--- config
location = /graphql { prompt_graphql; }
--- must_die
--- error_log eval
qr/\[emerg\] .*prompt_default_model "m" is served by no provider: add "prompt_model m provider=NAME;" to the http block, or name a model that is there,.* in .*nginx\.conf:\d+/

=== TEST 127: a limit without a value
--- bare
--- config
location = /x { prompt_limits depth; }
--- must_die
--- error_log eval
qr/\[emerg\] .*parameter "depth" of "prompt_limits" has no value: write a whole number from 1 to 1000000000, such as "depth=20".* in .*nginx\.conf:\d+/

=== TEST 128: a limit with a unit
--- bare
--- config
location = /x { prompt_limits complexity=1k; }
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "1k" of the parameter "complexity" of "prompt_limits": write a whole number from 1 to 1000000000, such as "complexity=250000".* in .*nginx\.conf:\d+/

=== TEST 129: a mistyped limit lists the others
--- bare
--- config
location = /x { prompt_limits depht=5; }
--- must_die
--- error_log eval
qr/\[emerg\] .*unknown parameter "depht" of "prompt_limits": it takes "tokens=", "depth=", .* and "\w+=".* in .*nginx\.conf:\d+/

=== TEST 130: a limit in two directives of one level
--- bare
--- config
location = /x { prompt_limits depth=5; prompt_limits depth=6; }
--- must_die
--- error_log eval
qr/\[emerg\] .*parameter "depth" of "prompt_limits" is given twice.* in .*nginx\.conf:\d+/

=== TEST 131: a number alone is no limit
--- bare
--- config
location = /x { prompt_limits 5; }
--- must_die
--- error_log eval
qr/\[emerg\] .*argument 1 of "prompt_limits" is not a parameter.* in .*nginx\.conf:\d+/

=== TEST 132: persisted queries are not on
--- bare
--- http_config
prompt_persisted_queries on;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid size "on" of "prompt_persisted_queries": write the size of the zone that all workers share, such as "8m", or "off".* in .*nginx\.conf:\d+/

=== TEST 133: persisted queries in too little
--- bare
--- http_config
prompt_persisted_queries 8;
--- must_die
--- error_log eval
qr/\[emerg\] .*size "8" of "prompt_persisted_queries" is too small: write at least "\d+k", better "8m".* in .*nginx\.conf:\d+/

=== TEST 134: persisted queries twice
--- bare
--- http_config
prompt_persisted_queries off; prompt_persisted_queries 8m;
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_persisted_queries" directive is duplicate.* in .*nginx\.conf:\d+/

=== TEST 135: persisted queries of one location
--- bare
--- config
location = /x { prompt_persisted_queries 8m; }
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_persisted_queries" directive is not allowed here.* in .*nginx\.conf:\d+/

=== TEST 136: documents that are not there
--- bare
--- http_config
prompt_documents on;
--- must_die
--- error_log eval
qr/\[emerg\] .*stat\(\) ".*\/on" failed, for "prompt_documents": write a folder or file, absolute or relative to nginx\.conf, or "off" \(2: No such file or directory\).* in .*nginx\.conf:\d+/

=== TEST 137: documents without a folder
--- bare
--- http_config
prompt_documents "";
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_documents" names no folder or file: write for example "documents", or "off".* in .*nginx\.conf:\d+/

=== TEST 138: no documents, and only them
--- bare
--- http_config
prompt_documents off only;
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_documents off" takes no parameter.* in .*nginx\.conf:\d+/

=== TEST 139: a console for another host
--- bare
--- config
location = /x { prompt_console http://x/graphql; }
--- must_die
--- error_log eval
qr/\[emerg\] .*"http:\/\/x\/graphql" of "prompt_console" is not the URI of a location: write the location of prompt_graphql, such as "\/graphql".* in .*nginx\.conf:\d+/

=== TEST 140: two consoles
--- bare
--- config
location = /x { prompt_console path=../html/d; prompt_console; }
--- user_files
>>> d/console.html
<html>{{style}}{{script}}
>>> d/console.css
a{}
>>> d/console.js
1
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_console" directive is duplicate.* in .*nginx\.conf:\d+/

=== TEST 141: two stand-ins
--- bare
--- config
location = /x { prompt_echo; prompt_echo; }
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_echo" directive is duplicate.* in .*nginx\.conf:\d+/

=== TEST 142: metrics and stand-in
--- bare
--- config
location = /x { prompt_metrics; prompt_echo; }
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_echo" directive conflicts with another handler of the same location: give each a location of its own.* in .*nginx\.conf:\d+/

=== TEST 143: another module's handler after ours
--- bare
--- config
location = /x { prompt_echo; proxy_pass http://127.0.0.1:1; }
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_echo" conflicts with another handler of location "\/x", such as proxy_pass: give each a location of its own,.* in .*nginx\.conf:\d+/

=== TEST 144: introspection is no word for true
--- bare
--- config
location = /x { prompt_introspection true; }
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "true" in "prompt_introspection" directive, it must be "on" or "off".* in .*nginx\.conf:\d+/

=== TEST 145: a time to connect that is none
--- bare
--- http_config
prompt_postgres "host=/x" connect_timeout=soon;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "soon" of the parameter "connect_timeout" of "prompt_postgres": write a time from 1ms to 1h, such as "connect_timeout=5s".* in .*nginx\.conf:\d+/

=== TEST 146: a long value does not hide what to write instead
--- bare
--- http_config eval
'prompt_postgres "host=/x" timeout=' . 'x' x 2000 . ';'
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "x{64}…" of the parameter "timeout" of "prompt_postgres": write a time from 1ms to 1h, such as "timeout=5s".* in .*nginx\.conf:\d+/

=== TEST 147: retries, the length of an answer, and abandoned calls
--- bare
--- http_config
prompt_provider one /_one retries=0 max_answer=1k;
prompt_provider two /_two retries=5 max_answer=16m;
prompt_provider three /_three retries=3 max_answer=1500000;
prompt_abandoned stop;
--- config
prompt_abandoned finish;
location /t { prompt_abandoned stop; return 200 "fine"; }
--- request
GET /t
--- response_body: fine
--- allow_log: prompt

=== TEST 148: too many retries
--- bare
--- http_config
prompt_provider one /_one retries=6;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "6" of the parameter "retries" of "prompt_provider": write a whole number from 0 to 5, such as "retries=0".* in .*nginx\.conf:\d+/

=== TEST 149: retries that are no number
--- bare
--- http_config
prompt_provider one /_one retries=-1;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "-1" of the parameter "retries" of "prompt_provider": write a whole number from 0 to 5.* in .*nginx\.conf:\d+/

=== TEST 150: answers that are too long
--- bare
--- http_config
prompt_provider one /_one max_answer=17m;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "17m" of the parameter "max_answer" of "prompt_provider": write a size from 1k to 16m, such as "max_answer=8m".* in .*nginx\.conf:\d+/

=== TEST 151: answers that are too short
--- bare
--- http_config
prompt_provider one /_one max_answer=1023;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "1023" of the parameter "max_answer" of "prompt_provider": write a size from 1k to 16m.* in .*nginx\.conf:\d+/

=== TEST 152: a length that is none
--- bare
--- http_config
prompt_provider one /_one max_answer=8mb;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "8mb" of the parameter "max_answer" of "prompt_provider": write a size.* in .*nginx\.conf:\d+/

=== TEST 153: abandoned calls are finished or stopped
--- bare
--- http_config
prompt_abandoned on;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "on".* in .*nginx\.conf:\d+/

=== TEST 154: prompt_abandoned twice
--- bare
--- http_config
prompt_abandoned stop;
prompt_abandoned stop;
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_abandoned" directive is duplicate.* in .*nginx\.conf:\d+/

=== TEST 155: a session that rests longer than it lives
--- bare
--- config
location = /s { prompt_session lifetime=1h; }
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_session" ends a session that is not used later than any: write an "idle=" that is not above "lifetime=".* in .*nginx\.conf:\d+/

=== TEST 156: a trusted word that is no variable
--- bare
--- config
location = /s { prompt_session trusted=remote_user; }
--- must_die
--- error_log eval
qr/\[emerg\] .*"trusted=" of "prompt_session" is no variable: write one that has the e-mail of who was let in, such as "trusted=\$remote_user".* in .*nginx\.conf:\d+/

=== TEST 157: a session without an endpoint
--- bare
--- config
location = /s { prompt_session insecure; }
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_session" in .*nginx\.conf:\d+ needs an endpoint to sign in to: add a location with "prompt_graphql;"/

=== TEST 158: sessions twice
--- config
location = /s { prompt_session; prompt_session; }
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_session" directive is duplicate.* in .*nginx\.conf:\d+/

=== TEST 159: a word that sessions do not know
--- config
location = /s { prompt_session secure; }
--- must_die
--- error_log eval
qr/\[emerg\] .*argument 1 of "prompt_session" is not a parameter: it takes .* and the word "insecure".* in .*nginx\.conf:\d+/

=== TEST 160: prompt_health is for locations
--- bare
--- http_config
prompt_health;
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_health" directive is not allowed here.* in .*nginx\.conf:\d+/

=== TEST 161: prompt_health takes nothing
--- bare
--- config
location = /health { prompt_health on; }
--- must_die
--- error_log
invalid number of arguments in "prompt_health" directive

=== TEST 162: versions that are kept: a size
--- http_config
prompt_version_cache 1m;
--- graphql
{ prompts { versions { id } } }
--- data
{"prompts": []}

=== TEST 163: none
--- http_config
prompt_version_cache off;
--- graphql
{ prompts { versions { id } } }
--- data
{"prompts": []}

=== TEST 164: too small a size
--- bare
--- http_config
prompt_version_cache 1000k;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "1000k" of "prompt_version_cache": write "off", or a size of at least "1m", such as "prompt_version_cache 32m;".* in .*nginx\.conf:\d+/

=== TEST 165: no size
--- bare
--- http_config
prompt_version_cache on;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "on" of "prompt_version_cache": write "off", or a size of at least "1m".* in .*nginx\.conf:\d+/

=== TEST 166: less than nothing
--- bare
--- http_config
prompt_version_cache -1m;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid value "-1m" of "prompt_version_cache": write "off", or a size of at least "1m".* in .*nginx\.conf:\d+/

=== TEST 167: versions twice
--- bare
--- http_config
prompt_version_cache 1m;
prompt_version_cache off;
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_version_cache" directive is duplicate.* in .*nginx\.conf:\d+/

=== TEST 168: two sizes
--- bare
--- http_config
prompt_version_cache 1m 2m;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid number of arguments in "prompt_version_cache" directive.* in .*nginx\.conf:\d+/

=== TEST 169: not in a server
--- bare
--- config
prompt_version_cache 1m;
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_version_cache" directive is not allowed here.* in .*nginx\.conf:\d+/

=== TEST 170: a cluster of nobody
--- bare
--- http_config
prompt_redis cluster=;
--- must_die
--- error_log eval
qr/\[emerg\] .*no host in address "" of "prompt_redis": write "HOST:PORT", several of them separated by commas.* in .*nginx\.conf:\d+/

=== TEST 171: a gap in a cluster
--- bare
--- http_config
prompt_redis cluster=127.0.0.1:1,,127.0.0.1:2;
--- must_die
--- error_log eval
qr/\[emerg\] .*no host in address "" of "prompt_redis".* in .*nginx\.conf:\d+/

=== TEST 172: a socket in a cluster
--- bare
--- http_config
prompt_redis cluster=unix:/tmp/r;
--- must_die
--- error_log eval
qr/\[emerg\] .*no host in address "unix:.*" of "prompt_redis": write "HOST:PORT".* in .*nginx\.conf:\d+/

=== TEST 173: a port of a cluster that is none
--- bare
--- http_config
prompt_redis cluster=127.0.0.1:x;
--- must_die
--- error_log eval
qr/\[emerg\] .*invalid port in address "127.0.0.1:x" of "prompt_redis": write "HOST:PORT".* in .*nginx\.conf:\d+/

=== TEST 174: a database of a cluster
--- bare
--- http_config
prompt_redis cluster=127.0.0.1:1 db=1;
--- must_die
--- error_log eval
qr/\[emerg\] .*a cluster of Redis has no databases: take "db=" out of "prompt_redis".* in .*nginx\.conf:\d+/

=== TEST 175: Sentinel without a name
--- bare
--- http_config
prompt_redis sentinel=127.0.0.1:1;
--- must_die
--- error_log eval
qr/\[emerg\] .*"sentinel=127.0.0.1:1" of "prompt_redis" does not say which master: write "sentinel=NAME\@HOST:PORT,.*".* in .*nginx\.conf:\d+/

=== TEST 176: Sentinel without an address
--- bare
--- http_config
prompt_redis sentinel=a@;
--- must_die
--- error_log eval
qr/\[emerg\] .*no host in address "" of "prompt_redis".* in .*nginx\.conf:\d+/

=== TEST 177: a password of Sentinels that are not there
--- bare
--- http_config
prompt_redis 127.0.0.1:1 sentinel_password=p;
--- must_die
--- error_log eval
qr/\[emerg\] .*"sentinel_password=" of "prompt_redis" is for "sentinel=NAME\@HOST:PORT".* in .*nginx\.conf:\d+/

=== TEST 178: zones by variables of maps whose names begin as those of the module do
--- http_config
map $http_x_tier $prompt_tier { default ""; }
map $http_x_tier $prompt_user_id_of { default ""; }
map $http_x_tier $prompt_credentials { default ""; }
limit_req_zone $prompt_tier$binary_remote_addr zone=tiers:1m rate=1000r/s;
limit_conn_zone ${prompt_user_id_of} zone=ids:1m;
limit_conn_zone $prompt_credentials$prompt_credential zone=credentials:1m;
--- graphql
{ me { email } }
--- data
{"me": {"email": "alice@example.com"}}
