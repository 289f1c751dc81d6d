# Manual pages: docs/directives.md makes that of the directives, that of
# promptctl has all of its commands as their usage is, and their options, and
# mandoc finds nothing to say about either.

use strict;
use warnings;

use lib 't/lib';
use PromptTest::Env;
use Test::More;

my $directives = "$PromptTest::Env::build/ngx_http_prompt_module.5";
my $promptctl = 'docs/promptctl.1';


sub text_of
{
    my ($file) = @_;

    open my $in, '<', $file or die "$file: $!\n";
    local $/;

    return scalar <$in>;
}


open my $out, '>', $directives or die "$directives: $!\n";
print $out PromptTest::Env::run('tools/man.pl', 'docs/directives.md',
                                'ngx_http_prompt_module', 5);
close $out;

like(text_of($directives), qr/^\.SS prompt_graphql\b/m,
     'docs/directives.md is a manual page');

SKIP: {
    skip 'no mandoc here', 2
        unless PromptTest::Env::first_of('mandoc') =~ m{/};

    for my $page ($directives, $promptctl) {
        is(`mandoc -Tlint $page 2>&1`, '', "$page: nothing for mandoc to say");
    }
}

# without marks of type and hyphenation
(my $page = text_of($promptctl)) =~ s/\\f.|\\-/$& eq '\\-' ? '-' : ''/ge;
$page =~ s/^\.\w+ //mg;
$page =~ s/" *"?//g;
my %lines = map { s/ //gr => 1 } split /\n/, $page;

my ($list, $common) = PromptTest::Env::run($PromptTest::Env::promptctl,
                                           '--help')
                      =~ /^Commands:\n(.*?)\n\n(Options.*)/ms;

for my $command ($list =~ /^  ((?:user |key |project |dataset )?[\w-]+) +\S/mg) {
    my $help = PromptTest::Env::run($PromptTest::Env::promptctl,
                                    split(' ', $command), '--help');

    my ($usage) = $help =~ /^Usage: promptctl (.*?)\n\n/s;

    ok($lines{$usage =~ s/\s//gr}, "promptctl.1 has $command, as its usage is");

    for my $option ($help =~ /^ {2}(?:    |-\w, )(--[\w-]+)/mg) {
        next if $option eq '--set';

        like($page, qr/\Q$option\E\b/, "promptctl.1 has $command $option");
    }
}

done_testing();
