# What a table of the module leaves open is closed: a field that forgets who may
# ask for it, what its selection reads, or how long its values are, is refused
# by nginx -t.  Each case is one line taken out of a source; the module is linked
# again with that one object, beside the build.

use strict;
use warnings;

use lib 't/lib';

use File::Temp qw(tempdir);
use PromptTest::Env;
use Test::More;

(my $build = $PromptTest::Env::module) =~ s{/[^/]+$}{};

plan skip_all => 'this build has no Makefile of nginx\'s'
    unless -f "$build/nginx/Makefile" && -f "$build/nginx.inputs";

my $dir = tempdir(CLEANUP => 1);
my ($source) = slurp("$build/nginx.inputs") =~ /^src=(.+)$/m;


sub slurp
{
    my ($file) = @_;

    open my $in, '<', $file or die "$file: $!\n";
    local $/;

    return scalar <$in>;
}


sub spurt
{
    my ($file, $text) = @_;

    open my $out, '>', $file or die "$file: $!\n";
    print $out $text;
    close $out or die "$file: $!\n";
}


# commands($file): what make would run where that file is newer
sub commands
{
    my ($file) = @_;

    return said_by('make', '--no-print-directory', '-n', '-W', $file, '-f',
                    "$build/nginx/Makefile", '-C', $source, 'modules')
           =~ s/\\\n//gr;
}


sub said_by
{
    open my $out, '-|', @_ or die "$_[0]: $!\n";
    local $/;

    return <$out> // '';
}


# module($file, $text): a module in which the file's text is this one
sub module
{
    my ($file, $text) = @_;
    my ($name) = $file =~ m{([^/]+)\.c$};
    my $at = "$PromptTest::Env::root/$file";
    my $all = commands($at);

    my ($compile) = grep { /\s\Q$at\E$/ } split /\n/, $all;
    my ($link) = grep { /-shared/ && /ngx_http_prompt_module\.so/ }
                 split /\n/, $all;

    die "no commands for $file:\n$all" unless $compile && $link;

    my ($object) = $compile =~ /-o (\S+)/;

    spurt("$dir/$name.c", $text);
    $compile =~ s/-o \S+/-w -o $dir\/$name.o/;
    $compile =~ s/\s\Q$at\E$/ $dir\/$name.c/;
    $link =~ s/(^|\s)\Q$object\E(?=\s|$)/$1$dir\/$name.o/;
    $link =~ s/-o \S+/-o $dir\/module.so/;

    for my $command ($compile, $link) {
        system("cd '$source' && $command") == 0 or die "failed: $command\n";
    }

    return "$dir/module.so";
}


# said($module): what nginx -t says
sub said
{
    my ($module) = @_;
    my $paths = PromptTest::Env::temp_paths($dir);

    spurt("$dir/nginx.conf", <<"END");
load_module $module;
pid $dir/nginx.pid;
error_log stderr;
events { }
http {
access_log off;
$paths
prompt_postgres "host=$dir dbname=none";
prompt_redis 127.0.0.1:1;
server {
listen unix:$dir/socket;
location /graphql { prompt_graphql; }
}
}
END

    local $ENV{LD_PRELOAD} = $ENV{TEST_NGINX_LD_PRELOAD}
        if defined $ENV{TEST_NGINX_LD_PRELOAD};

    return said_by('sh', '-c', "$PromptTest::Env::nginx -t -p $dir "
                    . "-c $dir/nginx.conf -e stderr 2>&1");
}


my $prompts = 'src/service/fields/prompt.c';
my $versions = 'src/service/fields/version.c';
my $columns = 'src/store/prompt.c';

like(said($PromptTest::Env::module), qr/test is successful/, 'as it is');

for my $case (
    [ 'a root field without a scope', $prompts,
      qr/(\.name = "createPrompt",)\n +\.scope = \w+,/,
      qr/"Mutation\.createPrompt" in the module has no scope/ ],
    [ 'a root field that compiles nothing', $prompts,
      qr/(\.name = "prompts",\n[^}]*?)\n +\.compile = \w+,/,
      qr/"Query\.prompts" in the module has no compile/ ],
    [ 'a root field that does nothing', $prompts,
      qr/(\.name = "deletePrompt",\n[^}]*?),\n +\.start = \w+/,
      qr/"Mutation\.deletePrompt" in the module has no start/ ],
    [ 'a field below that says not who may look', $versions,
      qr/(\.name = "executions",)\n +\.scope = \w+,/,
      qr/"PromptVersion\.executions" in the module has no scope/ ],
    [ 'a field that nothing resolves', $prompts,
      qr/(\.name = "versions",\n[^}]*?),\n +\.resolve = \w+/,
      qr/"Prompt\.versions" in the module has no resolve/ ],
    [ 'an input without a limit', $prompts,
      qr/(\.name = "description", column\(description\)),\n +\.check = \w+/,
      qr/"Prompt\.description" in the module has no check/ ],
    [ 'a column without a bound', $columns,
      qr/(column\(name, TEXT,\n +)PROMPT_COLUMN_SHORT\|/,
      qr/"Prompt\.name" in the module has no bound/ ],
    [ 'an input that is lost', $columns,
      qr/(column\(description, TEXT,\n[^)]*?)\|PROMPT_COLUMN_CREATE\n +\|PROMPT_COLUMN_CHANGE/,
      qr/"Prompt\.description" in the module has no place/ ],
    [ 'a field that is not in the tables', $prompts,
      qr/()    \{ \.type = "Prompt", \.name = "updatedAt", \S+ \},\n/,
      qr/"Prompt\.updatedAt" of schema\.graphql is not implemented/ ],
) {
    my ($what, $file, $line, $want) = @$case;
    my $text = slurp($file);

    ok($text =~ s/$line/$1/, "$what: the line is there");
    like(said(module($file, $text)), $want, "$what: nginx -t says so");
}

done_testing();
