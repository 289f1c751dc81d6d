use strict; use warnings;
use lib 't/lib';
use PromptTest::OpenAI; use Test::More;
my $s = PromptTest::OpenAI::server();
my $id = PromptTest::OpenAI::prompt($s, 'Greet', 'fx:ok', version => { content => 'Hello {{name}}' });
sub show { my ($what, $got) = @_; diag "== $what: $got->{status}\n$got->{head}$got->{body}"; }
show 'chat', PromptTest::OpenAI::ask($s, 'chat/completions', { model => 'greet', prompt_variables => { name => 'Bob' } });
show 'chat msg', PromptTest::OpenAI::ask($s, 'chat/completions', { model => 'greet@1', prompt_variables => { name => 'Bob' }, messages => [{ role=>'user', content=>'more'}], temperature=>0.5 });
show 'chat 404', PromptTest::OpenAI::ask($s, 'chat/completions', { model => 'gpt-4o' });
show 'chat wrong', PromptTest::OpenAI::ask($s, 'chat/completions', { model => 'greet', temperature=>9 });
show 'chat wrong', PromptTest::OpenAI::ask($s, 'chat/completions', { model => 'greet', messages=>[{role=>'user',content=>3}] });
show 'chat stream', PromptTest::OpenAI::ask($s, 'chat/completions', { model => 'greet', stream=>\1, stream_options=>{include_usage=>\1}, prompt_variables=>{name=>'x'} });
show 'resp', PromptTest::OpenAI::ask($s, 'responses', { prompt => {id=>'greet', version=>'1', variables=>{name=>'Bob'}}, input=>'hi there' });
show 'resp stream', PromptTest::OpenAI::ask($s, 'responses', { prompt => {id=>'greet', version=>'1', variables=>{name=>'Bob'}}, input=>'hi there you', stream=>\1 });
show 'models', PromptTest::OpenAI::ask($s, 'models', undef);
show 'model', PromptTest::OpenAI::ask($s, 'models/greet', undef);
show 'model', PromptTest::OpenAI::ask($s, 'models/greet@3', undef);
show 'lite', PromptTest::OpenAI::ask($s, 'beta/litellm_prompt_management?prompt_id=greet', undef);
ok 1; done_testing;
