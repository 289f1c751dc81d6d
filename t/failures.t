# Calls that fail: what a client and the row are told of why, in the service's
# words and the provider's.

use strict;
use warnings;

use lib 't/lib';
use PromptTest::Calls;
use PromptTest::Server;
use Test::More;

my $closed = PromptTest::Env::free_port();

my $s = PromptTest::Server->new(workers => 1,
    http => "
    prompt_provider quiet /_provider/openai error_text=off;
    prompt_provider short /_provider/openai timeout=300ms;
    prompt_provider closed /_provider/closed;
    prompt_model quiet-fx:* provider=quiet;
    prompt_model short-fx:* provider=short;
    prompt_model closed-* provider=closed;",
    server => "location = /_provider/closed { internal; "
              . "proxy_pass http://127.0.0.1:$closed; }");

my $seen = '{ execution(id: "%s") { status error providerStatus '
           . 'providerMessage } }';


# failed($params): the error, and what the log has of it
sub failed
{
    my ($params) = @_;
    my $id = version($s, $params);
    my $error = $s->ask('alice', $PromptTest::Calls::run, { id => $id })
        ->{json}{errors}[0];

    return ($error, $s->ask('alice', sprintf($seen,
                            $error->{extensions}{executionId} // ''))
                      ->{json}{data}{execution});
}


# the fixtures' own words, in all the forms in which errors come

for my $case (
    [ 'openai/error.400.bad_param.json', 400, 0, qr/./ ],
    [ 'openai/error.429.rate.json', 429, 1, qr/./ ],
    [ 'openai/error.429.quota.json', 429, 0, qr/./ ],
    [ 'openai/error.500.server.json', 500, 1, qr/./ ],
    [ 'openai/error.401.invalid_key.json', 401, 0, undef ],
    [ 'gemini/openai-compat.error.429.array.json', 429, 1, qr/./ ],
    [ 'compat/vllm.error.400.old-flat.json', 400, 0, qr/./ ],
    [ 'compat/fastapi.error.422.detail.json', 422, 0, qr/./ ],
    [ 'compat/ollama.error.500.json', 500, 1, qr/./ ],
    [ 'hostile/error_string.json', 503, 1, qr/./ ],
    [ 'hostile/error_200.json', 200, 0, qr/./ ],
    [ 'hostile/key_echo.401.json', 401, 0, undef ],
    [ 'hostile/200.html', 502, 1, undef ])
{
    my ($file, $status, $again, $said) = @$case;
    my ($error, $row) = failed({ model => 'fx:file=' . $file =~ s{/}{%2F}gr });
    my $extra = $error->{extensions};

    is($extra->{reason}, 'PROVIDER', $file);
    is($extra->{code}, 'INTERNAL_SERVER_ERROR', 'under its code');
    is($extra->{providerStatus}, $status, 'its status');
    is(!!$extra->{retryable}, !!$again, 'whether to ask again');
    is($row->{providerStatus}, $status, 'the status in the log');

    if (defined $said) {
        like($row->{providerMessage}, $said, 'and the words');
        unlike($error->{message}, qr/\Q$row->{providerMessage}\E/,
               'which the answer does not have');
    } else {
        is($row->{providerMessage}, undef, 'and no words');
    }
}


# of one line

my ($error, $row) = failed({ model => 'fx:status=400,raw='
    . join '', map { sprintf '%%%02X', ord } split //,
      '{"error":{"message":"a\\u0001b\\nc\\u2028d\\u202ee"}}' });
is($row->{providerMessage}, 'a b c d e', 'what cannot be seen is a space');

($error, $row) = failed({ model => 'quiet-fx:file=openai%2Ferror.500.server'
                                   . '.json' });
is($row->{providerMessage}, undef, 'error_text=off');
is($row->{providerStatus}, 500, 'keeps no words');


# when to ask again

($error) = failed({ model => 'fx:status=503,retry-after=7' });
is($error->{extensions}{retryAfter}, 7, 'seconds');
($error) = failed({ model => 'fx:status=400,retry-after=7' });
ok(!exists $error->{extensions}{retryAfter}, 'not where it does not help');

($error, $row) = failed({ model => 'short-fx:hang' });
ok($error->{extensions}{retryable}, 'one that does not answer');
is($row->{providerStatus}, undef, 'has no status');
($error, $row) = failed({ model => 'closed-x' });
is($error->{extensions}{reason}, 'PROVIDER', 'one that is not there');
ok($error->{extensions}{retryable} && !exists $error->{extensions}{providerStatus},
   'the same');
($error, $row) = failed({ model => 'fx:cut=20' });
ok(!$error->{extensions}{retryable}, 'one whose answer breaks off was paid');
is($row->{providerStatus}, 200, 'it had begun');


# a success, and what others see

my $answer = executed($s, { model => 'fx:text=fine' });
$row = $s->ask('alice', sprintf($seen, $answer->{executionId}))
    ->{json}{data}{execution};
is_deeply([ @$row{qw(status providerStatus providerMessage)} ],
          [ 'succeeded', undef, undef ], 'a success has neither');

PromptTest::Env::psql("UPDATE prompts SET is_public = true");
my $id = version($s, { model => 'fx:file=openai%2Ferror.500.server.json' });
PromptTest::Env::psql("UPDATE prompts SET is_public = true");
$error = $s->ask('bob', $PromptTest::Calls::run, { id => $id })
    ->{json}{errors}[0];
for my $who ([ 'bob', 500 ], [ 'alice', undef ]) {
    $row = $s->ask($who->[0], sprintf($seen,
                                      $error->{extensions}{executionId}))
        ->{json}{data}{execution};
    is($row->{providerStatus}, $who->[1], "$who->[0] ran it, or not");
    is(defined $row->{providerMessage}, defined $who->[1], 'the words');
}

unlike($s->log, qr/retry your request/i, 'the log has no word of it')
    if $s->can('log');

done_testing();
