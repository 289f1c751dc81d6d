#!/usr/bin/perl
#
# promptctl by GraphQL, against the service itself: prompts, show, run, export
# and import.

use strict;
use warnings;

use File::Path qw(make_path);
use File::Temp qw(tempdir);
use IO::Socket::INET;
use JSON::PP ();
use POSIX qw(_exit);
use Test::More;
use Time::HiRes qw(sleep);

use lib 't/lib';
use PromptTest::Env;

my $ctl = $PromptTest::Env::promptctl;
my $dir = tempdir(CLEANUP => 1);
my $json = JSON::PP->new->utf8->canonical;
my $nginx;

chmod 0755, $dir;

PromptTest::Env::setup();
start_nginx();

$ENV{PROMPT_API_KEY} = PromptTest::Env::var('alice_key');
delete @ENV{qw(PROMPT_DATABASE_URL PROMPT_REDIS)};


# nginx with the standard configuration, on a port of its own
sub start_nginx
{
    my $port = PromptTest::Env::free_port();
    my $user = PromptTest::Env::worker_user();
    my $text = "load_module $PromptTest::Env::module;\n"
               . ($user ? "user $user;\n" : '')
               . "worker_processes 1;\ndaemon off;\npid $dir/nginx.pid;\n"
               . "error_log $dir/error.log info;\n"
               . "events { worker_connections 256; }\nhttp {\n"
               . "access_log off;\n"
               . PromptTest::Env::temp_paths($dir)
               . PromptTest::Env::http_config()
               . "server {\nlisten 127.0.0.1:$port;\n"
               . "client_max_body_size 16m;\n"
               . PromptTest::Env::server_config('') . "}\n}\n";

    write_file("$dir/nginx.conf", $text);

    $nginx = fork;

    if ($nginx == 0) {
        open STDERR, '>>', "$dir/error.log";
        $ENV{LD_PRELOAD} = $ENV{TEST_NGINX_LD_PRELOAD}
            if defined $ENV{TEST_NGINX_LD_PRELOAD};
        exec $PromptTest::Env::nginx, '-p', $dir, '-c', "$dir/nginx.conf"
            or _exit(127);
    }

    $ENV{PROMPT_URL} = "http://127.0.0.1:$port/graphql";

    for (1 .. 200) {
        return if IO::Socket::INET->new(PeerAddr => '127.0.0.1',
                                        PeerPort => $port);
        sleep 0.05;
    }

    die "nginx does not start:\n" . slurp("$dir/error.log");
}

sub write_file
{
    my ($path, $text) = @_;

    open my $out, '>', $path or die "$path: $!";
    print $out $text;
    close $out or die "$path: $!";
}

sub slurp
{
    open my $in, '<', $_[0] or return '';
    local $/;
    my $text = <$in>;

    return defined $text ? $text : '';
}

# ctl(ARGS...): exit status, standard output, standard error
sub ctl
{
    my $pid = fork;

    if ($pid == 0) {
        open STDOUT, '>', "$dir/out" or _exit(126);
        open STDERR, '>', "$dir/err" or _exit(126);
        open STDIN, '<', -f "$dir/in" ? "$dir/in" : '/dev/null' or _exit(126);
        alarm 300;
        exec { $ctl } 'promptctl', @_ or _exit(127);
    }

    waitpid $pid, 0;

    return ($? & 127 ? -1 : $? >> 8, slurp("$dir/out"), slurp("$dir/err"));
}

# made($folder, { file => text }): a prompt's folder
sub made
{
    my ($folder, %files) = @_;

    make_path("$dir/$folder");
    write_file("$dir/$folder/$_", $files{$_}) for keys %files;
}

# tree($folder): { file => text }
sub tree
{
    my ($folder) = @_;
    my %files;

    for my $path (glob("$dir/$folder/*/*")) {
        (my $name = $path) =~ s{^\Q$dir/$folder/\E}{};
        $files{$name} = slurp($path);
    }

    return \%files;
}


my $content = " {{x}} \r\n\t\xc3\xa9\xf0\x9f\x98\x80 \n";

subtest 'import' => sub {
    my ($rc, $out, $err) = ctl('prompts', '--json');
    is($out, "[]\n", 'nothing there');

    made('a/greet',
         'prompt.json' => '{"name": "Greet Everybody", "description": null,'
                          . ' "category": "CUSTOM", "isPublic": true}',
         'v1.txt' => $content,
         'v1.json' => '{"params": {"model": "fx:ok", "temperature": 0.10,'
                      . ' "seed": 1, "stop": [[], {}, 1e2, "\u00e9"]}}',
         'v2.txt' => 'Hello {{name}}, {{n}}',
         'v2.json' => '{"params": {"model": "fx:ok"}, "note": "kinder",'
                      . ' "outputSchema": {"minLength": 1}, "inputSchema": {"type":'
                      . ' "object", "required": ["name"], "properties":'
                      . ' {"n": {"type": "integer", "default": 7}}}}');
    made('a/bare', 'prompt.json' => '{"name": "bare"}');
    made('a/no-prompt', 'README' => 'no prompt');
    made('a/.git', 'prompt.json' => '{');
    write_file("$dir/a/README", 'text');

    my @steps = ('create bare', 'create greet-everybody',
                 'add version 1 of greet-everybody',
                 'add version 2 of greet-everybody');

    ($rc, $out, $err) = ctl('import', "$dir/a", '--dry-run');
    is($rc, 0, '--dry-run') or diag($err);
    is($out, join('', map { "would $_\n" } @steps), 'says what it would do');
    ($rc, $out, $err) = ctl('prompts', '--json');
    is($out, "[]\n", 'and does nothing');

    ($rc, $out, $err) = ctl('import', "$dir/a");
    is($rc, 0, 'import') or diag($err);
    is($out, join('', map { "$_\n" } @steps), 'does it');
    ($rc, $out, $err) = ctl('import', "$dir/a");
    is($out, "nothing to do\n", 'once');
    ($rc, $out, $err) = ctl('import', "$dir/a", '--json');
    is($out, "[]\n", '--json');

    made('a/greet', 'prompt.json' => '{"name": "greet-everybody",'
                                     . ' "description": "d", "isPublic":'
                                     . ' false}');
    made('a/bare', 'v1.txt' => 'x', 'v1.json' => '{"params": {}}');
    ($rc, $out, $err) = ctl('import', "$dir/a", '--json');
    is_deeply($json->decode($out),
              [{ what => 'version', prompt => 'bare', version => 1,
                 label => undef },
               { what => 'update', prompt => 'greet-everybody',
                 version => undef, label => undef }],
              'what differs');

    ($rc, $out, $err) = ctl('show', 'greet-everybody', '--json');
    my $shown = $json->decode($out);
    ok($shown->{description} eq 'd' && !$shown->{isPublic}
       && $shown->{category} eq 'CUSTOM', 'and what is absent stays');
};


subtest 'import that is refused' => sub {
    my %faults = (
        'b/syntax' => [{ 'prompt.json' => "{\n \"name\": }" },
                       qr/prompt\.json:2:10: not JSON/],
        'b/member' => [{ 'prompt.json' => '{"name": "x", "nam": "x"}' },
                       qr{b/member/prompt\.json: .*"nam"}],
        'b/type' => [{ 'prompt.json' => '{"name": "x", "isPublic": "yes"}' },
                     qr{b/type/prompt\.json: .*Boolean cannot}],
        'b/nameless' => [{ 'prompt.json' => '{"name": " - "}' },
                         qr{b/nameless/prompt\.json: }],
        'b/own' => [{ 'prompt.json' => '{"name": "x", "versions": []}' },
                    qr/prompt\.json: "versions" has a file of its own/],
        'b/gap' => [{ 'prompt.json' => '{"name": "x"}', 'v2.txt' => 'x',
                      'v2.json' => '{"params": {}}' },
                    qr{b/gap/v2\.json: .* would leave a gap}],
        'b/params' => [{ 'prompt.json' => '{"name": "x"}', 'v1.txt' => 'x' },
                       qr/v1\.json: missing/],
        'b/utf8' => [{ 'prompt.json' => '{"name": "x"}', 'v1.txt' => "\xff",
                       'v1.json' => '{"params": {}}' }, qr/not UTF-8/],
        'b/changed' => [{ 'prompt.json' => '{"name": "greet-everybody"}',
                          'v1.txt' => 'changed',
                          'v1.json' => '{"params": {}}' },
                        qr{b/changed/v1\.txt: .*versions never change}],
        'b/template' => [{ 'prompt.json' => '{"name": "x"}', 'v1.txt' => "\n{{",
                           'v1.json' => '{"params": {}}' },
                         qr{b/template/v1\.txt: .*line 2, column 1.*INPUT}],
        'b/schema' => [{ 'prompt.json' => '{"name": "x"}', 'v1.txt' => 'x',
                         'v1.json' => '{"params": {},'
                                      . ' "inputSchema": {"type": 1}}' },
                       qr{b/schema/v1\.json: .*\(BAD_USER_INPUT\)}],
        'b/twice' => [{ 'prompt.json' => '{"name": "Sound"}' },
                      qr{b/twice/prompt\.json: "sound" is the name of}],
    );

    for my $folder (sort keys %faults) {
        my ($files, $message) = @{ $faults{$folder} };

        system 'rm', '-rf', "$dir/b";
        made('b/aa-sound', 'prompt.json' => '{"name": "sound"}');
        made($folder, %$files);

        for my $way ([ 'import', "$dir/b" ], [ 'diff', "$dir/b" ],
                     [ 'import', "$dir/b", '--dry-run' ])
        {
            my ($rc, $out, $err) = ctl(@$way);
            ok($rc == 1 && $out eq '' && $err =~ $message,
               "$folder: $way->[0] " . ($way->[2] // ''))
                or diag("$rc $out $err");
        }
    }

    my ($rc, $out, $err) = ctl('prompts', '--json');
    is(scalar @{ $json->decode($out) }, 2, 'nothing of it was imported');

    ($rc, $out, $err) = ctl('import', "$dir/nowhere");
    ok($rc == 1 && $err =~ /cannot read/, 'a folder that is not there');

    system 'rm', '-rf', "$dir/b";
    made('b/x', 'prompt.json' => '{"name": "x"}', 'v1.txt' => 'x {{',
         'v1.json' => '{"params": {}}');
    made('b/y', 'prompt.json' => '{"name": "y"}', 'v1.txt' => 'y {{',
         'v1.json' => '{"params": {}}');
    ($rc, $out, $err) = ctl('import', "$dir/b");
    ok($rc == 1 && $out eq ''
       && $err =~ m{b/x/v1\.txt: .*\n.*b/y/v1\.txt: .*\(BAD_USER_INPUT\)\n},
       'what the service refuses, all of it') or diag($out . $err);
    system 'rm', '-rf', "$dir/b/y";
    write_file("$dir/b/x/v1.txt", 'x');
    ($rc, $out, $err) = ctl('import', "$dir/b");
    is($out, "create x\nadd version 1 of x\n", 'nothing of it was done');
};


subtest 'diff and --delete' => sub {
    local $ENV{PROMPT_API_KEY} = PromptTest::Env::var('bob_key');

    made('d/one', 'prompt.json' => '{"name": "one"}', 'v1.txt' => 'a',
         'v1.json' => '{"params": {}}', 'labels.json' => '{"l": 1}');
    made('d/two', 'prompt.json' => '{"name": "two"}');

    my $all = "+ create one\n+ add version 1 of one\n+ create two\n";

    my ($rc, $out, $err) = ctl('diff', "$dir/d");
    ok($rc == 0 && $out eq $all, 'diff') or diag("$rc $out $err");
    ($rc, $out, $err) = ctl('diff', "$dir/d", '--exit-code');
    ok($rc == 1 && $out eq $all, '--exit-code') or diag("$rc $out $err");
    ($rc, $out, $err) = ctl('diff', "$dir/nowhere", '--exit-code');
    ok($rc == 2 && $err =~ /cannot read/, 'a failure is no difference');
    ($rc, $out, $err) = ctl('import', "$dir/d");
    is($rc, 0, 'import') or diag($err);
    ($rc, $out, $err) = ctl('diff', "$dir/d", '--exit-code');
    ok($rc == 0 && $out eq '', 'none') or diag("$rc $out $err");
    ($rc, $out, $err) = ctl('diff', "$dir/d", '--labels', '--exit-code');
    ok($rc == 1 && $out eq "~ set label l of one to version 1\n", '--labels')
        or diag("$rc $out $err");

    # what members are called in which order is no difference

    write_file("$dir/d/one/v1.json", "{ \"params\":\n{ } }");
    system 'rm', '-rf', "$dir/d/two";
    write_file("$dir/d/one/prompt.json",
               '{"description": "new", "name": "One"}');
    ($rc, $out, $err) = ctl('diff', "$dir/d");
    is($out, "~ update one\n", 'nothing is deleted');
    ($rc, $out, $err) = ctl('diff', "$dir/d", '--delete', '--json');
    is_deeply([map { "$_->{what} $_->{prompt}" } @{ $json->decode($out) }],
              ['update one', 'delete two'], 'but with --delete') or diag($err);
    ($rc, $out, $err) = ctl('import', "$dir/d", '--delete', '--dry-run');
    is($out, "would update one\nwould delete two\n", '--dry-run');
    ($rc, $out, $err) = ctl('import', "$dir/d", '--delete');
    is($out, "update one\ndelete two\n", 'import --delete') or diag($err);
    ($rc, $out, $err) = ctl('prompts', '--json');
    is_deeply([map { $_->{name} } @{ $json->decode($out) }], ['one'],
              'and it is gone');
    system 'rm', '-rf', "$dir/d/one";
    ($rc, $out, $err) = ctl('import', "$dir/d", '--delete');
    is($out, "delete one\n", 'an empty folder deletes all') or diag($err);
};


subtest 'export' => sub {
    my ($rc, $out, $err) = ctl('export', "$dir/e");
    is($rc, 0, 'export') or diag($err);
    is($out, "exported x, 1 version\nexported greet-everybody, 2 versions\n"
             . "exported bare, 1 version\n", 'the newest first');

    my $tree = tree('e');
    is_deeply([sort keys %$tree],
              [map({ "bare/$_" } qw(prompt.json v1.json v1.txt)),
               map({ "greet-everybody/$_" }
                   qw(prompt.json v1.json v1.txt v2.json v2.txt)),
               map({ "x/$_" } qw(prompt.json v1.json v1.txt))], 'files');
    is($tree->{'greet-everybody/v1.txt'}, $content,
       'content, byte for byte');
    is($tree->{'greet-everybody/v1.json'}, <<"END", 'params as they were');
{
  "params": {
    "model": "fx:ok",
    "temperature": 0.10,
    "seed": 1,
    "stop": [
      [],
      {},
      1e2,
      "\xc3\xa9"
    ]
  }
}
END
    like($tree->{'greet-everybody/v2.json'},
         qr/"outputSchema": \{\n    "minLength": 1\n  \}/, 'output schemas');
    like($tree->{'greet-everybody/v2.json'}, qr/"note": "kinder"/, 'notes');
    is($tree->{'bare/prompt.json'}, <<'END', 'prompt.json');
{
  "name": "bare",
  "description": null,
  "category": "GENERAL",
  "isPublic": false
}
END

    my @before = map { (stat $_)[1] } sort glob("$dir/e/*/*");
    ($rc, $out, $err) = ctl('export', "$dir/e", '--json');
    is_deeply([map { $_->{changed} ? 1 : 0 } @{ $json->decode($out) }],
              [0, 0, 0], 'again: nothing changed');
    is_deeply([map { (stat $_)[1] } sort glob("$dir/e/*/*")], \@before,
              'and no file was written');

    ($rc, $out, $err) = ctl('import', "$dir/e");
    is($out, "nothing to do\n", 'what was exported is what there is');

    # into another account
    {
        local $ENV{PROMPT_API_KEY} = PromptTest::Env::var('bob_key');

        ($rc, $out, $err) = ctl('import', "$dir/e");
        is($rc, 0, 'another account takes it') or diag($err);
        ($rc, $out, $err) = ctl('export', "$dir/f");
        is_deeply(tree('f'), $tree, 'and has the same');
    }

    write_file("$dir/file", '');
    ($rc, $out, $err) = ctl('export', "$dir/file");
    is($rc, 1, 'not into a file');
};


subtest 'export of many' => sub {
    for my $i (1 .. 45) {
        made("many/p$i", 'prompt.json' => "{\"name\": \"many-$i\"}");
    }

    local $ENV{PROMPT_API_KEY} = PromptTest::Env::var('bob_key');

    my ($rc, $out, $err) = ctl('import', "$dir/many");
    is($rc, 0, 'made') or diag($err);
    ($rc, $out, $err) = ctl('export', "$dir/g");
    is(scalar(() = $out =~ /^exported many-\d+, 0 versions$/mg), 45,
       'all pages');

    # more than two pages of prompts

    my $bob = PromptTest::Env::var('bob_id');

    PromptTest::Env::psql(<<"END");
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at)
SELECT ('01890000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, '$bob',
       'page-' || n, 'GENERAL', false, now() FROM generate_series(1, 210) n
END
    ($rc, $out, $err) = ctl('export', "$dir/g", '--json');
    is_deeply([sort map { $_->{name} } grep { $_->{changed} }
               @{ $json->decode($out) }],
              [sort map { "page-$_" } 1 .. 210], 'of prompts')
        or diag($err);
    ($rc, $out, $err) = ctl('prompts');
    is(scalar(() = $out =~ /^\S+\s+page-\d+\s+GENERAL\s+no\s+0\s/mg), 210,
       'and the list of them');
    ($rc, $out, $err) = ctl('import', "$dir/g");
    is($out, "nothing to do\n", 'which is what there is') or diag($err);
};


# numbers($text): of the versions that show has printed
sub numbers { return join ' ', $_[0] =~ /^version (\d+)  /mg }

subtest 'many versions, and large ones' => sub {
    my %files = ('prompt.json' => '{"name": "tall"}');

    for my $n (1 .. 23) {
        $files{"v$n.txt"} = "text of $n";
        $files{"v$n.json"} = "{\"params\": {\"seed\": $n}}";
    }

    made('tall/tall', %files);

    my ($rc, $out, $err) = ctl('import', "$dir/tall");
    is($rc, 0, 'import') or diag($err);
    ($rc, $out, $err) = ctl('import', "$dir/tall");
    is($out, "nothing to do\n", 'all of them are compared');
    write_file("$dir/tall/tall/v22.txt", 'changed');
    ($rc, $out, $err) = ctl('import', "$dir/tall");
    ok($rc == 1 && $err =~ m{tall/v22\.txt: .* there with another content},
       'to the last') or diag($err);
    ($rc, $out, $err) = ctl('import', "$dir/tall", '--dry-run');
    is($rc, 1, 'each time');

    ($rc, $out, $err) = ctl('show', 'tall');
    is(numbers($out), join(' ', 14 .. 23), 'show: the latest ten');
    like($out, qr/^versions     23, of which the latest 10 follow$/m,
         'and that there are more');
    ($rc, $out, $err) = ctl('show', 'tall', '--last', 1);
    is(numbers($out), '23', 'the latest');
    ($rc, $out, $err) = ctl('show', 'tall', '--last=22');
    is(numbers($out), join(' ', 2 .. 23), 'all but one');
    ($rc, $out, $err) = ctl('show', 'tall', '--last', 999);
    is(numbers($out), join(' ', 1 .. 23), 'all');
    unlike($out, qr/of which/, 'of course');
    ($rc, $out, $err) = ctl('show', 'tall', '--last', 3, '--json');
    is_deeply([map { $_->{content} } @{ $json->decode($out)->{versions} }],
              ['text of 21', 'text of 22', 'text of 23'], 'as JSON');

    for my $wrong (0, 1000, -1, 'x', '') {
        ($rc, $out, $err) = ctl('show', 'tall', '--last', $wrong);
        is($rc, 2, "--last '$wrong'");
    }

    ($rc, $out, $err) = ctl('prompts');
    like($out, qr/^\S+\s+tall\s+GENERAL\s+no\s+23\s/m, 'prompts');

    # what JSON makes most of, and messages as long as they may be

    my $text = "\x01" x (1024 * 1024);
    my $schema = '{"params": {"a": "' . 'a' x 260000 . '"}, "inputSchema":'
                 . ' {"description": "' . 'b' x 260000 . '"}}';

    made('huge/huge', 'prompt.json' => '{"name": "huge"}',
         map({ ("v$_.txt" => $text, "v$_.json" => $schema) } 1 .. 4),
         'v5.txt' => $text,
         'v5.json' => '{"params": {}, "messages": ['
                      . join(', ', ('{"role": "USER", "content": "'
                                    . 'm' x 1040000 . '"}') x 8) . ']}');

    ($rc, $out, $err) = ctl('import', "$dir/huge");
    ok($rc == 1 && $err =~ /larger than/, 'more than the server takes at once')
        or diag("$rc $out $err");

    # versions that are there may be left out

    my @parts = ([ 1, 2 ], [ 3, 4 ], [ 5 ]);

    for my $part (@parts) {
        system 'rm', '-rf', "$dir/part";
        made('part/huge', 'prompt.json' => '{"name": "huge"}');
        system 'cp', (map { glob "$dir/huge/huge/v$_.*" } @$part),
            "$dir/part/huge";
        ($rc, $out, $err) = ctl('import', "$dir/part");
        is($rc, 0, "import of large versions @$part") or diag($err);
    }

    ($rc, $out, $err) = ctl('export', "$dir/h");
    is($rc, 0, 'export') or diag($err);
    is(slurp("$dir/h/huge/v$_.txt"), $text, "version $_") for 1 .. 5;
    is(scalar(() = glob("$dir/h/tall/v*.txt")), 23, 'and of many');
    ($rc, $out, $err) = ctl('show', 'huge', '--json');
    is(scalar @{ PromptTest::Json::decode($out)->{versions} }, 5, 'show');

    for my $part (@parts) {
        system 'rm', '-rf', "$dir/part";
        made('part/huge', 'prompt.json' => '{"name": "huge"}');
        system 'cp', (map { glob "$dir/h/huge/v$_.*" } @$part),
            "$dir/part/huge";
        ($rc, $out, $err) = ctl('import', "$dir/part");
        is($out, "nothing to do\n", "import again: @$part") or diag($err);
    }
};


subtest 'folders of strangers' => sub {
    my $secret = "$dir/secret.json";
    my $named = '{"name": "stranger", "description": "secret"}';

    write_file($secret, $named);
    made('elsewhere', 'prompt.json' => $named);

    my %sound = ('prompt.json' => '{"name": "stranger"}', 'v1.txt' => 'x',
                 'v1.json' => '{"params": {}}');

    for my $file (sort keys %sound) {
        my %ways = (
            'a link' => [sub { symlink $secret, $_[0] },
                         qr/\Q$file\E: a symbolic link, which is not/],
            'a link to nothing' => [sub { symlink '/nonexistent', $_[0] },
                                    qr/\Q$file\E: a symbolic link/],
            'a pipe' => [sub { POSIX::mkfifo($_[0], 0600) },
                         qr/\Q$file\E: not a regular file/],
            'a folder' => [sub { mkdir $_[0] },
                           qr/\Q$file\E: not a regular file/],
            'a huge file' => [sub { write_file($_[0], '');
                                    truncate $_[0], 1 << 40 },
                              qr/\Q$file\E: larger than \d+ MiB/],
        );

        for my $way (sort keys %ways) {
            my ($make, $message) = @{ $ways{$way} };

            system 'rm', '-rf', "$dir/s";
            made('s/stranger', %sound);
            unlink "$dir/s/stranger/$file";
            $make->("$dir/s/stranger/$file");

            my ($rc, $out, $err) = ctl('import', "$dir/s", '--dry-run');
            ok($rc == 1 && $out eq '' && $err =~ $message, "$file: $way")
                or diag("$rc $out $err");

            next if $way eq 'a huge file';

            my $before = $way eq 'a link' ? slurp($secret) : '';

            system 'rm', '-rf', "$dir/s";
            made('s/greet-everybody', %sound);
            unlink "$dir/s/greet-everybody/$file";
            $make->("$dir/s/greet-everybody/$file");

            ($rc, $out, $err) = ctl('export', "$dir/s");
            ok($rc == 1 && $err =~ $message, "$file: $way: export")
                or diag("$rc $out $err");
            is(slurp($secret), $named, 'and nothing was written through it');
        }
    }

    system 'rm', '-rf', "$dir/s";
    mkdir "$dir/s";
    symlink '../elsewhere', "$dir/s/greet-everybody";

    my ($rc, $out, $err) = ctl('import', "$dir/s", '--dry-run');
    ok($rc == 1 && $err =~ m{s/greet-everybody: a symbolic link, which is not},
       'a folder that is a link') or diag("$rc $out $err");
    ($rc, $out, $err) = ctl('export', "$dir/s");
    ok($rc == 1 && $err =~ /s\/greet-everybody: a symbolic link/, 'export');
    is_deeply([map { s{.*/}{}r } glob("$dir/elsewhere/*")], ['prompt.json'],
              'nothing was written there');
    is(slurp("$dir/elsewhere/prompt.json"), $named, 'nor changed');

    system 'rm', '-rf', "$dir/s";
    mkdir "$dir/s";
    symlink '../secret.json', "$dir/s/README";
    symlink '../nothing', "$dir/s/LICENSE";
    ($rc, $out, $err) = ctl('import', "$dir/s");
    ok($rc == 0 && $out eq "nothing to do\n", 'a README that is a link')
        or diag("$rc $out $err");

    symlink 's', "$dir/link";
    ($rc, $out, $err) = ctl('export', "$dir/link");
    is($rc, 0, 'the folder itself may be one: the user named it')
        or diag($err);

    system 'rm', '-rf', "$dir/s";
    made("s/a\nb\x1b[2J", 'prompt.json' => '{"name": "x", "\u001b[31m": 1,'
                                            . ' "isPublic": "no"}');
    ($rc, $out, $err) = ctl('import', "$dir/s", '--dry-run');
    ok($rc == 1 && $err !~ /[^\n\x20-\x7e]/
       && $err =~ m{^promptctl: \Q$dir\E/s/a\?b\?\[2J/prompt\.json: }m,
       'names that would move a cursor do not') or diag("$rc $out $err");

    made('s/dots', 'prompt.json' => '{"name": "../../../dots"}');
    system 'rm', '-rf', "$dir/s/a\nb\x1b[2J";
    ($rc, $out, $err) = ctl('import', "$dir/s", '--dry-run');
    is($out, "would create dots\n", 'names are names');
};


subtest 'prompts and show' => sub {
    my ($rc, $out, $err) = ctl('prompts');
    like($out, qr/^ID\s+NAME\s+CATEGORY\s+PUBLIC\s+VERSIONS\s+UPDATED\n
                  (?:.*\n)*
                  \S+\ \ x\s+GENERAL\s+no\s+1\s+\S+\n
                  \S+\ \ greet-everybody\s+CUSTOM\s+no\s+2\s+\S+\n/x,
         'prompts');

    ($rc, $out, $err) = ctl('show', 'greet-everybody');
    like($out, qr/^name\s+greet-everybody\nid\s+(\S+)\n/, 'show');
    my ($id) = $out =~ /^id\s+(\S+)/m;
    ok(index($out, $content) >= 0, 'has the content');

    is((ctl('show', $id))[1], $out, 'by id, too');

    for my $name ('nonsense', '01a1fdd6-6a2c-7449-b291-1df8801b6bf4') {
        ($rc, $out, $err) = ctl('show', $name);
        is_deeply([$rc, $out, $err],
                  [1, '', "promptctl: there is no prompt \"$name\"\n"],
                  'one that is not there');
    }

    local $ENV{PROMPT_API_KEY} = PromptTest::Env::var('bob_key');
    ($rc, $out, $err) = ctl('show', $id);
    ok($rc == 1 && $err =~ /\(FORBIDDEN\)$/, "another's");
};


subtest 'run' => sub {
    my $first;
    my ($rc, $out, $err) = ctl('run', 'greet-everybody', '-i', 'name=Ann=1');
    is($rc, 0, 'run') or diag($err);
    is($err, '', 'output alone');

    ($rc, $out, $err) = ctl('run', 'greet-everybody', '-iname=Ann', '-i',
                            'n:=2', '-i', 'n:=3', '--json');
    is($json->decode($out)->{versionUsed}, 2, '--json');

    my $calls = PromptTest::Env::provider_control('log');
    is_deeply([map { $_->{body}{messages}[0]{content} }
               map { ref $_->{body} ? $_
                     : { body => $json->decode($_->{body}) } }
               @{ ref $calls eq 'HASH' ? $calls->{calls} : $calls }],
              ['Hello Ann=1, 7', 'Hello Ann, 3'], 'the inputs as given');

    write_file("$dir/in", '{"name": "In", "n": 1}');
    ($rc, $out, $err) = ctl('run', 'greet-everybody', '--input', '-', '-i',
                            'name=Over');
    is($rc, 0, '--input');
    unlink "$dir/in";

    ($rc, $out, $err) = ctl('run', 'greet-everybody', '--version', '1', '-i',
                            'x=1', '--json');
    is($json->decode($out)->{versionUsed}, 1, '--version');

    ($rc, $out, $err) = ctl('run', 'greet-everybody');
    ok($rc == 1 && $out eq '' && $err =~ /^promptctl: name: .*BAD_USER_INPUT/,
       'an input that is refused');
    ($rc, $out, $err) = ctl('run', 'greet-everybody', '--version', '9', '-i',
                            'name=x');
    ok($rc == 1 && $err =~ /\(NOT_FOUND\)$/, 'no such version');

    for (1 .. 2) {
        ($rc, $out, $err) = ctl('run', 'greet-everybody', '-i', 'name=Key',
                                '--json', '--idempotency-key', 'k-1');
        is($rc, 0, '--idempotency-key') or diag($err);
        $first ||= $out;
        is($out, $first, 'once');
    }

    ($rc, $out, $err) = ctl('run', 'greet-everybody', '-i', 'name=Other',
                            '--idempotency-key', 'k-1');
    ok($rc == 1 && $err =~ /another document.*BAD_USER_INPUT/,
       'for one input only');
    ($rc, $out, $err) = ctl('run', 'x', '--idempotency-key', 'a b');
    ok($rc == 2 && $err =~ /visible ASCII/, 'no key');

    write_file("$dir/list.json", '[]');
    ($rc, $out, $err) = ctl('run', 'x', '--input', "$dir/list.json");
    ok($rc == 1 && $err =~ /not a JSON object/, 'no object');
    ($rc, $out, $err) = ctl('run', 'x', '--input', "$dir/nowhere");
    ok($rc == 1 && $err =~ /no such file/, 'no file');
};


subtest 'executions' => sub {
    my ($rc, $out, $err) = ctl('executions', '--json');
    my $all = $json->decode($out);

    is($rc, 0, 'the log') or diag($err);
    ok(@$all > 1, 'all executions');
    is_deeply([map { $_->{id} } @$all],
              [sort { $b cmp $a } map { $_->{id} } @$all], 'newest first');

    ($rc, $out, $err) = ctl('executions', '--json', '--first', '1');
    is_deeply($json->decode($out), [$all->[0]], 'one of them');

    my $name = $all->[0]{prompt}{name};
    ($rc, $out, $err) = ctl('executions', $name, '--json', '--since', '1d');
    is_deeply($json->decode($out),
              [grep { $_->{prompt}{name} eq $name } @$all], 'of a prompt');

    ($rc, $out, $err) = ctl('executions', '--status', 'failed', '--status',
                            'lost', '--json');
    is_deeply($json->decode($out),
              [grep { $_->{status} =~ /^(failed|lost)$/ } @$all], 'by status');

    ($rc, $out, $err) = ctl('executions', '--since', '2099-01-01');
    is($rc, 0, 'none');
    like($out, qr/^ID +CREATED +PROMPT +VERSION +STATUS +MODEL +MS +USD\n$/,
         'as a table');

    ($rc, $out, $err) = ctl('executions');
    like($out, qr/^\Q$all->[0]{id}\E +\S+Z +\Q$name\E +\d+ +\w+ /m, 'a line');

    ($rc, $out, $err) = ctl('executions', '--status', 'done');
    ok($rc == 1 && $err =~ /status: .*running, succeeded/, 'no status')
        or diag($err);
    ($rc, $out, $err) = ctl('executions', 'no-such-prompt');
    ok($rc == 1 && $err =~ /no-such-prompt/, 'no such prompt');

    for my $wrong (['a', 'b'], ['--since', 'x'], ['--first', '0']) {
        ($rc, $out, $err) = ctl('executions', @$wrong);
        is("$rc|$out", '2|', "executions @$wrong");
    }
};


subtest 'messages' => sub {
    my $chat = <<'END';
{
  "messages": [
    {
      "role": "SYSTEM",
      "content": "Be {{tone}}.\né"
    },
    {
      "placeholder": "history"
    },
    {
      "role": "USER",
      "content": "see",
      "images": [
        "https://{{tone}}/"
      ]
    },
    {
      "role": "ASSISTANT",
      "toolCalls": [
        {
          "id": "1",
          "name": "f",
          "arguments": "{}"
        }
      ]
    },
    {
      "role": "TOOL",
      "content": "done",
      "toolCallId": "1"
    },
    {
      "role": "ASSISTANT",
      "content": ""
    }
  ],
  "params": {
    "model": "fx:ok"
  }
}
END
    made('chat/chat', 'prompt.json' => '{"name": "chat"}',
         'v1.txt' => '{{ask}}', 'v1.json' => $chat,
         'v2.txt' => 'x', 'v2.json' => '{"params": {"model":'
             . ' "fx:file=openai/chat.200.tool_calls.json"}}');

    my ($rc, $out, $err) = ctl('import', "$dir/chat");
    is($rc, 0, 'import') or diag($err);
    ($rc, $out, $err) = ctl('import', "$dir/chat");
    is($out, "nothing to do\n", 'once') or diag($err);
    ($rc, $out, $err) = ctl('export', "$dir/c");
    is(slurp("$dir/c/chat/v1.json"), $chat, 'export: as it was')
        or diag($err);
    unlike(slurp("$dir/c/chat/v2.json"), qr/messages/, 'none');

    ($rc, $out, $err) = ctl('show', 'chat');
    like($out, qr/\n\nsystem       Be \{\{tone\}\}\.\né\n/, 'show');
    like($out, qr/\nmessages of  history\nuser         see\n/, 'a place');
    like($out, qr/ see\n  picture    https:.*\nassistant    \n  calls  /,
         'a picture');
    like($out, qr/  calls      f \{\} 1\ntool         done\n  answers    1\n/,
         'a call of a tool');
    like($out, qr/\nuser         \{\{ask\}\}\n/, 'the content')
        or diag($out);
    like($out, qr/"fx:file=openai.*\}\n\nx\n\z/, 'and without');
    ($rc, $out, $err) = ctl('show', 'chat', '--json');
    is_deeply($json->decode($out)->{versions}[0]{messages}[1],
              { role => undef, content => undef, images => [],
                toolCalls => undef, toolCallId => undef,
                placeholder => 'history' }, 'as JSON');

    my $history = '[{"role": "user", "content": "a"}]';

    ($rc, $out, $err) = ctl('run', 'chat', '--version', 1, '-i', 'ask=why?',
                            '-i', 'tone=x', '-i', "history:=$history");
    is($out, "why?\n", 'run') or diag($err);
    ($rc, $out, $err) = ctl('run', 'chat', '--version', 1, '-i', 'ask=why?',
                            '-i', 'tone=x', '-i', 'history=a');
    ok($rc == 1 && $err =~ /history: .*\(BAD_USER_INPUT\)/, 'of no history')
        or diag($err);
    ($rc, $out, $err) = ctl('run', 'chat');
    is($out, "get_weather {\"city\":\"Paris\"}\n", 'what is to be called');
    ($rc, $out, $err) = ctl('run', 'chat', '--json');
    is($json->decode($out)->{finishReason}, 'tool_calls', 'and why')
        or diag($err);

    write_file("$dir/chat/chat/v1.json", '{"params": {"model": "fx:ok"}}');
    ($rc, $out, $err) = ctl('import', "$dir/chat");
    ok($rc == 1 && $err =~ m{chat/v1\.json: .*another messages},
       'versions never change')
        or diag($err);
    write_file("$dir/chat/chat/v1.json", '{"params": {}, "messages": [1]}');
    ($rc, $out, $err) = ctl('import', "$dir/chat");
    ok($rc == 1 && $err =~ m{chat/v1\.json: .*PromptMessageInput},
       'what are none')
        or diag($err);
};


subtest 'labels' => sub {
    made('labels/named', 'prompt.json' => '{"name": "named"}',
         map { ("v$_.txt" => "version $_",
                "v$_.json" => '{"params": {"model": "fx:ok"}}') } 1 .. 3);

    my ($rc, $out, $err) = ctl('import', "$dir/labels");
    is($rc, 0, 'a prompt') or diag($err);

    ($rc, $out, $err) = ctl('label', 'named');
    is($out, "LABEL  VERSION  SET BY  SET AT\n", 'none') or diag($err);
    ($rc, $out, $err) = ctl('label', 'named', '--json');
    is($out, "[]\n", 'as JSON');
    ($rc, $out, $err) = ctl('label', 'named', 'latest');
    is($out, "3\n", 'the latest') or diag($err);
    ($rc, $out, $err) = ctl('label', 'named', 'production');
    ok($rc == 1 && $err =~ /label "production" of the prompt "named" is not/,
       'one that is not set') or diag($err);

    ($rc, $out, $err) = ctl('label', 'named', 'production', 2);
    is($out, "2\n", 'set') or diag($err);
    ($rc, $out, $err) = ctl('label', 'named', 'production');
    is($out, "2\n", 'shown');
    ($rc, $out, $err) = ctl('label', 'named', 'production', '--json');
    my $label = $json->decode($out);
    ok($label->{label} eq 'production' && $label->{version} == 2
       && $label->{setBy}{email} =~ /\@/ && $label->{setAt} =~ /Z$/, 'as JSON');
    ($rc, $out, $err) = ctl('label', 'named', 'staging', 3, '--json');
    is($json->decode($out)->{version}, 3, 'a second');
    ($rc, $out, $err) = ctl('label', 'named');
    like($out, qr/^LABEL .*\nproduction  2 .*\@.*Z\nstaging     3 .*\n\z/,
         'both');

    ($rc, $out, $err) = ctl('show', 'named');
    like($out, qr/\nlabel +version 2  production\nlabel +version 3  staging\n/,
         'show') or diag($out);
    ($rc, $out, $err) = ctl('show', 'named', '--json');
    is($json->decode($out)->{labels}[1]{label}, 'staging', 'as JSON');

    ($rc, $out, $err) = ctl('run', 'named', '--label', 'production');
    is($out, "version 2\n", 'run') or diag($err);
    ($rc, $out, $err) = ctl('run', 'named', '--label', 'staging', '--stream');
    is($out, "version 3\n", 'run, as a stream') or diag($err);
    ($rc, $out, $err) = ctl('run', 'named', '--label', 'nope');
    ok($rc == 1 && $err =~ /Label "nope" of .* \(NOT_FOUND\)/, 'none such')
        or diag($err);
    ($rc, $out, $err) = ctl('run', 'named', '--label', 'a', '--version', 1);
    ok($rc == 2 && $err =~ /either --version or --label/, 'both') or diag($err);

    for ([ 'named', 'production', 9 ], [ 'named', 'latest', 1 ],
         [ 'named', 'No', 1 ], [ 'nobody', 'a', 1 ], [ 'nobody' ],
         [ 'named', 'nope', '--remove' ])
    {
        ($rc, $out, $err) = ctl('label', @$_);
        ok($rc == 1 && $out eq '' && $err ne '', "@$_") or diag($out);
    }

    for ([], [ 'named', 'a', 1, 1 ], [ 'named', 'a', 0 ], [ 'named', 'a', 'b' ],
         [ 'named', '--remove' ], [ 'named', 'a', 1, '--remove' ])
    {
        ($rc, $out, $err) = ctl('label', @$_);
        is($rc, 2, "label @$_ is no usage");
    }

    ($rc, $out, $err) = ctl('export', "$dir/l");
    ok(!-e "$dir/l/named/labels.json", 'export without labels') or diag($err);
    ($rc, $out, $err) = ctl('export', "$dir/l", '--labels');
    is(slurp("$dir/l/named/labels.json"),
       "{\n  \"production\": 2,\n  \"staging\": 3\n}\n", 'and with')
        or diag($err);
    is(slurp("$dir/l/chat/labels.json"), "{}\n", 'none');
    ($rc, $out, $err) = ctl('export', "$dir/l", '--labels');
    unlike($out, qr/^exported/m, 'once');

    made('labels/named', 'v4.txt' => 'version 4',
         'v4.json' => '{"params": {"model": "fx:ok"}}', 'labels.json' =>
         '{"production": 4, "staging": 3, "canary": 1}');
    made('labels/other', 'prompt.json' => '{"name": "other"}',
         'v1.txt' => 'x', 'v1.json' => '{"params": {}}',
         'labels.json' => '{"production": 1}');

    my @steps = ('add version 4 of named',
                 'set label production of named to version 4',
                 'set label canary of named to version 1', 'create other',
                 'add version 1 of other',
                 'set label production of other to version 1');

    ($rc, $out, $err) = ctl('import', "$dir/labels", '--labels', '--dry-run');
    is($out, join('', map { "would $_\n" } @steps), 'import would')
        or diag($err);
    ($rc, $out, $err) = ctl('label', 'named', 'production');
    is($out, "2\n", 'and does nothing');
    ($rc, $out, $err) = ctl('import', "$dir/labels", '--labels');
    is($out, join('', map { "$_\n" } @steps), 'import') or diag($err);
    ($rc, $out, $err) = ctl('import', "$dir/labels", '--labels');
    is($out, "nothing to do\n", 'once') or diag($err);
    ($rc, $out, $err) = ctl('label', 'named');
    like($out, qr/canary +1 .*\nproduction +4 .*\nstaging +3 /, 'all are set');

    ($rc, $out, $err) = ctl('label', 'named', 'production', '--remove');
    ok($rc == 0 && $out eq '', 'removed') or diag($err);
    ($rc, $out, $err) = ctl('label', 'named', 'staging', '--remove', '--json');
    is($out, "true\n", 'as JSON');
    ($rc, $out, $err) = ctl('import', "$dir/labels");
    is($out, "nothing to do\n", 'without --labels it is none of import')
        or diag($err);
    ($rc, $out, $err) = ctl('import', "$dir/labels", '--labels', '--json');
    is_deeply($json->decode($out),
              [map { { what => 'label', prompt => 'named', label => $_->[0],
                       version => $_->[1] } }
               [ 'production', 4 ], [ 'staging', 3 ]], 'set again');

    for ([ '[]', qr/labels\.json: not a JSON object/ ],
         [ '{"a": "1"}', qr{named/labels\.json: .*Int cannot represent} ],
         [ '{"a": 0}', qr{named/labels\.json: "named" has no version 0} ],
         [ '{"a": 1.5}', qr{named/labels\.json: .*Int cannot represent} ],
         [ '{"A": 1}', qr{named/labels\.json: label must be 1 to 64 of} ],
         [ '{"latest": 1}', qr/labels\.json: label "latest" always means/ ],
         [ '{"a": 5}', qr/labels\.json: "named" has no version 5/ ],
         [ '{', qr/labels\.json:1:\d+: not JSON/ ])
    {
        made('labels/named', 'labels.json' => $_->[0]);
        ($rc, $out, $err) = ctl('import', "$dir/labels", '--labels');
        ok($rc == 1 && $err =~ $_->[1], $_->[0]) or diag($err);
    }

    ($rc, $out, $err) = ctl('label', 'named', 'a');
    is($rc, 1, 'nothing of that was done');
};


done_testing();

END {
    if ($nginx) {
        local $?;

        kill 'QUIT', $nginx;
        waitpid $nginx, 0;
    }
}
