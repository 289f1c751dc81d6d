# prompt_console: the page, its headers, what its policy allows.

use strict;
use warnings;

use Digest::SHA qw(sha256_base64 sha256_hex);

use lib 't/lib';
use PromptTest;

# base64 as policies have it
sub hash
{
    my $hash = sha256_base64($_[0]);

    return $hash . '=' x (-length($hash) % 4);
}

our $style = "body{color:red}\n";
our $script = "const a='{{style}}';\n" x 20;

our $template = <<'END';
<!doctype html>
<meta name="prompt-graphql" content="{{graphql}}">
<meta name="prompt-session" content="{{session}}">
<style>{{style}}</style>
<script type="module">{{script}}</script>
END

# what "make dashboard" builds has such files
our $files = [ [ 'd/console.html', $template ], [ 'd/console.css', $style ],
               [ 'd/console.js', $script ] ];

# page($graphql, $session): what must be served
sub page
{
    my ($graphql, $session) = @_;
    my %marks = (graphql => $graphql, session => $session || '/session',
                 style => $main::style, script => $main::script);

    return $main::template =~ s/\{\{(\w+)\}\}/$marks{$1}/gr;
}

our $page = page('/graphql');
our $etag = '"' . substr(sha256_hex($page), 0, 32) . '"';

our $policy = "default-src 'none'; script-src 'sha256-" . hash($script)
              . "'; style-src 'sha256-" . hash($style)
              . "'; img-src data:; connect-src 'self'; base-uri 'none'; "
              . "form-action 'none'; frame-ancestors 'none'; "
              . "require-trusted-types-for 'script'; trusted-types 'none'";

run_tests();

__DATA__

=== TEST 1: the page and its headers
--- config
location = /console { prompt_console path=../html/d; }
--- user_files eval: $::files
--- request
GET /console
--- response_headers eval
"Content-Type: text/html; charset=utf-8
Content-Security-Policy: $::policy
X-Content-Type-Options: nosniff
Referrer-Policy: no-referrer
Cache-Control: no-cache
Cross-Origin-Opener-Policy: same-origin
Cross-Origin-Resource-Policy: same-origin
ETag: $::etag"
--- response_body eval
$::page

=== TEST 2: HEAD
--- config
location = /console { prompt_console path=../html/d; }
--- user_files eval: $::files
--- request
HEAD /console
--- response_headers eval
"Content-Length: " . length($::page) . "
ETag: $::etag"
--- response_body

=== TEST 3: what the browser has already
--- config
location = /console { prompt_console path=../html/d; }
--- user_files eval: $::files
--- request
GET /console
--- more_headers eval
"If-None-Match: $::etag"
--- error_code: 304
--- response_headers eval
"Content-Security-Policy: $::policy
ETag: $::etag"
--- response_body

=== TEST 4: another version
--- config
location = /console { prompt_console path=../html/d; }
--- user_files eval: $::files
--- request
GET /console
--- more_headers
If-None-Match: "0123456789abcdef"
--- response_body eval
$::page

=== TEST 5: POST is not for the console
--- config
location = /console { prompt_console path=../html/d; }
--- user_files eval: $::files
--- request
POST /console
{"query":"{ me { id } }"}
--- error_code: 405
--- response_headers
Allow: GET, HEAD

=== TEST 6: DELETE neither
--- config
location = /console { prompt_console path=../html/d; }
--- user_files eval: $::files
--- request
DELETE /console
--- error_code: 405
--- response_headers
Allow: GET, HEAD

=== TEST 7: another endpoint
--- config
location = /console { prompt_console /api/v1?a=1&b='2' path=../html/d; }
--- user_files eval: $::files
--- request
GET /console
--- response_body eval
::page('/api/v1?a=1&amp;b=\'2\'')

=== TEST 8: two consoles, each with its endpoint
--- config
location = /console { prompt_console path=../html/d; }
location = /other   { prompt_console /v1 path=../html/d; }
--- user_files eval: $::files
--- request eval
["GET /console", "GET /other"]
--- response_body eval
[$::page, ::page('/v1')]

=== TEST 9: compressed by nginx
--- config
location = /console { prompt_console path=../html/d; gzip on; }
--- user_files eval: $::files
--- request
GET /console
--- more_headers
Accept-Encoding: gzip
--- response_headers eval
"Content-Encoding: gzip
Content-Security-Policy: $::policy
ETag: W/$::etag"

=== TEST 10: no database, no endpoint is needed
--- bare
--- config
location = /console { prompt_console /graphql path=../html/d; }
--- user_files eval: $::files
--- request
GET /console
--- response_body eval
$::page

=== TEST 11: the address of another host
--- bare
--- config
location = /console { prompt_console https://example.com/graphql; }
--- must_die
--- error_log
"https://example.com/graphql" of "prompt_console" is not the URI of a location

=== TEST 12: the same without a scheme
--- bare
--- config
location = /console { prompt_console //example.com/graphql; }
--- must_die
--- error_log
"//example.com/graphql" of "prompt_console" is not the URI of a location

=== TEST 13: what browsers take for it
--- bare
--- config
location = /console { prompt_console /\\example.com/graphql; }
--- must_die
--- error_log
has a character that cannot stand in a URI: write it as "%5C"

=== TEST 14: markup
--- bare
--- config
location = /console { prompt_console '/"><script>'; }
--- must_die
--- error_log
has a character that cannot stand in a URI: write it as "%22"

=== TEST 15: nothing
--- bare
--- config
location = /console { prompt_console ""; }
--- must_die
--- error_log
"" of "prompt_console" is not the URI of a location

=== TEST 16: twice
--- bare
--- config
location = /console { prompt_console path=../html/d; prompt_console /v1 path=../html/d; }
--- user_files eval: $::files
--- must_die
--- error_log
"prompt_console" directive is duplicate

=== TEST 17: with another handler
--- bare
--- config
location = /console { prompt_echo; prompt_console; }
--- must_die
--- error_log
"prompt_console" directive conflicts with another handler of the same location

=== TEST 18: an argument that there is not
--- bare
--- config
location = /console { prompt_console /a /b; }
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_console".*the location of prompt_graphql goes first/

=== TEST 19: not in a server
--- bare
--- config
prompt_console;
--- must_die
--- error_log
"prompt_console" directive is not allowed here

=== TEST 20: with a session of another address
--- config
location = /console { prompt_console path=../html/d session=/in; }
--- user_files eval: $::files
--- request
GET /console
--- response_body eval
main::page('/graphql', '/in')

=== TEST 21: nothing was built
--- bare
--- config
location = /console { prompt_console; }
--- must_die
--- error_log eval
qr/\[emerg\] .*share\/prompt-dashboard", for "prompt_console", has no console\.html: `make dashboard' builds it/

=== TEST 22: only a part of it
--- bare
--- config
location = /console { prompt_console path=../html/d; }
--- user_files
>>> d/console.html
<html>
--- must_die
--- error_log
for "prompt_console", has no console.css

=== TEST 23: a session of another host
--- bare
--- config
location = /console { prompt_console session=//x/; }
--- must_die
--- error_log
"//x/" of "prompt_console" is not the URI of a location
