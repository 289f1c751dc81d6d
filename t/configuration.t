# Mistakes in nginx.conf: what nginx -t says of each, word by word, with the
# line where it stands and what to write instead.
#
# What all directives and parameters have in common follows from their tables
# in the sources: a wrong place, too many arguments, a second one, a parameter
# that is unknown, without value, given twice, too small, too large or nonsense.
# So one that is new is asked, too; it wants a line in %valid, which says how it
# is written.  What is wrong with one alone, or with two together, is at the
# end: a line each.  t/directives.t has what is accepted, and more of single
# directives.

use strict;
use warnings;
use utf8;

use File::Temp qw(tempdir);
use Test::More;

use lib 't/lib';
use PromptTest::Directives;
use PromptTest::Env;

binmode $_, ':encoding(UTF-8)'
    for map { Test::More->builder->$_ } qw(output failure_output todo_output);


# a directive as it is right, without parameters
my %valid = (
    prompt_postgres          => 'prompt_postgres "host=/x"',
    prompt_postgres_read     => 'prompt_postgres_read "host=/x"',
    prompt_redis             => 'prompt_redis 127.0.0.1:1',
    prompt_key_cache         => 'prompt_key_cache',
    prompt_provider          => 'prompt_provider one /_one',
    prompt_model             => 'prompt_model m',
    prompt_default_model     => 'prompt_default_model m',
    prompt_graphql           => 'prompt_graphql',
    prompt_openai            => 'prompt_openai',
    prompt_mcp               => 'prompt_mcp',
    prompt_introspection     => 'prompt_introspection on',
    prompt_limits            => 'prompt_limits',
    prompt_abandoned         => 'prompt_abandoned stop',
    prompt_quota             => 'prompt_quota',
    prompt_record            => 'prompt_record',
    prompt_persisted_queries => 'prompt_persisted_queries 1m',
    prompt_documents         => 'prompt_documents off',
    prompt_console           => 'prompt_console /graphql',
    prompt_session           => 'prompt_session',
    prompt_dashboard         => 'prompt_dashboard /nonexistent',
    prompt_echo              => 'prompt_echo',
    prompt_metrics           => 'prompt_metrics',
    prompt_health            => 'prompt_health',
    prompt_otlp              => 'prompt_otlp http://127.0.0.1:1/v1/traces',
    prompt_version_cache     => 'prompt_version_cache 1m',
);

# a second one is another, or adds to the first
my %several = map { $_ => 1 } qw(prompt_provider prompt_model prompt_limits
                                prompt_quota prompt_record);

# any number of arguments; what they say is read before they are counted
my %any = map { $_ => 1 } qw(prompt_session prompt_mcp);

# pages are read before a second one is seen: nothing is there to be read
my %page = map { $_ => 1 } qw(prompt_console prompt_dashboard);

# parameters that may come several times
my %repeated = map { $_ => 1 } qw(prompt_otlp.header);

# whose value is in no message
my %secret = map { $_ => 1 } qw(prompt_otlp.header);

# what to write, where the sources make it by macros
my $price = 'US dollars per million tokens as a plain decimal, at most 9 '
            . 'digits before and 12 after the point, such as ';
my %advice = (
    'prompt_provider.format'    => '"format=openai" or "format=responses" or "format=anthropic" or "format=gemini"',
    'prompt_model.input'        => $price . '"input=0.15"',
    'prompt_model.output'       => $price . '"output=0.60"',
    'prompt_model.cached_input' => $price . '"cached_input=0.075"',
    'prompt_model.cache_write'  => $price . '"cache_write=3.75"',
    'prompt_model.cache_write_1h' => $price . '"cache_write_1h=6"',
    'prompt_model.long_input'   => $price . '"long_input=6"',
    'prompt_model.long_output'  => $price . '"long_output=22.50"',
    'prompt_model.long_cached_input' => $price . '"long_cached_input=0.60"',
);

# a value that is none, where any text but that is one; undef: all are
my %nonsense = (
    number => 'some', limit => 'some', msec => 'soon', sec => 'soon',
    size => 'large', limit_size => 'large', flag => 'perhaps', text => undef,
    conf_format => 'some', conf_prepare => 'perhaps', conf_price => '1e3',
    conf_name => '', conf_names => 'a,,b', otlp_headers => 'Host:x',
);

my %what = (
    number => 'a whole number', limit => 'a whole number', msec => 'a time',
    sec => 'whole seconds', size => 'a size', limit_size => 'a size',
    flag => '"on" or "off"', text => 'text',
);

# the next smaller and larger value of a bound, in another unit where it has one
my %below = ('1' => '0', '0' => '-1', '1ms' => '0ms', '1s' => '0s',
             '5m' => '299s', '1k' => '1023', '64m' => '65535k');
my %above = ('1h' => '3601s', '10s' => '10001ms', '60s' => '61s',
             '60m' => '3601s', '30d' => '31d', '1d' => '86401s',
             '16m' => '16777217', '1m' => '61s', '4095m' => '4193281k');


my $dir = tempdir(CLEANUP => 1);
my $conf = "$dir/nginx.conf";

mkdir "$dir/logs";
mkdir "$dir/empty";

# files that others may read, and that only root may
for (['open', 0644], ['closed', 0600]) {
    my ($name, $mode) = @$_;

    open my $out, '>', "$dir/$name" or die "$dir/$name: $!\n";
    close $out;
    chmod $mode, "$dir/$name" or die "$dir/$name: $!\n";
}


sub text_of
{
    my ($file) = @_;

    open my $in, '<:encoding(UTF-8)', $file or die "$file: $!\n";
    local $/;

    return scalar <$in>;
}


# joined("..." "..."): what the C string says
sub joined
{
    my ($text) = @_;

    return join '', map { s/\\(.)/$1/gr } $text =~ /"((?:[^"\\]|\\.)*)"/g;
}


# said(WHERE => TEXT, ...): writes nginx.conf, with text in its main, http,
# server and location part, and a line each; what nginx -t says of it
sub said
{
    my (%text) = @_;
    my ($main, $http, $server, $location) =
        map { defined $_ ? "$_\n" : '' } @text{qw(main http server location)};

    # one line: answers at the end have numbers of lines
    my $paths = PromptTest::Env::temp_paths($dir) =~ tr/\n/ /r;

    open my $out, '>:encoding(UTF-8)', $conf or die "$conf: $!\n";
    print $out <<"END";
load_module $PromptTest::Env::module;
pid $dir/nginx.pid;
${main}events { }
http {
access_log off; $paths
${http}server {
listen unix:$dir/socket;
${server}location /at/ {
$location}
}
}
END
    close $out;

    local $ENV{LD_PRELOAD} = $ENV{TEST_NGINX_LD_PRELOAD}
        if defined $ENV{TEST_NGINX_LD_PRELOAD};

    open my $from, '-|', "$PromptTest::Env::nginx -t -p $dir -c $conf "
                         . "-e stderr 2>&1" or die "nginx: $!\n";
    binmode $from, ':encoding(UTF-8)';

    my @lines = grep { /\[(?:emerg|warn|alert|crit|error)\]/ } <$from>;

    close $from;
    chomp @lines;

    return map { s/^nginx: //r =~ s/\b\d{4}\/\S+ \S+ (?=\[)//r
                 =~ s/(\[\w+\]) \d+#\d+:/$1/r } @lines;
}


# line_of($text, $n): where the n-th line with that text is, from the end
sub line_of
{
    my ($text) = @_;
    my @lines = split /\n/, text_of($conf);
    my ($found) = grep { $lines[$_] eq $text } reverse 0 .. $#lines;

    return defined $found ? $found + 1 : 0;
}


# refused($where, $text, $message, $name): the last line of text is where it is
sub refused
{
    my ($where, $text, $message, $name) = @_;
    my @said = said($where => $text);
    my $last = (split /\n/, $text)[-1];

    is_deeply(\@said, [ "[emerg] $message in $conf:" . line_of($last) ],
              $name);
}


# the tables: directive => flags; directive => [ { name, kind, ... }, ... ]
my %flags = PromptTest::Directives::flags();
my (%tables, %hint);
my %found = PromptTest::Directives::tables();

for my $directive (keys %found) {
    $hint{$directive} = joined($found{$directive}{hint});

    for my $row (@{ $found{$directive}{rows} }) {
        $row->{advice} = $advice{"$directive.$row->{name}"}
                         // ($row->{advice} eq 'NULL' ? undef
                                                      : joined($row->{advice}));
        push @{ $tables{$directive} }, $row;
    }
}

is_deeply([ grep { !exists $valid{$_} } sort keys %flags ], [],
          'this file knows how each directive is written');
is_deeply([ grep { !exists $flags{$_} } sort keys %tables ], [],
          'each table of parameters belongs to a directive');


# advice($row): what a message says to write
sub advice
{
    my ($row) = @_;
    my $text = $what{$row->{kind}} // '';

    return $row->{advice} if defined $row->{advice};

    $text .= " from $row->{min} to $row->{max}"
        if defined $row->{min} && defined $row->{max};
    $text .= qq{, such as "$row->{name}=$row->{value}"}
        if defined $row->{value};

    return $text;
}


sub check_directive
{
    my ($directive) = @_;
    my ($flags, $right) = ($flags{$directive}, $valid{$directive});
    my $here = $flags =~ /HTTP_LOC_CONF/ ? 'location' : 'http';

    for my $where ([ main => 'NGX_MAIN_CONF' ], [ http => 'HTTP_MAIN_CONF' ],
                   [ server => 'HTTP_SRV_CONF' ],
                   [ location => 'HTTP_LOC_CONF' ])
    {
        next if $flags =~ /$where->[1]/;

        refused($where->[0], "$right;",
                qq{"$directive" directive is not allowed here},
                "$directive in the $where->[0] block");
    }

    if (!$any{$directive}) {
        my $few = $flags =~ /2MORE/ ? ' one' : '';
        my $wrong = $flags =~ /NOARGS/ ? "$directive 1 2 3 4" : "$directive$few";

        refused($here, "$wrong;",
                qq{invalid number of arguments in "$directive" directive},
                "$directive with too many or too few arguments");
    }

    if (!$several{$directive} && !$page{$directive}) {
        my $one = $tables{$directive} && $flags =~ /1MORE/
                  && $right !~ / / ? "$right " . some($directive) : $right;

        refused($here, "$one;\n$one; ",
                qq{"$directive" directive is duplicate}, "$directive twice");
    }
}


# some($directive): a parameter of it that is right
sub some
{
    my ($directive) = @_;
    my ($row) = grep { defined $_->{value} } @{ $tables{$directive} };

    return "$row->{name}=$row->{value}";
}


sub check_parameter
{
    my ($directive, $row) = @_;
    my $here = $flags{$directive} =~ /HTTP_LOC_CONF/ ? 'location' : 'http';
    my ($name, $kind) = @$row{qw(name kind)};
    my $full = "$directive.$name";
    my $advice = advice($row);
    my $right = $row->{value} // $row->{min} // 'x';
    my %wrong;

    # a console's or dashboard's URIs are read when all are there
    $right = '/x' if $page{$directive};
    $right = '1' if $kind eq 'conf_price';

    refused($here, "$valid{$directive} $name;",
            qq{parameter "$name" of "$directive" has no value: write $advice},
            "$full without a value");

    if (!$repeated{$full}) {
        refused($here, "$valid{$directive} $name=$right $name=$right;",
                qq{parameter "$name" of "$directive" is given twice: keep one }
                . 'of them', "$full twice");
    }

    ok(exists $nonsense{$kind}, "this file knows what $kind of $full takes")
        or return;

    $wrong{nonsense} = $nonsense{$kind} if defined $nonsense{$kind};
    $wrong{'without a unit of it'} = '5sec' if $kind =~ /^m?sec$/;

    if ($kind eq 'text') {
        $wrong{empty} = '' if defined $row->{min};
        $wrong{'too long'} = 'p' x ($row->{max} + 1) if defined $row->{max};

    } else {
        $wrong{'too small'} = $below{$row->{min}} // 'UNKNOWN'
            if defined $row->{min};
        $wrong{'too large'} = $above{$row->{max}} // $row->{max} + 1
            if defined $row->{max};
    }

    for my $how (sort keys %wrong) {
        my $shown = length $wrong{$how} > 64
                    ? substr($wrong{$how}, 0, 64) . '…' : $wrong{$how};
        my $value = $secret{$full} ? '' : qq{ "$shown"};

        refused($here, "$valid{$directive} $name=$wrong{$how};",
                qq{invalid value$value of the parameter "$name" of }
                . qq{"$directive": write $advice}, "$full $how: $shown");
    }
}


sub check_unknown
{
    my ($directive) = @_;
    my $here = $flags{$directive} =~ /HTTP_LOC_CONF/ ? 'location' : 'http';
    my @names = map { qq{"$_->{name}="} } @{ $tables{$directive} };
    my $last = pop @names;
    my $all = (@names ? join(', ', @names) . ' and ' : '') . $last
              . ($hint{$directive} // '');
    my $n = () = $valid{$directive} =~ / (?=[^ ])/g;

    refused($here, "$valid{$directive} colour=blue;",
            qq{unknown parameter "colour" of "$directive": it takes $all},
            "$directive with an unknown parameter");
    refused($here, "$valid{$directive} blue;",
            "argument @{[ $n + 1 ]} of \"$directive\" is not a parameter: it "
            . "takes $all", "$directive with a word that is none, which may be "
            . 'a secret and is not repeated');
}


for my $directive (sort keys %valid) {
    SKIP: {
        skip "this build has no $directive", 1 unless $flags{$directive};

        check_directive($directive);

        if ($tables{$directive}) {
            check_unknown($directive);
            check_parameter($directive, $_) for @{ $tables{$directive} };
        }
    }
}


# The rest: what is wrong, what is written where, which line of it is the one
# (LINE), and what is said.
my @rows;
my $name;

while (<DATA>) {
    chomp;
    next if /^#/ || $_ eq '';

    if (/^== (.*)/) {
        push @rows, { name => $1 };
    } elsif (/^(main|http|server|location|about): (.*)/) {
        $rows[-1]{$1} .= (defined $rows[-1]{$1} ? "\n" : '') . $2;
    } elsif (/^> (.*)/) {
        $rows[-1]{said} .= (defined $rows[-1]{said} ? ' ' : '') . $1;
    } else {
        die "t/configuration.t: $_\n";
    }
}

for my $row (@rows) {
    my %text = map { $_ => $row->{$_} =~ s/DIR/$dir/gr }
               grep { defined $row->{$_} } qw(main http server location);
    my ($directive) = $row->{name} =~ /^(prompt_\w+)/;

    SKIP: {
        skip "this build has no $directive", 1 unless $flags{$directive};
        skip 'only root has other users for workers', 1
            if ($text{main} // '') =~ /^user / && $> != 0;

        my @said = said(%text);
        my $line = line_of(($row->{about} // '') =~ s/DIR/$dir/gr);
        my $want = $row->{said} =~ s/DIR/$dir/gr =~ s/CONF/$conf/gr
                   =~ s/LINE/$line/gr;

        is_deeply(\@said, [ $want ], $row->{name});
    }
}

done_testing();

__DATA__
# Two directives that do not go together, or one that wants another.

== prompt_graphql without a database
location: prompt_graphql;
about: prompt_graphql;
> [emerg] "prompt_graphql" needs a database: add "prompt_postgres CONNINFO;"
> to the http block, for the location in CONF:LINE

== prompt_postgres_read without a server that writes
http: prompt_redis 127.0.0.1:1;
http: prompt_postgres_read "host=/x";
about: prompt_postgres_read "host=/x";
> [emerg] "prompt_postgres_read" in CONF:LINE needs a server that writes: add
> "prompt_postgres CONNINFO;" to the http block

== prompt_postgres_read without Redis
http: prompt_postgres "host=/x";
http: prompt_postgres_read "host=/x";
about: prompt_postgres_read "host=/x";
> [emerg] "prompt_postgres_read" in CONF:LINE needs Redis: add "prompt_redis
> HOST:PORT;" to the http block

== prompt_session without an endpoint
http: prompt_postgres "host=/x";
location: prompt_session;
about: prompt_session;
> [emerg] "prompt_session" in CONF:LINE needs an endpoint to sign in to: add a
> location with "prompt_graphql;"

== prompt_graphql beside another handler
http: prompt_postgres "host=/x";
location: proxy_pass http://127.0.0.1:1;
location: prompt_graphql;
about: prompt_graphql;
> [emerg] "prompt_graphql" directive conflicts with another handler of the
> same location: give each a location of its own in CONF:LINE

== prompt_openai in a location that is no prefix
http: prompt_postgres "host=/x";
server: location = /openai { prompt_openai; }
about: location = /openai { prompt_openai; }
> [emerg] "prompt_openai" directive needs a location that is a prefix, such as
> "location /openai/" in CONF:LINE

== prompt_metrics beside prompt_graphql
http: prompt_postgres "host=/x";
location: prompt_metrics;
location: prompt_graphql;
about: prompt_graphql;
> [emerg] "prompt_graphql" directive conflicts with another handler of the
> same location: give each a location of its own in CONF:LINE

== prompt_provider of a location that does not exist
http: prompt_postgres "host=/x";
http: prompt_provider one /_one;
http: prompt_model m provider=one;
location: prompt_graphql;
about: prompt_provider one /_one;
> [warn] no location serves "/_one" of the provider "one" in CONF:LINE: add
> "location = /_one { internal; proxy_pass ...; }" to the server of the
> "prompt_graphql" in CONF:12

== prompt_provider of a location that clients may ask, too
http: prompt_postgres "host=/x";
http: prompt_provider one /at/one;
http: prompt_model m provider=one;
location: prompt_graphql;
about: prompt_provider one /at/one;
> [warn] the location of "/at/one" of the provider "one" in CONF:LINE is not
> internal, so clients may call the provider without a key: add "internal;"

== prompt_provider twice, with one name
http: prompt_provider one /_one;
http: prompt_provider one /_two;
about: prompt_provider one /_two;
> [emerg] duplicate provider "one" of "prompt_provider": give it another name
> in CONF:LINE

== prompt_provider whose URI is another host's
http: prompt_provider one http://127.0.0.1/;
about: prompt_provider one http://127.0.0.1/;
> [emerg] "http://127.0.0.1/" of "prompt_provider" is not the URI of a
> location: write the name, then the internal location that proxies to the
> provider, such as "/_provider/openai" in CONF:LINE

== prompt_provider without a name
http: prompt_provider "" /_one;
about: prompt_provider "" /_one;
> [emerg] "prompt_provider" directive has an empty name: write one, such as
> "openai", then the internal location that proxies to the provider in CONF:LINE

== prompt_model of a provider that is not there
http: prompt_postgres "host=/x";
http: prompt_model m provider=nobody;
location: prompt_graphql;
about: prompt_model m provider=nobody;
> [emerg] unknown provider "nobody" of model "m": declare it with
> "prompt_provider nobody /URI;" in CONF:LINE

== prompt_model without a provider
http: prompt_model m input=1 output=2;
about: prompt_model m input=1 output=2;
> [emerg] model "m" of "prompt_model" has no provider: add "provider=NAME"
> with the name of a prompt_provider in CONF:LINE

== prompt_model without a name
http: prompt_model provider=one;
about: prompt_model provider=one;
> [emerg] "prompt_model" names no model: write it first, such as "gpt-4o-mini"
> or "gpt-*" in CONF:LINE

== prompt_model with a star in the middle
http: prompt_model gpt-*-mini provider=one;
about: prompt_model gpt-*-mini provider=one;
> [emerg] invalid pattern "gpt-*-mini" of "prompt_model": a "*" can only stand
> at the end, such as "gpt-*" in CONF:LINE

== prompt_model twice, with one pattern
http: prompt_model gpt-* provider=one;
http: prompt_model gpt-* provider=two;
about: prompt_model gpt-* provider=two;
> [emerg] duplicate model "gpt-*" of "prompt_model": the other one is in
> CONF:6 in CONF:LINE

== prompt_model with half a price
http: prompt_model m provider=one input=1;
about: prompt_model m provider=one input=1;
> [emerg] model "m" of "prompt_model" has half a price: "input=USD" and
> "output=USD" go together (US dollars for a million tokens) in CONF:LINE

== prompt_model with a cached price alone
http: prompt_model m provider=one cached_input=1;
about: prompt_model m provider=one cached_input=1;
> [emerg] model "m" of "prompt_model" has half a price: "input=USD" and
> "output=USD" go together (US dollars for a million tokens) in CONF:LINE

== prompt_model with a price of cache writes alone
http: prompt_model m provider=one cache_write=1;
about: prompt_model m provider=one cache_write=1;
> [emerg] model "m" of "prompt_model" has half a price: "input=USD" and
> "output=USD" go together (US dollars for a million tokens) in CONF:LINE

== prompt_model with a price of an hour alone
http: prompt_model m provider=one cache_write_1h=1;
about: prompt_model m provider=one cache_write_1h=1;
> [emerg] model "m" of "prompt_model" has half a price: "input=USD" and
> "output=USD" go together (US dollars for a million tokens) in CONF:LINE

== prompt_model with long prices alone
http: prompt_model m provider=one long_from=9 long_input=1 long_output=1;
about: prompt_model m provider=one long_from=9 long_input=1 long_output=1;
> [emerg] model "m" of "prompt_model" has half a price: "input=USD" and
> "output=USD" go together (US dollars for a million tokens) in CONF:LINE

== prompt_model with long prices from nowhere on
http: prompt_model m provider=one input=1 output=1 long_input=1 long_output=1;
about: prompt_model m provider=one input=1 output=1 long_input=1 long_output=1;
> [emerg] model "m" of "prompt_model" has half of its long prices:
> "long_from=TOKENS", "long_input=USD" and "long_output=USD" go together (US
> dollars for a million tokens) in CONF:LINE

== prompt_model with a long price of cached input alone
http: prompt_model m provider=one input=1 output=1 long_cached_input=1;
about: prompt_model m provider=one input=1 output=1 long_cached_input=1;
> [emerg] model "m" of "prompt_model" has half of its long prices:
> "long_from=TOKENS", "long_input=USD" and "long_output=USD" go together (US
> dollars for a million tokens) in CONF:LINE

== prompt_model with half of its long prices
http: prompt_model m provider=one input=1 output=1 long_from=9 long_input=1;
about: prompt_model m provider=one input=1 output=1 long_from=9 long_input=1;
> [emerg] model "m" of "prompt_model" has half of its long prices:
> "long_from=TOKENS", "long_input=USD" and "long_output=USD" go together (US
> dollars for a million tokens) in CONF:LINE

== prompt_model with a price for a comma's country
http: prompt_model m provider=one input=0,15 output=1;
about: prompt_model m provider=one input=0,15 output=1;
> [emerg] invalid value "0,15" of the parameter "input" of "prompt_model":
> write US dollars per million tokens as a plain decimal, at most 9 digits
> before and 12 after the point, such as "input=0.15" in CONF:LINE

== prompt_default_model that nobody serves
http: prompt_postgres "host=/x";
http: prompt_default_model m;
location: prompt_graphql;
about: prompt_default_model m;
> [emerg] prompt_default_model "m" is served by no provider: add "prompt_model
> m provider=NAME;" to the http block, or name a model that is there, in
> CONF:LINE

== prompt_default_model with a pattern
http: prompt_default_model gpt-*;
about: prompt_default_model gpt-*;
> [emerg] "gpt-*" of "prompt_default_model" is not a model: write the full
> name of one, such as "gpt-4o-mini" in CONF:LINE

== prompt_postgres_read with a port that is none
http: prompt_postgres_read "host=10.0.0.1 port=65536";
about: prompt_postgres_read "host=10.0.0.1 port=65536";
> [emerg] invalid port "65536" in the connection string of
> "prompt_postgres_read": write a number from 1 to 65535, such as "port=5432"
> in CONF:LINE

== prompt_postgres without a connection string
http: prompt_postgres " ";
about: prompt_postgres " ";
> [emerg] the connection string of "prompt_postgres" is empty: write for
> example "host=localhost dbname=prompt user=prompt_app" in CONF:LINE

== prompt_postgres with a host in its place
http: prompt_postgres localhost:5432;
about: prompt_postgres localhost:5432;
> [emerg] invalid connection string of "prompt_postgres": missing "=" after
> "localhost:5432" in connection info string; write for example
> "host=localhost dbname=prompt user=prompt_app", or a URI in CONF:LINE

== prompt_postgres with more ports than hosts
http: prompt_postgres "host=/a,/b port=1,2,3";
about: prompt_postgres "host=/a,/b port=1,2,3";
> [emerg] invalid connection string of "prompt_postgres": hosts, addresses and
> ports differ in number; write one port, or as many as hosts in CONF:LINE

== prompt_postgres with a port that is none
http: prompt_postgres "host=10.0.0.1 port=65536";
about: prompt_postgres "host=10.0.0.1 port=65536";
> [emerg] invalid port "65536" in the connection string of "prompt_postgres":
> write a number from 1 to 65535, such as "port=5432" in CONF:LINE

== prompt_postgres with a name for an address
http: prompt_postgres "hostaddr=localhost";
about: prompt_postgres "hostaddr=localhost";
> [emerg] invalid address "localhost" in the connection string of
> "prompt_postgres": write numbers, such as "hostaddr=10.0.0.5", or a name in
> "host" in CONF:LINE

== prompt_postgres with an sslmode that is none
http: prompt_postgres "host=/x sslmode=on";
about: prompt_postgres "host=/x sslmode=on";
> [emerg] invalid value "on" of "sslmode" in the connection string of
> "prompt_postgres": write one of disable allow prefer require verify-ca
> verify-full in CONF:LINE

== prompt_postgres with a service file
http: prompt_postgres "service=x";
about: prompt_postgres "service=x";
> [emerg] "prompt_postgres" does not read service files: write what the
> service stands for instead, such as "host=localhost dbname=prompt
> user=prompt_app" in CONF:LINE

== prompt_postgres with a time in the connection string
http: prompt_postgres "host=/x connect_timeout=5s";
about: prompt_postgres "host=/x connect_timeout=5s";
> [emerg] invalid "connect_timeout" in the connection string of
> "prompt_postgres": write whole seconds from 1 to 3600 in CONF:LINE

== prompt_postgres with a passfile that is not there
http: prompt_postgres "host=/x passfile=DIR/none";
about: prompt_postgres "host=/x passfile=DIR/none";
> [emerg] "DIR/none" of "passfile" in the connection string of
> "prompt_postgres" is not there: name a file that is in CONF:LINE

== prompt_postgres with a passfile that is a folder
http: prompt_postgres "host=/x passfile=DIR/empty";
about: prompt_postgres "host=/x passfile=DIR/empty";
> [emerg] "DIR/empty" of "passfile" in the connection string of
> "prompt_postgres" is not a file: name one in CONF:LINE

== prompt_postgres with a passfile that others may read
http: prompt_postgres "host=/x passfile=DIR/open";
about: prompt_postgres "host=/x passfile=DIR/open";
> [emerg] "DIR/open" of "passfile" in the connection string of
> "prompt_postgres" may be read by others, so libpq does not use it: "chmod
> 0600" helps in CONF:LINE

== prompt_postgres with a passfile that only root may read
main: user nobody nogroup;
http: prompt_postgres "host=/x passfile=DIR/closed";
about: prompt_postgres "host=/x passfile=DIR/closed";
> [emerg] "DIR/closed" of "passfile" in the connection string of
> "prompt_postgres" cannot be read by the workers: "chown" it to the user of
> nginx's directive "user" in CONF:LINE

== prompt_postgres with a key that others may read
http: prompt_postgres "host=/x sslkey=DIR/open";
about: prompt_postgres "host=/x sslkey=DIR/open";
> [emerg] "DIR/open" of "sslkey" in the connection string of "prompt_postgres"
> may be read by others, so libpq does not use it: "chmod 0600" helps in
> CONF:LINE

== prompt_postgres with a certificate that is not there
http: prompt_postgres "host=/x sslcert=DIR/none";
about: prompt_postgres "host=/x sslcert=DIR/none";
> [emerg] "DIR/none" of "sslcert" in the connection string of
> "prompt_postgres" is not there: name a file that is in CONF:LINE

== prompt_postgres_read with a root certificate that is not there
http: prompt_postgres_read "host=/x sslrootcert=DIR/none";
about: prompt_postgres_read "host=/x sslrootcert=DIR/none";
> [emerg] "DIR/none" of "sslrootcert" in the connection string of
> "prompt_postgres_read" is not there: name a file that is in CONF:LINE

== prompt_postgres with a list of revoked certificates that is not there
http: prompt_postgres "host=/x sslcrl=DIR/none";
about: prompt_postgres "host=/x sslcrl=DIR/none";
> [emerg] "DIR/none" of "sslcrl" in the connection string of
> "prompt_postgres" is not there: name a file that is in CONF:LINE

== prompt_redis with a user and no password
http: prompt_redis 127.0.0.1:1 user=u;
about: prompt_redis 127.0.0.1:1 user=u;
> [emerg] "prompt_redis" has a user, but no password: add "password=…" in
> CONF:LINE

== prompt_redis with a URI, whose password is not repeated
http: prompt_redis redis://:secret@localhost:6379/0;
about: prompt_redis redis://:secret@localhost:6379/0;
> [emerg] "prompt_redis" takes no URI: write "HOST:PORT", such as
> "localhost:6379", or "unix:/PATH", and "user=", "password=" and "db=" as
> parameters in CONF:LINE

== prompt_redis with a port that is none
http: prompt_redis 127.0.0.1:x;
about: prompt_redis 127.0.0.1:x;
> [emerg] invalid port in address "127.0.0.1:x" of "prompt_redis": write
> "HOST:PORT", such as "localhost:6379", or "unix:/PATH" in CONF:LINE

== prompt_redis with a path and no "unix:"
http: prompt_redis /run/redis.sock;
about: prompt_redis /run/redis.sock;
> [emerg] invalid host in address "/run/redis.sock" of "prompt_redis": write
> "HOST:PORT", such as "localhost:6379", or "unix:/PATH" in CONF:LINE

== prompt_session that is idle for longer than it lives
location: prompt_session lifetime=1h idle=2h;
about: prompt_session lifetime=1h idle=2h;
> [emerg] "prompt_session" ends a session that is not used later than any:
> write an "idle=" that is not above "lifetime=" in CONF:LINE

== prompt_session that makes accounts for nobody
location: prompt_session create=on;
about: prompt_session create=on;
> [emerg] "create=on" of "prompt_session" is for who comes without a password:
> write "trusted=" with a variable that has the e-mail of who was let in, too
> in CONF:LINE

== prompt_session without a way to sign in
location: prompt_session password=off;
about: prompt_session password=off;
> [emerg] "password=off" of "prompt_session" is for who comes without a
> password: write "trusted=" with a variable that has the e-mail of who was let
> in, too in CONF:LINE

== prompt_session that trusts a word
location: prompt_session trusted=remote_user;
about: prompt_session trusted=remote_user;
> [emerg] "trusted=" of "prompt_session" is no variable: write one that has
> the e-mail of who was let in, such as "trusted=$remote_user" in CONF:LINE

== prompt_session that trusts what the client says: a header
location: prompt_session trusted=$http_x_email;
about: prompt_session trusted=$http_x_email;
> [emerg] "trusted=$http_x_email" of "prompt_session" lets clients say
> themselves who they are: write a variable that this server sets, such as
> "trusted=$email" after "auth_request_set $email $upstream_http_x_email" in
> CONF:LINE

== prompt_session that trusts what the client says: a header, in capitals
location: prompt_session trusted=$HTTP_X_Email;
about: prompt_session trusted=$HTTP_X_Email;
> [emerg] "trusted=$HTTP_X_Email" of "prompt_session" lets clients say
> themselves who they are: write a variable that this server sets, such as
> "trusted=$email" after "auth_request_set $email $upstream_http_x_email" in
> CONF:LINE

== prompt_session that trusts what the client says: an argument
location: prompt_session trusted=$arg_who;
about: prompt_session trusted=$arg_who;
> [emerg] "trusted=$arg_who" of "prompt_session" lets clients say themselves
> who they are: write a variable that this server sets, such as
> "trusted=$email" after "auth_request_set $email $upstream_http_x_email" in
> CONF:LINE

== prompt_session that trusts what the client says: a cookie
location: prompt_session trusted=$cookie_who;
about: prompt_session trusted=$cookie_who;
> [emerg] "trusted=$cookie_who" of "prompt_session" lets clients say
> themselves who they are: write a variable that this server sets, such as
> "trusted=$email" after "auth_request_set $email $upstream_http_x_email" in
> CONF:LINE

== prompt_session that trusts what the client says: the arguments
location: prompt_session trusted=$args;
about: prompt_session trusted=$args;
> [emerg] "trusted=$args" of "prompt_session" lets clients say themselves who
> they are: write a variable that this server sets, such as "trusted=$email"
> after "auth_request_set $email $upstream_http_x_email" in CONF:LINE

== prompt_session that trusts what the client says: the arguments, by their other name
location: prompt_session trusted=$query_string;
about: prompt_session trusted=$query_string;
> [emerg] "trusted=$query_string" of "prompt_session" lets clients say
> themselves who they are: write a variable that this server sets, such as
> "trusted=$email" after "auth_request_set $email $upstream_http_x_email" in
> CONF:LINE

== prompt_session that trusts what the client says: the path
location: prompt_session trusted=$uri;
about: prompt_session trusted=$uri;
> [emerg] "trusted=$uri" of "prompt_session" lets clients say themselves who
> they are: write a variable that this server sets, such as "trusted=$email"
> after "auth_request_set $email $upstream_http_x_email" in CONF:LINE

== prompt_session that trusts what the client says: the path, by its other name
location: prompt_session trusted=$document_uri;
about: prompt_session trusted=$document_uri;
> [emerg] "trusted=$document_uri" of "prompt_session" lets clients say
> themselves who they are: write a variable that this server sets, such as
> "trusted=$email" after "auth_request_set $email $upstream_http_x_email" in
> CONF:LINE

== prompt_session that trusts what the client says: the path as it came
location: prompt_session trusted=$request_uri;
about: prompt_session trusted=$request_uri;
> [emerg] "trusted=$request_uri" of "prompt_session" lets clients say
> themselves who they are: write a variable that this server sets, such as
> "trusted=$email" after "auth_request_set $email $upstream_http_x_email" in
> CONF:LINE

== prompt_session that trusts what the client says: the line of the request
location: prompt_session trusted=$request;
about: prompt_session trusted=$request;
> [emerg] "trusted=$request" of "prompt_session" lets clients say themselves
> who they are: write a variable that this server sets, such as
> "trusted=$email" after "auth_request_set $email $upstream_http_x_email" in
> CONF:LINE

== prompt_session that trusts what the client says: a host
location: prompt_session trusted=$host;
about: prompt_session trusted=$host;
> [emerg] "trusted=$host" of "prompt_session" lets clients say themselves who
> they are: write a variable that this server sets, such as "trusted=$email"
> after "auth_request_set $email $upstream_http_x_email" in CONF:LINE

== prompt_session that trusts what the client says: a body
location: prompt_session trusted=$request_body;
about: prompt_session trusted=$request_body;
> [emerg] "trusted=$request_body" of "prompt_session" lets clients say
> themselves who they are: write a variable that this server sets, such as
> "trusted=$email" after "auth_request_set $email $upstream_http_x_email" in
> CONF:LINE

== prompt_session that trusts what the client says: a path, as FastCGI has it
location: prompt_session trusted=$fastcgi_script_name;
about: prompt_session trusted=$fastcgi_script_name;
> [emerg] "trusted=$fastcgi_script_name" of "prompt_session" lets clients say
> themselves who they are: write a variable that this server sets, such as
> "trusted=$email" after "auth_request_set $email $upstream_http_x_email" in
> CONF:LINE

== prompt_session that trusts what the client says: a part of a path
location: prompt_session trusted=$fastcgi_path_info;
about: prompt_session trusted=$fastcgi_path_info;
> [emerg] "trusted=$fastcgi_path_info" of "prompt_session" lets clients say
> themselves who they are: write a variable that this server sets, such as
> "trusted=$email" after "auth_request_set $email $upstream_http_x_email" in
> CONF:LINE

== prompt_session that trusts a header, and more
location: prompt_session "trusted=${http_x}@example.com";
about: prompt_session "trusted=${http_x}@example.com";
> [emerg] "trusted=" of "prompt_session" is no variable: write one that has
> the e-mail of who was let in, such as "trusted=$remote_user" in CONF:LINE

== prompt_session that trusts a variable which does not exist
http: prompt_postgres "host=/x";
server: location = /g { prompt_graphql; }
location: prompt_session trusted=$nobody;
> [emerg] unknown "nobody" variable

== prompt_dashboard of a folder that does not exist
location: prompt_dashboard DIR/none;
about: prompt_dashboard DIR/none;
> [emerg] "DIR/none" of "prompt_dashboard" has no dashboard: `make dashboard'
> builds one, and `make install' puts it where it is found without a name in
> CONF:LINE

== prompt_dashboard of a folder without a dashboard
location: prompt_dashboard DIR/empty;
about: prompt_dashboard DIR/empty;
> [emerg] "DIR/empty" of "prompt_dashboard" has no dashboard: `make dashboard'
> builds one, and `make install' puts it where it is found without a name in
> CONF:LINE

== prompt_dashboard whose endpoint is no URI
location: prompt_dashboard DIR/empty graphql=graphql;
about: prompt_dashboard DIR/empty graphql=graphql;
> [emerg] "graphql" of "prompt_dashboard" is not the URI of a location: write
> the location of prompt_graphql, such as "/graphql" in CONF:LINE

== prompt_console without a console
location: prompt_console /graphql path=DIR/empty;
about: prompt_console /graphql path=DIR/empty;
> [emerg] "DIR/empty", for "prompt_console", has no console.html: `make
> dashboard' builds it, and `make install' puts it where it is found without a
> name in CONF:LINE

== prompt_console whose endpoint is no URI
location: prompt_console graphql;
about: prompt_console graphql;
> [emerg] "graphql" of "prompt_console" is not the URI of a location: write
> the location of prompt_graphql, such as "/graphql" in CONF:LINE

== prompt_documents of a folder that does not exist
location: prompt_documents DIR/none;
about: prompt_documents DIR/none;
> [emerg] stat() "DIR/none" failed, for "prompt_documents": write a folder or
> file, absolute or relative to nginx.conf, or "off" (2: No such file or
> directory) in CONF:LINE

== prompt_documents of an empty folder
location: prompt_documents DIR/empty;
about: prompt_documents DIR/empty;
> [emerg] "DIR/empty" of "prompt_documents" contains no documents: put
> *.graphql, *.gql or *.json there in CONF:LINE

== prompt_documents off, and only these
location: prompt_documents off only;
about: prompt_documents off only;
> [emerg] "prompt_documents off" takes no parameter: write a folder or file
> instead of "off", or "off" alone in CONF:LINE

== prompt_documents with another word
location: prompt_documents DIR/empty alone;
about: prompt_documents DIR/empty alone;
> [emerg] invalid parameter "alone" of "prompt_documents": it takes a folder
> or file, and "only" in CONF:LINE

== prompt_documents without a name
location: prompt_documents "";
about: prompt_documents "";
> [emerg] "prompt_documents" names no folder or file: write for example
> "documents", or "off" in CONF:LINE

== prompt_persisted_queries of no size
http: prompt_persisted_queries large;
about: prompt_persisted_queries large;
> [emerg] invalid size "large" of "prompt_persisted_queries": write the size
> of the zone that all workers share, such as "8m", or "off" in CONF:LINE

== prompt_persisted_queries of too small a size
http: prompt_persisted_queries 8k;
about: prompt_persisted_queries 8k;
> [emerg] size "8k" of "prompt_persisted_queries" is too small: write at least
> "32k", better "8m" in CONF:LINE

== prompt_introspection of neither on nor off
http: prompt_introspection maybe;
about: prompt_introspection maybe;
> [emerg] invalid value "maybe" in "prompt_introspection" directive, it must
> be "on" or "off" in CONF:LINE

== prompt_abandoned of neither finish nor stop
http: prompt_abandoned maybe;
about: prompt_abandoned maybe;
> [emerg] invalid value "maybe" of "prompt_abandoned": write "finish" or "stop"
> in CONF:LINE

== prompt_limits with the limit of a worker where it is one of a location
location: prompt_limits answers=128m;
about: prompt_limits answers=128m;
> [emerg] parameter "answers" of "prompt_limits" is of a worker as a whole:
> write it in "http" in CONF:LINE

== prompt_graphql beside a limit_req_zone by a variable that is known only later
http: limit_req_zone $binary_remote_addr$prompt_user_id zone=z:1m rate=1r/s;
about: }
> [emerg] the key "$binary_remote_addr$prompt_user_id" of the zone "z" would
> limit nothing, as it is not known before the request is handled: write
> "$prompt_credential" in CONF:LINE

== prompt_graphql beside a limit_conn_zone by a variable that is known only later
http: limit_conn_zone ${Prompt_Key_Id} zone=z:1m;
about: }
> [emerg] the key "${Prompt_Key_Id}" of the zone "z" would limit nothing, as
> it is not known before the request is handled: write "$prompt_credential" in
> CONF:LINE

== prompt_graphql beside a limit_req_zone by such a variable before other text
http: limit_req_zone "$prompt_tier $prompt_model-$uri" zone=z:1m rate=1r/s;
about: }
> [emerg] the key "$prompt_tier $prompt_model-$uri" of the zone "z" would limit
> nothing, as it is not known before the request is handled: write
> "$prompt_credential" in CONF:LINE

== prompt_limits with the same limit in two of one level
http: prompt_limits depth=1;
http: prompt_limits depth=2;
about: prompt_limits depth=2;
> [emerg] parameter "depth" of "prompt_limits" is given twice: keep one of
> them in CONF:LINE
