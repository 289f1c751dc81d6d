# Projects: who is a member and by what role, invitations, what is moved from one
# to another, how they end.

use strict;
use warnings;

use lib 't/lib';

use PromptTest::Env;
use PromptTest::Json;
use PromptTest::People;
use PromptTest::Server;
use Test::More;

PromptTest::Env::setup();

my $s = PromptTest::Server->new(workers => 2, server => <<'END');
    location = /session { prompt_session; }
END

my ($alice, $bob) = map { PromptTest::Env::var("${_}_id") } qw(alice bob);
my %session = map { $_ => PromptTest::People::session(
                        PromptTest::Env::var("${_}_id")) } qw(alice bob);

sub sql { return PromptTest::Env::psql(@_) }


# as($who, $project, $query [, $variables])
sub as
{
    my ($who, @what) = @_;

    return PromptTest::People::ask($s, $session{$who} || $who, @what);
}


sub data
{
    my ($answer, $data, $name) = @_;
    my $differs = PromptTest::Json::differs($answer->{json}{data}, $data);

    ok(!$differs && !$answer->{json}{errors}, $name)
        or diag($differs // '', $answer->{body} // '');

    return $answer->{json}{data};
}


sub refused
{
    my ($answer, $code, $like, $name) = @_;

    is($answer->{code}, $code, $name);
    like($answer->{message}, $like, '... in words');

    return;
}


# the personal one

data(as('alice', undef, '{ project { __typename id name personal role createdAt'
        . ' protectedLabels recordsContent members { user { id email } role'
        . ' since } invitations { id } } }'),
     { project => { __typename => 'Project', id => $alice, name => 'Personal',
                    personal => \1, role => 'OWNER', createdAt => '<time>',
                    protectedLabels => [], recordsContent => \1,
                    members => [ { user => { id => $alice, email =>
                                             'alice@example.com' },
                                   role => 'OWNER', since => '<time>' } ],
                    invitations => [] } }, 'the personal project');

data(PromptTest::People::ask($s, PromptTest::Env::var('alice_read_key'), undef,
                             '{ project { id role } }'),
     { project => { id => $alice, role => 'OWNER' } }, 'by a key');

refused(PromptTest::People::ask($s, PromptTest::Env::var('alice_key'), undef,
                                '{ projects { id } }'),
        'UNAUTHENTICATED', qr/./, 'no key has all projects');

# a new one

my $acme = data(as('alice', undef, 'mutation { createProject(name: "Acme") {'
                   . ' id name personal role members { role user { id } } } }'),
                { createProject => { id => '<uuid>', name => 'Acme',
                                     personal => \0, role => 'OWNER',
                                     members => [ { role => 'OWNER', user =>
                                                    { id => $alice } } ] } },
                'created')->{createProject}{id};

data(as('alice', $acme, '{ project { id name } prompts { id } }'),
     { project => { id => $acme, name => 'Acme' }, prompts => [] },
     'and acted in');

refused(as('bob', $acme, '{ project { id } }'), 'FORBIDDEN', qr/not a member/,
        'not by others');

for ('""', '"  "', '"' . 'x' x 101 . '"', "\"a\x01\"") {
    refused(as('alice', undef, "mutation { createProject(name: $_)"
               . ' { id } }'), 'BAD_USER_INPUT', qr/name/, 'a wrong name');
}

data(as('alice', undef, '{ projects { name personal role a: members(first: 1) {'
        . ' role } b: members(after: "ffffffff-ffff-7fff-bfff-ffffffffffff") {'
        . ' role } } }'),
     { projects => [ { name => 'Personal', personal => \1, role => 'OWNER',
                       a => [ { role => 'OWNER' } ], b => [] },
                     { name => 'Acme', personal => \0, role => 'OWNER',
                       a => [ { role => 'OWNER' } ], b => [] } ] },
     'all of them');

done_testing();
