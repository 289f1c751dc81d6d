#!/usr/bin/perl
#
# Makes of what tools/scale.pl measured: plots, pictures, and the tables of
# docs/scaling.md, which stand there between comments.  The calculation uses the
# figures as they are printed, so that who reads can do it again.
#
#     tools/scaling.pl FIGURES FOLDER DOCUMENT

use strict;
use warnings;
use utf8;

use FindBin;
use lib "$FindBin::Bin/../t/lib";

use File::Path qw(make_path);
use JSON::PP ();
use List::Util qw(max sum);
use POSIX qw(ceil);
use Text::Wrap qw(wrap);

use PromptTest::Plot;

my ($figures, $folder, $document) = @ARGV;

die "usage: scaling.pl FIGURES FOLDER DOCUMENT\n" if !defined $document;

my @order = qw(me prompt prompts createPrompt executePrompt executions
               statistics);
my @parts = ([ nginx => 'nginx with the module' ], [ postgres => 'PostgreSQL' ],
             [ redis => 'Redis' ]);

# what prompt_postgres_read sends to standbys
my %standby = map { $_ => 1 } qw(prompt prompts executions statistics);

my $full   = 0.6;                  # of a core, when it counts as used up
my @rates  = (100, 10_000, 1_000_000);
my $server = 16;                   # cores of one PostgreSQL
my $host   = 8;                    # cores of one nginx host


sub text_of
{
    my ($file) = @_;

    open my $in, '<:encoding(UTF-8)', $file or die "$file: $!\n";
    local $/;

    return scalar <$in>;
}


sub write_to
{
    my ($file, $text) = @_;

    open my $out, '>:encoding(UTF-8)', $file or die "$file: $!\n";
    print $out $text;
    close $out or die "$file: $!\n";
}


my $found = JSON::PP->new->decode(text_of($figures));
my $last = $found->{sizes}[-1];
my $mix = $found->{mix};


# grouped(N): 1,234,567
sub grouped
{
    my $n = reverse sprintf '%.0f', $_[0];

    $n =~ s/(\d{3})(?=\d)/$1,/g;

    return scalar reverse $n;
}


# cores(N): as many digits as say something
sub cores
{
    my ($n) = @_;

    return $n < 0.095 ? sprintf('%.3f', $n)
        : $n < 9.95 ? sprintf('%.1f', $n) : grouped($n);
}


# one(OPERATION, PART): microseconds, as they are printed
sub one { return sprintf '%.1f', $last->{operations}{$_[0]}{$_[1]}; }


# as_parts(PART, WHICH): microseconds of a request of the mix, as the sum of
# its operations, or of some of them
sub as_parts
{
    my ($part, $which) = @_;

    return sprintf '%.1f', sum(0, map { $mix->{$_} / 100 * one($_, $part) }
                               grep { !$which || $which->($_) }
                               sort keys %$mix);
}


# of_mix(PART): of a request of the mix, measured on one host
sub of_mix { return sprintf '%.1f', $found->{hosts}[0]{$_[0]}; }


# ---- tables ----------------------------------------------------------------

sub row { return '| ' . join(' | ', @_) . " |\n"; }

sub table
{
    my ($head, @rows) = @_;

    return row(@$head) . row(map { '---' } @$head)
           . join('', map { row(@$_) } @rows);
}


sub costs
{
    my @head = ('µs of a core a request', 'of 100 requests',
                map { $_->[1] } @parts);
    my @rows = map {
        my $operation = $_;
        [ "`$operation`", $mix->{$operation} || '–',
          map { one($operation, $_->[0]) } @parts ] } @order;

    return table(\@head, @rows,
        [ 'the mix, added up', 100, map { as_parts($_->[0]) } @parts ],
        [ "the mix, measured, $found->{crowd} in flight", 100,
          map { of_mix($_->[0]) } @parts ]);
}


my $nginx   = of_mix('nginx');
my $redis   = of_mix('redis');
my $all     = of_mix('postgres');
my $read    = sprintf '%.1f', $all
              * as_parts('postgres', sub { $standby{$_[0]} })
              / as_parts('postgres');
my $primary = sprintf '%.1f', $all - $read;
my $runs    = ($mix->{executePrompt} || 0) / 100;
my $wal     = sprintf '%.1f', $last->{operations}{executePrompt}{wal} / 1000;
my $bytes   = sprintf '%.1f', $found->{bytes} / 1000;


# carried(CORES, COST): requests a second, to two digits; of a cost too small to
# be measured nothing can be said
sub carried
{
    my ($cores, $cost) = @_;

    return '-' if $cost <= 0;

    my $rate = $cores * $full * 1e6 / $cost;
    my $unit = 10 ** (int(log($rate) / log(10)) - 1);

    return grouped(int($rate / $unit) * $unit);
}


sub limits
{
    return table([ 'One of each', 'cores', 'µs a request',
                   'requests a second' ],
        [ 'nginx host', $host, $nginx, carried($host, $nginx) ],
        [ 'Redis', 1, $redis, carried(1, $redis) ],
        [ 'PostgreSQL, all on the primary', $server, $all,
          carried($server, $all) ],
        [ 'PostgreSQL, the primary with standbys for reads', $server, $primary,
          carried($server, $primary) ]);
}


sub needs
{
    my $used = sub { $_[0] * $_[1] / 1e6 / $full };
    my @rows = (
        [ 'nginx, cores', sub { cores($used->($_[0], $nginx)) } ],
        [ "nginx hosts of $host cores",
          sub { ceil($used->($_[0], $nginx) / $host) } ],
        [ 'Redis, cores', sub { cores($used->($_[0], $redis)) } ],
        [ 'Redis masters, of one core each',
          sub { ceil($used->($_[0], $redis)) } ],
        [ 'PostgreSQL, cores, all on the primary',
          sub { cores($used->($_[0], $all)) } ],
        [ 'the primary\'s, with standbys for reads',
          sub { cores($used->($_[0], $primary)) } ],
        [ 'the standbys\'', sub { cores($used->($_[0], $read)) } ],
        [ "primaries of $server cores, in as many cells",
          sub { ceil($used->($_[0], $primary) / $server) } ],
        [ "standbys of $server cores",
          sub { ceil($used->($_[0], $read) / $server) } ],
        [ 'connections to PostgreSQL, of nginx workers',
          sub { grouped(ceil($used->($_[0], $nginx)) * $found->{links}) } ],
        [ 'write-ahead log, MB/s',
          sub { cores($_[0] * $runs * $wal / 1000) } ],
        [ 'executions a day, millions',
          sub { cores($_[0] * $runs * 86_400 / 1e6) } ],
        [ 'their rows, lists and sums, GB a day',
          sub { cores($_[0] * $runs * 86_400 * $bytes / 1e6) } ]);

    return table([ 'Requests a second', map { grouped($_) } @rates ],
                 map { my $of = $_->[1];
                       [ $_->[0], map { $of->($_) } @rates ] } @rows);
}


sub hosts
{
    my @rows = map { [ $_->{hosts}, (map { sprintf '%.1f', $_ }
                                     @$_{qw(nginx postgres redis client)}),
                       grouped($_->{rate}), sprintf('%.1f', $_->{p50}) ] }
        @{ $found->{hosts} };

    return table([ 'Hosts', 'nginx, µs a request', 'PostgreSQL, µs',
                   'Redis, µs', 'the client, µs', 'requests a second',
                   'p50, ms' ], @rows);
}


# A PostgreSQL on one core: what its limit was calculated and measured to be
sub bound
{
    return table([ 'Hosts', 'in flight', 'executions a second',
                   'PostgreSQL, µs each', 'its core was busy',
                   'calculated limit' ],
        map { [ $_->{hosts}, $_->{flying}, grouped($_->{rate}),
                sprintf('%.1f', $_->{postgres}),
                sprintf('%.0f %%', 100 * $_->{busy}),
                grouped(1e6 / $_->{postgres}) ] }
        @{ $found->{bound} || [] });
}


sub measured
{
    my $first = $found->{sizes}[0];

    local $Text::Wrap::columns = 121;

    return wrap('', '', sprintf "From %s to %s executions, of %s to %s "
        . "accounts with ten prompts each; PostgreSQL %s, %d connections of one worker, %d "
        . "clients. An execution takes %s KB with its indexes, lists and sums, "
        . "and %s KB of write-ahead log.\n",
        grouped($first->{executions}), grouped($last->{executions}),
        grouped($first->{accounts}), grouped($last->{accounts}),
        $found->{postgres}, $found->{links}, $found->{clients}, $bytes, $wal);
}


my %tables = (costs => \&costs, limits => \&limits, needs => \&needs,
              hosts => \&hosts, bound => \&bound, measured => \&measured);


sub fill_in
{
    my $text = text_of($document);

    for my $name (sort keys %tables) {
        my $table = $tables{$name}->();

        $text =~ s/(<!-- figures: $name -->\n).*?(?=<!-- end -->)/$1\n$table\n/s
            or die "$document: no place for $name\n";
    }

    write_to($document, $text);
}


# ---- plots -----------------------------------------------------------------

sub sizes_plot
{
    my @lines = map {
        my $operation = $_;
        my @points = map { { size => $_->{executions},
                             cpu => $_->{operations}{$operation}{postgres},
                             wall => $_->{operations}{$operation}{p50} } }
            @{ $found->{sizes} };

        { name => $operation, points => \@points,
          note => sprintf('PostgreSQL %.0f to %.0f µs, p50 %.2f to %.2f ms',
                          map { ($points[0]{$_}, $points[-1]{$_}) }
                          qw(cpu wall)) };
    } @order;

    return PromptTest::Plot::draw({
        title => 'The whole service grows: ten prompts an account, up to a '
            . 'hundred executions',
        size => 'executions', lines => \@lines,
        cpu => 'PostgreSQL\'s CPU a request, µs' });
}


sub hosts_plot
{
    my @cost = map { { name => "hosts: $_->{hosts}",
                       parts => [ map { $_->{nginx} + 0, $_->{postgres} + 0,
                                        $_->{redis} + 0 } $_ ],
                       note => sprintf '%.0f µs', $_->{nginx} + $_->{postgres}
                                                  + $_->{redis} } }
        @{ $found->{hosts} };
    my $bound = $found->{bound} || $found->{hosts};
    my @rate = map { { name => "hosts: $_->{hosts}",
                       below => $_->{flying} && "$_->{flying} in flight",
                       parts => [ 0, $_->{rate} ],
                       note => grouped($_->{rate}) } } @$bound;
    my $limit = max(map { 1e6 / $_->{postgres} } @$bound);

    return PromptTest::Plot::bars({
        title => 'Several nginx hosts, one PostgreSQL, one Redis',
        description => 'Processor time a request in each part, by hosts: '
            . join(', ', map { "$_->{name} $_->{note}" } @cost)
            . '. Executions a second where PostgreSQL has one core: '
            . join(', ', map { "$_->{name} $_->{note}" } @rate) . '.',
        parts => [ map { $_->[1] } @parts ],
        panels => [
            { title => 'CPU a request of the mix, µs', bars => \@cost },
            { title => 'executePrompt a second, PostgreSQL on one core',
              bars => \@rate, limit => $limit,
              limit_name => 'a full core: ' . grouped($limit) } ] });
}


# ---- pictures --------------------------------------------------------------

my %pictures;

sub box { return { at => [ @_[0 .. 3] ], class => 'box',
                   text => [ @_[4 .. $#_] ] }; }

sub store { return { %{ box(@_) }, class => 'store' }; }

sub place { return { %{ box(@_) }, class => 'place' }; }


$pictures{one} = {
    title => 'One machine',
    description => 'Clients ask nginx with the module, which asks PostgreSQL '
        . 'and Redis on the same machine, and providers outside of it.',
    width => 640, height => 290,
    boxes => {
        clients => box(230, 36, 140, 34, 'clients'),
        machine => place(30, 96, 420, 180, 'a machine'),
        nginx => box(150, 120, 280, 44, 'nginx with the module',
                     'a worker for each core'),
        postgres => store(60, 200, 180, 44, 'PostgreSQL',
                          'all that is stored'),
        redis => store(270, 200, 160, 44, 'Redis', 'keys, for a minute'),
        providers => box(490, 120, 130, 44, 'providers'),
    },
    arrows => [ [ 'clients', 'nginx' ], [ 'nginx', 'postgres' ],
                [ 'nginx', 'redis' ], [ 'nginx', 'providers' ] ],
};

$pictures{pair} = {
    title => 'A pair with fail-over',
    description => 'Two machines have nginx, PostgreSQL and Redis each: one '
        . 'has the primary and the Redis master, the other a synchronous '
        . 'standby and a replica. Either nginx writes to the primary and looks '
        . 'keys up at the master. A third, small machine has the third vote of '
        . 'Patroni\'s store and of Sentinel. Clients come to either by a '
        . 'balancer or an address that moves.',
    width => 760, height => 390,
    boxes => {
        clients => box(210, 36, 340, 34,
                       'clients, by a balancer or an address that moves'),
        a => place(20, 96, 310, 236, 'machine A'),
        b => place(430, 96, 310, 236, 'machine B'),
        nginx_a => box(90, 116, 180, 40, 'nginx with the module'),
        nginx_b => box(490, 116, 180, 40, 'nginx with the module'),
        primary => store(165, 200, 150, 44, 'PostgreSQL', 'primary'),
        master => store(35, 262, 110, 44, 'Redis', 'master'),
        replica => store(615, 262, 110, 44, 'Redis', 'replica'),
        standby => store(445, 200, 150, 44, 'PostgreSQL',
                         'synchronous standby'),
        vote => box(240, 344, 280, 34, 'a third vote: etcd, Sentinel'),
    },
    arrows => [ [ 'clients', 'nginx_a' ], [ 'clients', 'nginx_b' ],
                [ 'nginx_a', 'primary' ], [ 'nginx_a', 'master' ],
                [ 'nginx_b', 'primary' ], [ 'nginx_b', 'standby', 'reads' ],
                [ 'primary', 'standby' ], [ 'master', 'replica' ] ],
};

$pictures{many} = {
    title => 'Many machines: one cell',
    description => 'Balancers spread clients over any number of nginx hosts. '
        . 'These look up keys in a Redis Cluster, write through pgbouncer to '
        . 'the primary, and read from standbys, which follow it. All of that '
        . 'is one cell.',
    width => 760, height => 416,
    boxes => {
        clients => box(300, 36, 160, 34, 'clients'),
        balancers => box(260, 96, 240, 34, 'load balancers'),
        host_1 => box(60, 162, 150, 40, 'nginx host 1'),
        host_2 => box(305, 162, 150, 40, 'nginx host 2'),
        host_n => box(550, 162, 150, 40, 'nginx host n'),
        cluster => place(20, 236, 220, 168, 'Redis Cluster'),
        masters => store(40, 260, 180, 44, 'masters', 'slots of keys'),
        replicas => store(40, 332, 180, 40, 'replicas'),
        shards => place(280, 236, 460, 168,
                        'one primary and its standbys'),
        bouncer => box(300, 262, 180, 40, 'pgbouncer'),
        primary => store(300, 332, 180, 40, 'primary'),
        standbys => store(540, 332, 180, 40, 'standbys'),
        reads => box(540, 262, 180, 40, 'pgbouncer for reads'),
    },
    arrows => [ [ 'clients', 'balancers' ], [ 'balancers', 'host_1' ],
                [ 'balancers', 'host_2' ], [ 'balancers', 'host_n' ],
                [ 'host_1', 'masters' ], [ 'host_2', 'masters' ],
                [ 'host_1', 'bouncer' ], [ 'host_2', 'bouncer' ],
                [ 'host_n', 'bouncer' ], [ 'host_2', 'reads' ],
                [ 'host_n', 'reads' ], [ 'masters', 'replicas' ],
                [ 'bouncer', 'primary' ], [ 'reads', 'standbys' ],
                [ 'primary', 'standbys' ] ],
};


make_path($folder);
write_to("$folder/sizes.svg", sizes_plot());
write_to("$folder/hosts.svg", hosts_plot());
write_to("$folder/$_.svg", PromptTest::Plot::picture($pictures{$_}))
    for sort keys %pictures;
fill_in();
