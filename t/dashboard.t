# prompt_dashboard: what it serves, to whom it says what, and what is no
# dashboard.  A small one stands for what "make dashboard" builds.

use strict;
use warnings;

use Digest::SHA qw(sha256_hex);
use IO::Compress::Gzip qw(gzip $GzipError);

use lib 't/lib';
use PromptTest;

our $script = "import './chunk-BBBB.js';\n" . "console.log(1);\n" x 40;

gzip(\$script => \our $gzip) or die $GzipError;

our $template = <<'END';
<!doctype html>
<meta name="prompt-base" content="{{base}}">
<meta name="prompt-graphql" content="{{graphql}}">
<meta name="prompt-session" content="{{session}}">
<link rel="stylesheet" href="{{base}}assets/main-CCCC.css">
<script type="module" src="{{base}}assets/main-AAAA.js"></script>
END

our $manifest = <<'END';
prompt-dashboard 1
page index.html
route /
route /login
route /prompts
route /prompts/:
route /prompts/:/:
asset assets/main-CCCC.css text/css
asset assets/main-AAAA.js text/javascript
END

# files(NAME => text, ...): a dashboard in which some files are others
sub files
{
    my %files = ('manifest' => $main::manifest,
                 'index.html' => $main::template,
                 'assets/main-AAAA.js' => $main::script,
                 'assets/main-AAAA.js.gz' => $main::gzip,
                 'assets/main-CCCC.css' => "body{}\n", @_);

    return [ map { [ "d/$_", $files{$_} ] }
             grep { defined $files{$_} } sort keys %files ];
}

# page(BASE, GRAPHQL, SESSION): the page with its marks filled
sub page
{
    my ($base, $graphql, $session) = @_;
    my %marks = (base => $base, graphql => $graphql || '/graphql',
                 session => $session || '/session');
    my $page = $main::template;

    $page =~ s/\{\{(\w+)\}\}/$marks{$1}/g;

    return $page;
}

our $files = files();
our $page = page('/dashboard/');
our $etag = '"' . substr(sha256_hex($page), 0, 32) . '"';
our $script_etag = '"' . substr(sha256_hex($script), 0, 32) . '"';
our $gzip_etag = '"' . substr(sha256_hex($gzip), 0, 32) . '"';

our $secure = "Content-Security-Policy: default-src 'none'; script-src 'self';"
    . " style-src 'self'; img-src 'self' data:; font-src 'self';"
    . " connect-src 'self'; base-uri 'none'; form-action 'none';"
    . " frame-ancestors 'none'; require-trusted-types-for 'script'\n"
    . "X-Content-Type-Options: nosniff\n"
    . "Referrer-Policy: no-referrer\n"
    . "Cross-Origin-Opener-Policy: same-origin\n"
    . "Cross-Origin-Resource-Policy: same-origin\n";

run_tests();

__DATA__

=== TEST 1: the page and its headers
--- config
location /dashboard/ { prompt_dashboard ../html/d; }
--- user_files eval: $::files
--- request
GET /dashboard/
--- response_headers eval
"Content-Type: text/html; charset=utf-8
Cache-Control: no-cache
ETag: $::etag
$::secure"
--- response_body eval
$::page

=== TEST 2: for each of its routes
--- config
location /dashboard/ { prompt_dashboard ../html/d; }
--- user_files eval: $::files
--- request eval
["GET /dashboard/login", "GET /dashboard/prompts/",
 "GET /dashboard/prompts/0190-x", "GET /dashboard/prompts/a%2Eb/run?x=1"]
--- response_body eval
[$::page, $::page, $::page, $::page]

=== TEST 3: for others, with the status that they have
--- config
location /dashboard/ { prompt_dashboard ../html/d; }
--- user_files eval: $::files
--- request eval
["GET /dashboard/other", "GET /dashboard/prompts/a/b/c", "GET /dashboard//",
 "GET /dashboard/manifest", "GET /dashboard/index.html",
 "GET /dashboard/prompt"]
--- error_code eval
[404, 404, 200, 404, 404, 404]
--- response_body eval
[$::page, $::page, $::page, $::page, $::page, $::page]

=== TEST 4: HEAD
--- config
location /dashboard/ { prompt_dashboard ../html/d; }
--- user_files eval: $::files
--- request
HEAD /dashboard/prompts
--- response_headers eval
"ETag: $::etag
Content-Length: " . length($::page)
--- response_body:

=== TEST 5: the page is not sent to who has it
--- config
location /dashboard/ { prompt_dashboard ../html/d; }
--- user_files eval: $::files
--- request
GET /dashboard/prompts
--- more_headers eval
"If-None-Match: $::etag"
--- error_code: 304
--- response_headers eval
"Cache-Control: no-cache
$::secure"
--- response_body:

=== TEST 6: a file is good for ever
--- config
location /dashboard/ { prompt_dashboard ../html/d; }
--- user_files eval: $::files
--- request
GET /dashboard/assets/main-AAAA.js
--- response_headers eval
"Content-Type: text/javascript; charset=utf-8
Cache-Control: public, max-age=31536000, immutable
Vary: Accept-Encoding
Content-Encoding:
ETag: $::script_etag
$::secure"
--- response_body eval
$::script

=== TEST 7: compressed for who takes it
--- config
location /dashboard/ { prompt_dashboard ../html/d; }
--- user_files eval: $::files
--- request
GET /dashboard/assets/main-AAAA.js
--- more_headers
Accept-Encoding: br, gzip
--- response_headers eval
"Content-Type: text/javascript; charset=utf-8
Cache-Control: public, max-age=31536000, immutable
Vary: Accept-Encoding
Content-Encoding: gzip
Content-Length: " . length($::gzip) . "
ETag: $::gzip_etag
$::secure"
--- response_body eval
$::gzip

=== TEST 8: not for who refuses it, and conditional as well
--- config
location /dashboard/ { prompt_dashboard ../html/d; }
--- user_files eval: $::files
--- request eval
["GET /dashboard/assets/main-AAAA.js", "GET /dashboard/assets/main-AAAA.js",
 "HEAD /dashboard/assets/main-AAAA.js"]
--- more_headers eval
["Accept-Encoding: gzip;q=0",
 "Accept-Encoding: gzip\nIf-None-Match: $::gzip_etag",
 "Accept-Encoding: gzip"]
--- error_code eval
[200, 304, 200]
--- response_headers eval
["ETag: $::script_etag", "Vary: Accept-Encoding", "Content-Encoding: gzip"]
--- response_body eval
[$::script, "", ""]

=== TEST 9: a file that is not compressed
--- config
location /dashboard/ { prompt_dashboard ../html/d; }
--- user_files eval: $::files
--- request
GET /dashboard/assets/main-CCCC.css
--- more_headers
Accept-Encoding: gzip
--- response_headers
Content-Type: text/css; charset=utf-8
Content-Encoding:
Vary:
--- response_body
body{}

=== TEST 10: no file but those that were built
--- config
location /dashboard/ { prompt_dashboard ../html/d; }
--- user_files eval: [@$::files, ['d/assets/secret.js', "no\n"], ['d/secret', "no\n"]]
--- request eval
["GET /dashboard/assets/secret.js", "GET /dashboard/assets/",
 "GET /dashboard/assets/main-AAAA.js.gz",
 "GET /dashboard/assets/..%2fsecret",
 "GET /dashboard/assets/%2e%2e/secret",
 "GET /dashboard/assets/main-AAAA.js%00", "GET /dashboard/assets/../../../x"]
--- error_code eval
[404, 404, 404, 404, 404, 400, 400]
--- response_body_unlike eval
[qr/no\n/, qr/no\n/, qr/no\n/, qr/no\n/, qr/^no\n/, qr/no\n/, qr/no\n/]

=== TEST 11: only reading
--- config
location /dashboard/ { prompt_dashboard ../html/d; }
--- user_files eval: $::files
--- request eval
["POST /dashboard/prompts\nx=1", "DELETE /dashboard/assets/main-AAAA.js",
 "OPTIONS /dashboard/"]
--- error_code eval
[405, 405, 405]
--- response_headers eval
["Allow: GET, HEAD", "Allow: GET, HEAD", "Allow: GET, HEAD"]

=== TEST 12: without the last slash
--- config
location /dashboard/ { prompt_dashboard ../html/d; }
location /two { prompt_dashboard ../html/d; absolute_redirect off; }
--- user_files eval: $::files
--- request eval
["GET /dashboard", "GET /two", "GET /two/login", "GET /twofold"]
--- error_code eval
[301, 301, 200, 404]
--- response_headers_like eval
["Location: http://[^/]+/dashboard/", "Location: /two/", "", ""]

=== TEST 13: in a nested location, with other addresses, with odd names
--- config
location /a/ {
    location /a/b/ { prompt_dashboard ../html/d graphql=/v1?a=1&b=2; }
}
location /c/ { prompt_dashboard ../html/d session=/in graphql=/g; }
location "/x y%q/" { prompt_dashboard ../html/d; }
--- user_files eval: $::files
--- request eval
["GET /a/b/login", "GET /c/prompts", "GET /x%20y%25q/assets/main-CCCC.css",
 "GET /x%20y%25q/login"]
--- response_body eval
[main::page('/a/b/', '/v1?a=1&amp;b=2'), main::page('/c/', '/g', '/in'),
 "body{}\n", main::page('/x%20y%25q/')]

=== TEST 14: where requests are rewritten
--- config
location /dashboard/ { prompt_dashboard ../html/d; }
location /old { rewrite ^ /dashboard/login last; }
location /odd/ { prompt_dashboard ../html/d; rewrite ^ /elsewhere break; }
--- user_files eval: $::files
--- request eval
["GET /old", "GET /odd/login"]
--- error_code eval
[200, 404]
--- response_body_like eval
["prompt-base", "404"]

=== TEST 15: limit_except, gzip
--- config
location /dashboard/ {
    prompt_dashboard ../html/d;
    limit_except GET { deny all; }
    gzip on;
    gzip_min_length 1;
}
--- user_files eval: $::files
--- request eval
["GET /dashboard/login", "PUT /dashboard/login"]
--- more_headers
Accept-Encoding: gzip
--- error_code eval
[200, 403]
--- response_headers eval
["Content-Encoding: gzip\nETag: W/$::etag", ""]

=== TEST 16: nothing was built
--- bare
--- config
location /dashboard/ { prompt_dashboard ../html/nowhere; }
--- must_die
--- error_log eval
qr/\[emerg\] .*nowhere" of "prompt_dashboard" has no dashboard: `make dashboard' builds one, and `make install' puts it where it is found without a name in .*nginx\.conf:\d+/

=== TEST 17: it is not where it is installed
--- bare
--- config
location /dashboard/ { prompt_dashboard graphql=/v1; }
--- must_die
--- error_log
/share/prompt-dashboard" of "prompt_dashboard" has no dashboard

=== TEST 18: a file is not there
--- bare
--- config
location /dashboard/ { prompt_dashboard ../html/d; }
--- user_files eval: main::files('assets/main-CCCC.css' => undef)
--- must_die
--- error_log eval
qr/is not a dashboard that this module knows: line 8 of its "manifest"/

=== TEST 19: names that lead elsewhere
--- bare
--- config
location /dashboard/ { prompt_dashboard ../html/d; }
--- user_files eval
main::files('manifest' => $::manifest . "asset assets/../../x text/css\n")
--- must_die
--- error_log
is not a dashboard that this module knows: line 10 of its "manifest"

=== TEST 20: another version's
--- bare
--- config
location /dashboard/ { prompt_dashboard ../html/d; }
--- user_files eval
main::files('manifest' => "prompt-dashboard 2\n")
--- must_die
--- error_log
is not a dashboard that this module knows: line 1 of its "manifest"

=== TEST 21: lines of another kind
--- bare
--- config
location /dashboard/ { prompt_dashboard ../html/d; }
--- user_files eval
main::files('manifest' => $::manifest . "\n")
--- must_die
--- error_log
is not a dashboard that this module knows: line 10 of its "manifest"

=== TEST 22: no page
--- bare
--- config
location /dashboard/ { prompt_dashboard ../html/d; }
--- user_files eval
main::files('manifest' => "prompt-dashboard 1\nroute /\n")
--- must_die
--- error_log
is not a dashboard that this module knows: line 2 of its "manifest"

=== TEST 23: an empty file
--- bare
--- config
location /dashboard/ { prompt_dashboard ../html/d; }
--- user_files eval
main::files('assets/main-CCCC.css' => '')
--- must_die
--- error_log
main-CCCC.css" is not a file of 1 byte to 8 MiB

=== TEST 24: a location that is no prefix
--- bare
--- config
location = /dashboard { prompt_dashboard ../html/d; }
--- must_die
--- error_log
"prompt_dashboard" wants a location of a prefix, for all that is below it, such as "location /dashboard/"

=== TEST 25: a regular expression
--- bare
--- config
location ~ ^/dashboard/ { prompt_dashboard ../html/d; }
--- must_die
--- error_log
"prompt_dashboard" wants a location of a prefix

=== TEST 26: addresses of other hosts
--- bare
--- config
location /dashboard/ { prompt_dashboard ../html/d graphql=//example.com/; }
--- must_die
--- error_log
"//example.com/" of "prompt_dashboard" is not the URI of a location: write the location of prompt_graphql, such as "/graphql"

=== TEST 27: the same of the session
--- bare
--- config
location /dashboard/ { prompt_dashboard ../html/d session=https://x/; }
--- must_die
--- error_log
"https://x/" of "prompt_dashboard" is not the URI of a location: write the location of prompt_session, such as "/session"

=== TEST 28: markup
--- bare
--- config
location /dashboard/ { prompt_dashboard ../html/d 'session=/"><script>'; }
--- must_die
--- error_log
"prompt_dashboard" has a character that cannot stand in a URI: write it as "%22"

=== TEST 29: a parameter that there is not
--- bare
--- config
location /dashboard/ { prompt_dashboard ../html/d base=/x; }
--- must_die
--- error_log eval
qr/\[emerg\] .*"prompt_dashboard".*the folder of the dashboard goes first in/

=== TEST 30: twice, with another handler, not in a server
--- bare
--- config
location /dashboard/ { prompt_echo; prompt_dashboard ../html/d; }
--- must_die
--- error_log
"prompt_dashboard" directive conflicts with another handler of the same location
