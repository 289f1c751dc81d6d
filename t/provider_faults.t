# A provider that fails: in time, with one code, nothing repeated, recorded.

use lib 't/lib';
use PromptTest;

# MODEL as the only version of a prompt, executed
sub setup
{
    my ($model) = @_;

    return "DELETE FROM prompts; "
        . "INSERT INTO prompts (id, owner_id, name, category, is_public, "
        . "updated_at, last_version) VALUES "
        . "('01890000-0000-7000-8000-000000000001', '%{alice_id}', 'run', "
        . "'GENERAL', false, now(), 1); "
        . "INSERT INTO prompt_versions (id, prompt_id, owner_id, version, "
        . "content, params) VALUES ('01890000-0000-7000-8000-00000000000a', "
        . "'01890000-0000-7000-8000-000000000001', '%{alice_id}', 1, "
        . "'secret text', '{\"model\":\"$model\"}');";
}

# what nginx itself makes of an interim answer: it takes it for the answer;
# since 1.29 it passes 103 over, and some versions refuse the others
my ($minor) = `$PromptTest::Env::nginx -v 2>&1` =~ /nginx\/1\.(\d+)/;
my $interim = $minor < 29 ? 'interim answer, status 10[0-9], before'
                          : '(interim answer, status 10|could not be reached)';

my @failing = (
    [ 'status 400', 'fx:status=400', '400' ],
    [ 'status 401', 'fx:status=401', '401' ],
    [ 'status 429', 'fx:status=429', '429' ],
    [ 'status 500', 'fx:status=500', '500' ],
    [ 'status 503', 'fx:status=503', '503' ],
    [ 'status 418', 'fx:status=418', '418' ],
    [ 'status 204', 'fx:status=204', '' ],
    [ 'silence', 'fx:hang', 'timed out: no answer' ],
    [ 'headers only', 'fx:headers-only', 'timed out: its answer with status 200' ],
    [ 'a byte every 100 ms', 'fx:drip=100', 'time' ],
    [ 'silence after some bytes', 'fx:stop=20', 'time' ],
    [ 'closed without an answer', 'fx:close', 'could not be reached' ],
    [ 'reset', 'fx:reset', '' ],
    [ 'reset within the answer', 'fx:reset=20', '' ],
    [ 'truncated', 'fx:cut=20', 'status 200 is incomplete' ],
    [ 'Content-Length above what comes', 'fx:long', '' ],
    [ 'Content-Length below what comes', 'fx:short', '' ],
    [ 'chunks that are none', 'fx:bad-chunk', '' ],
    [ 'compressed without saying so', 'fx:gzip-lie', '' ],
    [ 'a redirect', 'fx:redirect=http%%3A%%2F%%2F127.0.0.1%%2F', '307' ],
    [ 'X-Accel-Redirect', 'fx:accel=%%2F_provider%%2Fanthropic', '' ],
    [ 'X-Accel-Redirect to a file', 'fx:accel=%%2Findex.html', '' ],
    [ 'no JSON', 'fx:raw=hello', 'status 200 could not be read' ],
    [ 'an empty body', 'fx:raw', '' ],
    [ 'null', 'fx:raw=null', '' ],
    [ 'HTML', 'fx:file=hostile%%2F200.html', '' ],
    [ 'no choices', 'fx:file=hostile%%2Fno_choices.json', '' ],
    [ 'empty choices', 'fx:file=hostile%%2Fempty_choices.json', '' ],
    [ 'an error with status 200', 'fx:file=hostile%%2Ferror_200.json', '' ],
    [ 'the form of Anthropic, of another provider',
      'fx:file=anthropic%%2Fmessages.200.cached.json', '' ],
    [ 'a body of 9 MiB', 'fx:big=9437184', 'status 200 is larger' ],
    [ '100,000 levels', 'fx:deep=100000', '' ],
    [ '100 Continue, and nginx waits no longer', 'fx:early=100,keep',
      $interim ],
    [ '102 Processing', 'fx:early=102', $interim ],
    [ 'a redirect with a body', 'fx:redirect=http%%3A%%2F%%2F10.0.0.1%%2F,'
      . 'status=302', '302' ],
    [ 'compressed, and says so, though nobody asked', 'fx:gzip', '' ],
    [ 'a bomb', 'fx:bomb=64', '' ],
    [ 'headers that are too large', 'fx:header-size=200000',
      'could not be read by nginx' ],
    [ 'an array', 'fx:raw=%%5B%%5D', '' ],
    [ 'truncated JSON', 'fx:file=hostile%%2Ftruncated.json', '' ],
    [ 'status 402', 'fx:status=402', '402' ],
    [ 'status 529', 'fx:status=529', '529' ],
    [ 'status 600', 'fx:status=600', '' ],
    [ 'status 304', 'fx:status=304', '' ],
    [ 'status 206', 'fx:status=206,raw=hello', '' ],
    [ 'the provider\'s key in its answer', 'fx:file=hostile%%2Fkey_echo.401.json',
      '401' ],
);

if ($minor < 29) {
    push @failing, [ '103 Early Hints', 'fx:early', $interim ],
        [ 'the same, and the connection stays open', 'fx:early,keep',
          $interim ],
        [ 'the same, and then nothing', 'fx:early,headers-only', $interim ];
}

my $data = '';
my $n = 0;

for my $case (@failing) {
    my ($title, $model, $word) = @$case;

    $model =~ s/%%/%/g;
    $n++;
    $data .= <<"END";
=== TEST $n: $title
--- sql eval
main::setup('$model')
--- graphql
mutation { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", input: {}) { output } }
--- data
{"executePrompt": null}
--- errors
[{"message": "/$word/", "path": ["executePrompt"], "extensions": {"code": "INTERNAL_SERVER_ERROR", "executionId": "<uuid>"}}]
--- response_body_unlike: secret|127\\.0\\.0\\.1|sk-
--- provider_calls: 1
--- timeout: 6
--- sql_check
SELECT status, error <> '', error ~ 'sk-|secret|127', output, finished_at IS NOT NULL FROM executions
--- sql_result: failed|t|f||t

END
}

# the blocks, in place of what would stand below __DATA__
open DATA, "<", \$data or die;

run_tests();
