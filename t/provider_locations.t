# Providers whose location is missing in the server of the endpoint: nginx
# starts, and warns with both places.

use strict;
use warnings;

use lib 't/lib';
use PromptTest::Server;
use Test::More;

my $s = PromptTest::Server->new(http => <<'END', server => <<'END2');
    prompt_provider exact /_exact?version=1;
    prompt_provider prefix /_prefix/chat;
    prompt_provider pattern /_pattern/v1;
    prompt_provider missing /_missing/chat;
    prompt_provider unused /_unused;
    prompt_model exact provider=exact;
    prompt_model prefix provider=prefix;
    prompt_model pattern provider=pattern;
    prompt_model missing provider=missing;

    server {
        listen unix:nobody.sock;
        location / { prompt_echo; }
    }
END
    location = /_exact { internal; prompt_echo; }
    location /_prefix/ { internal; prompt_echo; }
    location ~ ^/_pattern/v\d$ { internal; prompt_echo; }
    location = /_missing { internal; prompt_echo; }
END2

my @warnings = grep { /no location serves/ } split /^/, $s->log_text;

is(@warnings, 1, 'one is missing') or diag(@warnings);

my $place = qr/\S+nginx\.conf:\d+/;

like($warnings[0],
     qr{\[warn\] .*: no location serves "/_missing/chat" of the provider "missing" in $place: },
     'it says which provider, and where it stands');

like($warnings[0],
     qr{add "location = /_missing/chat \{ internal; proxy_pass \.\.\.; \}" to the server of the "prompt_graphql" in $place$},
     'it says what to add where');

$s->stop;

is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
