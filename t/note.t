# note: what a version changes, kept with it, copied, imported, exported.

use strict;
use warnings;

use lib 't/lib';
use JSON::PP ();
use PromptTest::Server;
use Test::More;

my $s = PromptTest::Server->new(workers => 1);
my $json = JSON::PP->new->canonical->utf8;


sub ask
{
    my ($query, $variables) = @_;

    return $s->ask('alice', $query, $variables)->{json};
}


my $id = ask('mutation { createPrompt(input: {name: "noted"}) { id } }')
    ->{data}{createPrompt}{id};


# added(NOTE): the version's note, or "CODE field"
sub added
{
    my ($note) = @_;
    my $made = ask('mutation ($i: CreatePromptVersionInput!) '
                   . '{ createPromptVersion(input: $i) { note } }',
                   { i => { promptId => $id, content => 'x', params => {},
                            note => $note } });
    my $error = ($made->{errors} // [])->[0]{extensions};

    return $error ? "$error->{code} $error->{field}"
                  : $made->{data}{createPromptVersion}{note};
}


is(added('Shorter, "kinder" — é'), 'Shorter, "kinder" — é', 'it comes back');
is(added(undef), undef, 'none');
is(added('x' x 256), 'x' x 256, 'the longest');

for my $wrong ('x' x 257, "two\nlines", "a\tb") {
    is(added($wrong), 'BAD_USER_INPUT note',
       length $wrong . ' characters are refused: '
       . $json->encode([ substr $wrong, 0, 9 ]));
}

my $versions = ask('query ($id: ID!) { prompt(id: $id) { versions { version '
                   . 'note } } }', { id => $id })->{data}{prompt}{versions};

is_deeply([ map { $_->{note} } @$versions ],
          [ 'Shorter, "kinder" — é', undef, 'x' x 256 ], 'read with others');

is_deeply(ask('mutation ($id: ID!) { forkPrompt(id: $id) { versions { note } '
              . '} }', { id => $id })->{data}{forkPrompt}{versions},
          [ map { { note => $_->{note} } } @$versions ], 'a fork has them');

my $import = 'mutation ($v: [ImportVersionInput!]!) { importPrompts(prompts: '
             . '[{name: "imported", versions: $v}]) { created } }';
my $given = [ { version => 1, content => 'x', params => {}, note => 'first' } ];

is_deeply(ask($import, { v => $given }),
          { data => { importPrompts => { created => 1 } } }, 'imported');
is_deeply(ask('{ promptByName(name: "imported") { versions { note } } }')
              ->{data}{promptByName}{versions}, [ { note => 'first' } ],
          'with its note');
is_deeply(ask($import, { v => $given }),
          { data => { importPrompts => { created => 0 } } }, 'and the same');
$given->[0]{note} = "a\nb";
is(ask($import, { v => $given })->{errors}[0]{extensions}{field},
   'prompts.0.versions.0.note', 'one that is none');

done_testing();
