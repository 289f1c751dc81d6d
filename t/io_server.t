# src/io and a PostgreSQL that does what real ones do rarely: errors whose
# ReadyForQuery is late, connections that end after a commit.  The server is
# this test's own and speaks as much of the protocol as that takes.

use strict;
use warnings;

use lib 't/lib';

use File::Path qw(make_path remove_tree);
use IO::Socket::INET;
use PromptTest::Env;
use PromptTest::Io;
use Test::More;
use Time::HiRes qw(sleep);

my $root = $PromptTest::Env::root;
my $dir = "$PromptTest::Env::dir/io-server-$$";
my $slow = $ENV{PROMPT_TEST_SLOW} || 1;
my $asan = $ENV{TEST_NGINX_LD_PRELOAD};
my $port;


# The server.  The value of a parameter says what becomes of its statement:
#
#     hold-N    is answered when the file N is there
#     error-N   is refused at once; ReadyForQuery comes when the file N is there
#     lost      is done, and then an error ends the connection, as a pooler's
#     ended-N   N times the connection is ended by an administrator
#
# Each line of the file "log" is a statement that was begun, each line of
# "committed" one that was done and not rolled back.

sub note_down
{
    my ($file, @lines) = @_;

    open my $out, '>>', "$dir/$file" or die "$file: $!\n";
    syswrite $out, join('', map { "$_\n" } @lines);
}

sub noted
{
    my ($file, $line) = @_;

    open my $in, '<', "$dir/$file" or return 0;

    return scalar grep { $_ eq "$line\n" } <$in>;
}

sub until_there
{
    my ($name) = @_;

    for (1 .. 3000 * $slow) {
        return if -e "$dir/$name";
        sleep 0.01;
    }
}

sub let_go { open my $out, '>', "$dir/$_[0]" or die "$_[0]: $!\n"; }

sub message { return $_[0] . pack('N', 4 + length $_[1]) . $_[1]; }

sub error
{
    my ($severity, $state) = @_;

    return message('E', "S$severity\0V$severity\0C$state\0Mno\0\0");
}

sub rows
{
    my (@values) = @_;

    my $columns = join '', map { "v\0" . pack('NnNnNn', 0, 0, 25, -1, -1, 1) }
                           @values;

    return message('2', '')
           . message('T', pack('n', scalar @values) . $columns)
           . message('D', pack('n (N/a)*', scalar @values, @values))
           . message('C', "SELECT 1\0");
}

# what the module asks of each server: which one, and whether it has the name
sub probed { return rows(pack('N', $$), pack("C", -e "$dir/renames" ? 0 : 1)); }

sub receive
{
    my ($socket, $len) = @_;
    my $data = '';

    while (length $data < $len) {
        sysread($socket, $data, $len - length $data, length $data)
            or exit 0;
    }

    return $data;
}

# whether something has come already that was not read
sub is_more
{
    my ($socket) = @_;
    my $bits = '';

    vec($bits, fileno $socket, 1) = 1;

    return select($bits, undef, undef, 0) > 0;
}

# the first parameter of a Bind message, or ''
sub bound
{
    my ($body) = @_;

    my (undef, undef, @more) = unpack 'Z* Z* n/n n/(N/a)', $body;

    return $more[-1] // '';
}

sub serve
{
    my ($socket) = @_;
    my ($value, %ready, @done, $failed) = ('');

    receive($socket, unpack('N', receive($socket, 4)) - 4);
    syswrite $socket, message('R', pack 'N', 0)
                      . message('K', pack 'NN', $$ + (-e "$dir/pooler" ? 1 : 0), 0)
                      . message('Z', 'I');

    while (1) {
        my ($type, $len) = unpack 'aN', receive($socket, 5);
        my $body = receive($socket, $len - 4);

        exit 0 if $type eq 'X';

        if ($type eq 'S') {
            until_there($1) if defined $failed && $failed =~ /^error-(\w+)/;
            note_down('committed', @done) unless defined $failed;
            lose($socket) if grep { $_ eq 'lost' } @done;
            note_down('crossed', 'one') if is_more($socket);
            syswrite $socket, message('Z', 'I');
            (@done, $failed) = ();
            next;
        }

        next if defined $failed;

        if ($type eq 'P') {
            my ($name) = unpack 'Z*', $body;

            $failed = '42P05' if $name ne '' && -e "$dir/twice";
            $failed = '55P03' if $name eq 'prompt_probe'
                                 && unlink "$dir/refuses";

            if (defined $failed) {
                until_there('told') if -e "$dir/late";
                syswrite $socket, error('ERROR', $failed);
                next;
            }

            note_down('named', $name) if $name ne '';
            $ready{$name} = $body =~ /'(ready|prompt_probe)'/ ? $1 : '';
            syswrite $socket, message('1', '');

        } elsif ($type eq 'B') {
            my (undef, $name) = unpack 'Z* Z*', $body;

            if (!exists $ready{$name}) {
                $failed = '26000';
                syswrite $socket, error('ERROR', $failed);
                next;
            }

            $value = $ready{$name} || bound($body) || 'none';

        } elsif ($type eq 'E' && $value eq 'prompt_probe') {
            syswrite $socket, probed();

        } elsif ($type eq 'E') {
            note_down('log', $value);
            until_there($1) if $value =~ /^hold-(\w+)/;

            if ($value =~ /^ended-(\d+)/ && noted('log', $value) <= $1) {
                end_with($socket, '57P01');
            }

            if ($value =~ /^error-/) {
                $failed = $value;
                syswrite $socket, error('ERROR', '23505');
                next;
            }

            push @done, $value;
            syswrite $socket, rows($value);
        }
    }
}

# all that was sent is read first: the kernel would take the error back else
sub end_with
{
    my ($socket, $state) = @_;
    my $type;

    do {
        ($type, my $len) = unpack 'aN', receive($socket, 5);
        receive($socket, $len - 4);
    } while $type ne 'S';

    syswrite $socket, error('FATAL', $state);
    exit 0;
}

sub lose
{
    my ($socket) = @_;

    syswrite $socket, error('FATAL', '08P01');
    exit 0;
}

sub server
{
    my $listen = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 16,
                                       ReuseAddr => 1)
        or die "listen: $!\n";
    my $pid = fork // die "fork: $!\n";

    return ($pid, $listen->sockport) if $pid;

    $SIG{CHLD} = 'IGNORE';
    $SIG{PIPE} = 'IGNORE';

    while (1) {
        my $socket = $listen->accept or next;
        my $child = fork;

        serve($socket) if defined $child && !$child;
        close $socket;
    }
}


sub until_begun
{
    my ($value) = @_;

    return until_is(sub { noted('log', $value) ? 1 : 0 }, 1);
}

# both connections: for a long read, and for a change
sub hold_both
{
    my ($read, $change) = @_;

    my @held = ask("/pg?s=3&p=hold-$read&long=1");

    until_begun("hold-$read");
    push @held, ask("/pg?s=3&p=hold-$change");
    until_begun("hold-$change");

    return @held;
}

# asks in that order, behind what holds the connections
sub queued
{
    my ($arguments, @names) = @_;

    my $n = 0;

    return map { my $ask = ask("/pg?$arguments&p=$_");
                 until_stat('queued', ++$n);
                 $ask }
               @names;
}

sub stat_of
{
    my ($name) = @_;

    return get('/stats') =~ /postgres: .*?\b$name=(\d+)/ ? $1 : '';
}

sub until_stat
{
    my ($name, $want) = @_;

    return until_is(sub { stat_of($name) }, $want);
}


make_path($dir);

my ($server, $pg_port) = server();

my $build = "$PromptTest::Env::build/io-test";

system("$root/t/io/build.sh", $build,
       $asan ? '-fsanitize=address,undefined' : ()) == 0
    or die "the test module cannot be built\n";

my $user = PromptTest::Env::worker_user();

# an nginx whose connections are made so, which is asked from now on
my @nginx;

sub nginx
{
    my ($name, $arguments) = @_;
    my $at = "$dir/$name";

    make_path("$at/logs");
    push @nginx, $at;

    # not before the server has one
    $PromptTest::Io::port = $port = PromptTest::Env::free_port();

    open my $conf, '>', "$at/nginx.conf" or die "nginx.conf: $!\n";
    print $conf "load_module $build/ngx_http_prompt_io_test_module.so;\n",
                defined $user ? "user $user;\n" : '', <<"END";
worker_processes 1;
pid $at/nginx.pid;
error_log $at/error.log info;
events { worker_connections 256; }
http {
    access_log off;
    client_body_temp_path $at/body;
    proxy_temp_path $at/proxy;
    fastcgi_temp_path $at/fastcgi;
    uwsgi_temp_path $at/uwsgi;
    scgi_temp_path $at/scgi;
    io_postgres_server "host=127.0.0.1 port=$pg_port user=u dbname=d sslmode=disable"
        connections=2 timeout=20s $arguments;
    server {
        listen 127.0.0.1:$port;
        location = /pg { io_postgres unconditional; }
        location = /stats { io_stats; }
    }
}
END
    close $conf;

    local $ENV{LD_PRELOAD} = $asan if $asan;

    system($PromptTest::Env::nginx, '-e', "$at/error.log",
           '-p', $at, '-c', "$at/nginx.conf") == 0
        or die "nginx does not start\n";
}

nginx('nginx', '');

ok(until_stat('up', 2), 'two connections');


# a company whose first member's time is over between its error and the Sync

{
    my $first = ask('/pg?s=3&p=hold-a');

    until_begun('hold-a');

    my $wrong = ask('/pg?s=3&p=error-b&t=1500');

    until_stat('queued', 1);

    my $right = ask('/pg?s=3&p=right');

    until_stat('queued', 2);
    let_go('a');

    is(answer($first), 'ok 1:hold-a', 'company: what it waits for');
    is(answer($wrong), 'timeout unknown', 'company: one that is too late');
    is(noted('log', 'right'), 0, 'company: its error skips the other');
    let_go('b');
    is(answer($right), 'ok 1:right', 'company: which is done again');
    is(noted('committed', 'right'), 1, 'company: before that is said');
}


# reads of a row that wait for a connection, as both are held

{
    my @held = hold_both('f', 'g');
    my @reads = queued('s=1&row=1', qw(row-1 error-e row-2));

    let_go('f');
    until_begun('error-e');

    is(noted('log', 'row-1'), 1, 'reads of a row: one after the other');
    is(noted('committed', 'row-1'), 0, 'reads of a row: under one Sync');
    is(noted('log', 'row-2'), 0, 'reads of a row: an error skips the next');
    let_go('e');
    is(join(', ', map { answer($_) } @reads),
       'ok 1:row-1, error 23505 at 0, ok 1:row-2',
       'reads of a row: one that fails does so alone');
    is(noted('committed', 'row-1'), 1, 'reads of a row: done again alone');
    let_go('g');
    like(answer($_), qr/^ok/, 'reads of a row: what they waited for') for @held;
}


# trees: several statements that see one moment, and may all see the same one

{
    my @held = hold_both('i', 'j');
    my $snapshots = noted('log', 'none');
    my @reads = queued('s=1,1&snapshot=1&row=1',
                       qw(tree-1 tree-2 error-k tree-3 tree-4));

    push @reads, ask('/pg?s=1&row=1&p=row-3');
    until_stat('queued', 6);

    let_go('i');
    until_begun('error-k');

    is(noted('log', 'none') - $snapshots, 1, 'trees: choose one moment');
    is(join(' ', map { noted('log', "tree-$_") } 1 .. 4), '2 2 0 0',
       'trees: all statements of each, and an error skips the next');
    is(noted('committed', 'tree-1'), 0, 'trees: under one Sync');
    let_go('k');

    my @answers = map { answer($_) } @reads;

    is(join(', ', map { s/^ok 1:none/ok/r } @answers),
       'ok 1:tree-1 1:tree-1, ok 1:tree-2 1:tree-2, error 23505 at 1, '
       . 'ok 1:tree-3 1:tree-3, ok 1:tree-4 1:tree-4, ok 1:row-3',
       'trees: one that fails does so alone; a row is not of them');
    is(join(' ', map { noted('committed', "tree-$_") } 1 .. 4), '2 2 2 2',
       'trees: done again, and no more than four together');
    is(noted('log', 'none') - $snapshots, 5,
       'trees: each of a moment of its own then, but for what failed');
    let_go('j');
    like(answer($_), qr/^ok/, 'trees: what they waited for') for @held;
}


# who stands with a tree that is slow waits for it, but not again and again

{
    my @held = hold_both('l', 'm');
    my $snapshots = noted('log', 'none');
    my @reads = queued('s=1,1&snapshot=1&row=1',
                       'hold-n', map { "slow-$_" } 1 .. 18);

    # sixteen are on their way to the connection that is let go

    let_go('l');
    until_begun('hold-n');
    is(noted('log', 'none') - $snapshots, 1, 'slow: four together');
    select undef, undef, undef, 0.2;
    let_go('n');

    is(join(' ', map { (answer($_) =~ /(slow-\d+|hold-n)$/)[0] } @reads),
       'hold-n ' . join(' ', map { "slow-$_" } 1 .. 18), 'slow: all answered');
    is(noted('log', 'none') - $snapshots, 4 + 3,
       'slow: the others by themselves');
    let_go('m');
    like(answer($_), qr/^ok/, 'slow: what they waited for') for @held;
}


# writes that share a transaction, in the order of their rows

{
    my $held = ask('/pg?s=3&p=hold-h');

    until_begun('hold-h');

    my $n = 0;
    my @writes = map { my $ask = ask("/pg?s=3&p=in-$_&o=" . $_ x 16);
                       until_stat('queued', ++$n);
                       $ask }
                     qw(2 3 1);

    let_go('h');
    answer($_) for $held, @writes;

    open my $in, '<', "$dir/log" or die "log: $!\n";
    is(join('', grep { /^in-/ } <$in>), "in-3\nin-2\nin-1\n",
       'company: takes its rows in one direction');
}


# ends of connections

ok(until_stat('up', 2), 'two connections');
is(get('/pg?s=3&p=lost'), 'unavailable unknown',
   'an error of the connection says nothing of the transaction');
is(noted('committed', 'lost'), 1, 'which is not done twice');

ok(until_stat('up', 2), 'two connections');
is(get('/pg?s=1&p=ended-3'), 'ok 1:ended-3',
   'what reads may meet several connections that are ended');


# who waits behind whom

ok(until_stat('up', 2), 'two connections');

{
    my $row = 'l=0123456789abcdef';
    my $long = ask('/pg?s=3&p=hold-c&long=1');

    until_begun('hold-c');
    is(get('/pg?s=3&p=short'), 'ok 1:short',
       'a long one leaves a connection to what is short');

    my $next = ask("/pg?s=3&p=next&long=1&t=1500&$row");

    until_stat('queued', 1);

    my $behind = ask("/pg?s=3&p=behind&$row");

    until_stat('queued', 2);
    is(answer($next), 'timeout', 'a long one waits for the other');
    is(answer($behind), 'ok 1:behind',
       'who waited for its row has it when it is gone');
    let_go('c');
    is(answer($long), 'ok 1:hold-c', 'the first long one');
}

# what is done again is no younger than it was: one batch that is undone does
# not pass the one before it

{
    my @held = hold_both('o', 'r');
    my @first = queued('s=3', qw(error-s old-1 old-2));

    let_go('r');
    until_begun('error-s');

    my @second = queued('s=3', qw(error-t young-1 young-2));

    let_go('s');
    until_begun('error-t');
    let_go('t');

    is(join(', ', map { answer($_) } @first, @second),
       'error 23505 at 0, ok 1:old-1, ok 1:old-2, '
       . 'error 23505 at 0, ok 1:young-1, ok 1:young-2',
       'undone: what fails does so alone');

    open my $in, '<', "$dir/log" or die "log: $!\n";
    is(join('', grep { /^(?:old|young)/ } <$in>),
       "old-1\nold-2\nyoung-1\nyoung-2\n", 'undone: the older ones first');

    let_go('o');
    like(answer($_), qr/^ok/, 'undone: what they waited for') for @held;
}

ok(noted('crossed', 'one'), 'reads are sent behind others');


# behind a pooler that prepares nothing: nothing is sent behind a transaction

unlink "$dir/crossed";
nginx('unprepared', 'prepare=off');
ok(until_stat('up', 2), 'prepare=off: two connections');

{
    my @held = map { my $ask = ask("/pg?s=1&p=hold-$_");
                     until_begun("hold-$_");
                     $ask }
                   qw(u v);
    my @reads = queued('s=1', map { "behind-$_" } 1 .. 6);
    my $change = ask('/pg?s=3&p=change');

    until_stat('queued', 7);
    is(stat_of('queued'), 7, 'prepare=off: all wait that are not the first');
    let_go('u');

    is(join(', ', map { answer($_) } @reads, $change),
       join(', ', map { "ok 1:$_" } (map { "behind-$_" } 1 .. 6), 'change'),
       'prepare=off: and are answered');

    open my $in, '<', "$dir/log" or die "log: $!\n";
    my @order = grep { /^(?:behind-\d|change)$/ } <$in>;

    ok((grep { $order[$_] eq "change\n" } 0 .. 1),
       'prepare=off: a change has its turn among reads')
        or diag(@order);

    let_go('v');
    like(answer($_), qr/^ok/, 'prepare=off: what they waited for') for @held;
}

ok(!noted('crossed', 'one'), 'prepare=off: one transaction at a time');


# poolers, of which nobody has said anything

# how often they were found out; what is asked behind another either waits or
# is in flight, too
sub behind_pooler
{
    my ($name, $arguments, $is, $state, $n, @files) = @_;

    unlink map { "$dir/$_" } qw(crossed named pooler renames refuses twice);
    let_go($_) for @files;
    nginx($name, $arguments);
    ok(until_stat('up', 2), "$is: two connections");

    my @held = map { my $ask = ask("/pg?s=1&p=hold-${name}_$_");
                     until_begun("hold-${name}_$_");
                     $ask }
                   qw(a b);
    my $read = ask("/pg?s=1&p=after-$name");

    ok(until_stat($state, $n), "$is: one behind another");
    let_go("${name}_$_") for qw(a b);
    like(answer($_), qr/^ok/, "$is: answered") for @held, $read;

    return said($name);
}

sub said
{
    my ($name) = @_;

    open my $in, '<', "$dir/$name/error.log" or die "error.log: $!\n";

    return scalar grep { /may pass on the names/ } <$in>;
}

# what is prepared under a name beside the probe
sub names_of_others
{
    open my $in, '<', "$dir/named" or return '';

    return join '', grep { $_ ne "prompt_probe\n" } <$in>;
}

{
    my $is = 'a pooler that passes names on';

    is(behind_pooler('passing', '', $is, 'queued', 1, 'pooler'), 1,
       "$is: it is said");
    ok(!noted('crossed', 'one'), "$is: one transaction at a time");
    is(get('/pg?s=1&p=more'), 'ok 1:more', "$is: and more");
    is(names_of_others(), '', "$is: nothing is prepared");

    $is = 'a name that is there already';
    is(behind_pooler('there', '', $is, 'queued', 1, 'pooler', 'twice'), 1,
       "$is: it is said");
    ok(!noted('crossed', 'one'), "$is: one transaction at a time");

    $is = 'a pooler with names of its own';
    is(behind_pooler('renaming', '', $is, 'in_flight', 3, 'pooler', 'renames'),
       0, "$is: nothing is said");
    ok(noted('crossed', 'one'), "$is: one behind another");
    isnt(names_of_others(), '', "$is: statements are prepared");

    $is = 'a pooler in session mode';
    is(behind_pooler('session', 'prepare=session', $is, 'in_flight', 3,
                     'pooler'), 0, "$is: nothing is said");
    isnt(names_of_others(), '', "$is: statements are prepared");
    ok(!noted('named', 'prompt_probe'), "$is: nothing is asked");

    # what the server refuses for a moment says nothing of poolers

    $is = 'a probe that is refused';
    is(behind_pooler('refused', '', $is, 'in_flight', 3, 'refuses'), 0,
       "$is: nothing is said");
    is(noted('named', 'prompt_probe'), 2, "$is: it is asked again");

    # one that is with the server of which it was told, and with others later

    $is = 'a name that is there when it is used';
    unlink "$dir/refuses";
    nginx('later', '');
    ok(until_stat('up', 2), "$is: two connections");
    let_go('twice');
    is(get('/pg?s=1&p=late'), 'ok 1:late', "$is: done without");
    is(said('later'), 1, "$is: it is said");

    # two each: the second has a name that is not there after all

    unlink "$dir/twice";
    nginx('meanwhile', '');
    ok(until_stat('up', 2), "$is: two connections, again");
    let_go($_) for qw(twice late);

    my $n = 0;
    my @reads = map { my $ask = ask("/pg?s=1&p=meanwhile-$_");
                      until_stat('in_flight', ++$n);
                      $ask }
                    1 .. 4;

    let_go('told');
    is(join(', ', map { answer($_) } @reads),
       join(', ', map { "ok 1:meanwhile-$_" } 1 .. 4),
       "$is: what is in flight then is done without, too");
}


for my $at (@nginx) {
    open my $in, '<', "$at/error.log" or die "error.log: $!\n";
    local $/;
    unlike(<$in>, qr/\[(alert|crit|emerg)\]|AddressSanitizer|runtime error/,
           'a quiet log');
}

done_testing();

END {
    my $status = $?;

    if ($server) {
        for my $at (@nginx) {
            open my $in, '<', "$at/nginx.pid" or next;
            my ($pid) = <$in> =~ /^(\d+)/;

            kill 'TERM', $pid;
        }

        kill 'TERM', $server;
        remove_tree($dir) unless $ENV{PROMPT_TEST_KEEP};
    }

    $? = $status;
}
