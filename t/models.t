# models: what the configuration serves, with its prices.

use lib 't/lib';
use PromptTest;

run_tests();

__DATA__

=== TEST 1: names, prefixes, providers, formats and prices, as they stand there
--- http_config
prompt_provider gem /_provider/openai format=gemini;
prompt_model gem-* provider=gem input=1.2500 output=0.000000000001;
prompt_model exact provider=gem input=0 output=10
             cached_input=0.5 long_from=10 long_input=7 long_output=8;
--- graphql
{ models { name provider format inputUsd outputUsd } }
--- data
{"models": [
 {"name": "fx:*", "provider": "openai", "format": "openai", "inputUsd": "0.15", "outputUsd": "0.6"},
 {"name": "free-fx:*", "provider": "openai", "format": "openai", "inputUsd": null, "outputUsd": null},
 {"name": "claude-fx:*", "provider": "anthropic", "format": "anthropic", "inputUsd": "3", "outputUsd": "15"},
 {"name": "gem-*", "provider": "gem", "format": "gemini", "inputUsd": "1.25", "outputUsd": "0.000000000001"},
 {"name": "exact", "provider": "gem", "format": "gemini", "inputUsd": "0", "outputUsd": "10"}]}

=== TEST 2: twice in one request, beside others
--- graphql
{ a: models { name __typename } me { email } b: models { name } }
--- data
{"a": [{"name": "fx:*", "__typename": "Model"}, {"name": "free-fx:*", "__typename": "Model"}, {"name": "claude-fx:*", "__typename": "Model"}],
 "me": {"email": "alice@example.com"},
 "b": [{"name": "fx:*"}, {"name": "free-fx:*"}, {"name": "claude-fx:*"}]}

=== TEST 3: nobody without a key, nor with one that may not read
--- cases
none: { models { name } } => 401 UNAUTHENTICATED
execute: { models { name } } => 401 UNAUTHENTICATED
alice: { models { name } } => {"models": "<any>"}
