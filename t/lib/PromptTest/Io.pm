# Requests to the module of t/io, from the tests that have servers of their own:
# plain GETs, some of them left to a child that waits for the answer.
package PromptTest::Io;

use strict;
use warnings;

use Exporter 'import';
use IO::Socket::INET;
use POSIX ();
use Test::More ();
use Time::HiRes qw(sleep);

our @EXPORT = qw(get ask answer until_is);

# where nginx listens, on the loopback interface
our $port;

my $slow = $ENV{PROMPT_TEST_SLOW} || 1;


# get(PATH): the answer's body
sub get
{
    my ($path) = @_;
    my $socket = IO::Socket::INET->new(PeerAddr => "127.0.0.1:$port",
                                       Timeout => 5)
        or return 'no connection';

    print $socket "GET $path HTTP/1.0\r\nHost: t\r\n\r\n";

    local $/;
    my $text = <$socket> // '';

    $text =~ s/^.*?\r\n\r\n//s;
    $text =~ s/\n\z//;

    return $text;
}


# ask(PATH): starts a request; answer() has what came
sub ask
{
    my ($path) = @_;
    my $pid = open(my $child, '-|') // die "fork: $!\n";

    if (!$pid) {
        print get($path);
        close STDOUT;
        POSIX::_exit(0);
    }

    return $child;
}


sub answer
{
    my ($child) = @_;
    my $got = <$child>;

    close $child;

    return $got // '';
}


# until_is(ACT, WANT): whether ACT says WANT after a while
sub until_is
{
    my ($act, $want) = @_;
    my $got = '';

    for (1 .. 300 * $slow) {
        $got = $act->();
        return 1 if $got eq $want;
        sleep 0.03;
    }

    Test::More::diag("got $got, not $want");

    return 0;
}


1;
