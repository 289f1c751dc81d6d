# What is packaged, as far as it is seen without building packages (make
# test-deb does): make install and uninstall, units, the Dockerfile and
# compose.yaml.  What runs in its containers is in container.t.

use strict;
use warnings;

use Cwd qw(getcwd);
use CPAN::Meta::YAML;
use File::Find;
use File::Temp qw(tempdir);
use Test::More;

my $root = getcwd();
my $build = $ENV{PROMPT_BUILD} || "$root/build";


sub text_of
{
    my ($file) = @_;

    open my $in, '<:encoding(UTF-8)', $file or die "$file: $!\n";
    local $/;

    return scalar <$in>;
}


# output and status of a command
sub run
{
    my (@command) = @_;
    my $pid = open(my $out, '-|') // die "fork: $!\n";

    if ($pid == 0) {
        open STDERR, '>&', \*STDOUT;
        exec { $command[0] } @command;
        exit 127;
    }

    my $text = do { local $/; <$out> } // '';

    close $out;
    return ($text, $? >> 8);
}


# ---- services of our own; their version is t/version.t's

my ($compose) = CPAN::Meta::YAML->read_string(text_of('compose.yaml'))->[0];
my %services = %{ $compose->{services} };
my @own = grep { $services{$_}{build} } sort keys %services;

is_deeply([ @own ], [ qw(migrate nginx promptctl prune) ],
          'services of our own');


# ---- npm of Debian 12 (9.2) can install what the dashboard is built with: it
# reads no lock where an override is another package.  The lock alone says that
# rollup is the one that runs anywhere.

unlike(text_of('dashboard/package.json'), qr/"overrides"/, 'no overrides');
like(text_of('dashboard/package-lock.json'),
     qr{"node_modules/rollup": \{\s+"name": "\@rollup/wasm-node"},
     'and rollup is not for one machine only');


# ---- make install, make uninstall

my $dest = tempdir(CLEANUP => 1);

sub installed
{
    my %files;

    find(sub { $files{substr $File::Find::name, length $dest} = -l $_ || -f _
                   if -l $_ || -f $_ }, $dest);
    return sort keys %files;
}

sub install
{
    my ($command, $prefix) = @_;

    local %ENV = (%ENV, DESTDIR => $dest, PREFIX => $prefix,
                  B => $build =~ s{^\Q$root\E/}{}r);

    return run("$root/tools/install.sh", $command);
}

my @examples = ('nginx.conf.sample', 'log-format.conf',
                'monitoring/prometheus/prompt.rules.yml',
                'monitoring/grafana/prompt.json');

for my $prefix ('/usr', '/usr/local') {
    my ($out, $status) = install('install', $prefix);

    is($status, 0, "make install, PREFIX=$prefix") or diag $out;

    my %there = map { $_ => 1 } installed();
    my $units = $prefix eq '/usr' ? '/lib' : "$prefix/lib";

    for my $file ("$prefix/bin/promptctl",
                  "$prefix/share/man/man1/promptctl.1",
                  "$units/systemd/system/promptctl-prune.service",
                  "$units/systemd/system/promptctl-prune.timer",
                  '/etc/default/promptctl',
                  map { "$prefix/share/doc/ngx_http_prompt_module/examples/$_" }
                      @examples)
    {
        ok($there{$file}, "$prefix: $file");
    }

    like(text_of("$dest$units/systemd/system/promptctl-prune.service"),
         qr{^ExecStart=\Q$prefix\E/bin/promptctl prune }m,
         "$prefix: the unit has the path");
    is((stat "$dest/etc/default/promptctl")[2] & 0777, 0600,
       "$prefix: the file for a password is private");

    ($out, $status) = install('uninstall', $prefix);
    is($status, 0, "make uninstall, PREFIX=$prefix") or diag $out;
    is_deeply([ installed() ], [], "$prefix: no file is left");
}

install('install', '/usr');
open my $own, '>>', "$dest/etc/default/promptctl" or die "$!\n";
print $own "PROMPT_REDIS=localhost:6379\n";
close $own;
install('install', '/usr');
install('uninstall', '/usr');
is_deeply([ installed() ], [ '/etc/default/promptctl' ],
          'what an administrator has changed is kept');


# ---- what is copied and changed, and is in the package, too: the sample asks
# for what "Install with packages" has set up

my @packaged = split ' ', text_of('debian/libnginx-mod-http-prompt.examples');

for my $file (@examples) {
    my ($from) = grep { -e } $file, "docs/$file";

    ok((grep { $from =~ m{^\Q$_\E(?:/|\z)} } @packaged), "the package has $from");
}

my $sample = text_of('docs/nginx.conf.sample');
my ($setup) = text_of('docs/operating.md')
              =~ /^## Install with packages\n(.*?)^## /ms;

for my $directive (qr/^prompt_postgres\s+("[^"]*")/m, qr/^prompt_redis (\S+?)[ ;]/m)
{
    my ($asks) = $sample =~ $directive;
    my ($has) = $setup =~ $directive;

    s/\s+/ /g for $asks, $has;
    is($asks, $has, "the sample's $asks is that of the document");
}


# ---- the units: what they read is there, and nothing is turned on by itself

my $unit = text_of('packaging/systemd/promptctl-prune.service');
my $timer = text_of('packaging/systemd/promptctl-prune.timer');

like($unit, qr/^EnvironmentFile=\/etc\/default\/promptctl$/m, 'its settings');
like($unit, qr/^DynamicUser=yes$/m, 'a user of its own');
unlike($unit, qr/^\[Install\]/m, 'the service is for the timer');
like($timer, qr/^WantedBy=timers\.target$/m, 'the timer can be enabled');
like(text_of('debian/rules'), qr/dh_installsystemd --no-enable --no-start/,
     'and is not by the package');
unlike(text_of('packaging/systemd/promptctl.default'), qr/^[^#\n]/m,
       'its settings are comments');


# ---- the Dockerfile

my $docker = text_of('Dockerfile');
my @lines = split /\n/, $docker =~ s/\\\n\s*/ /gr;
my @steps = grep { /^[A-Z]/ } @lines;
my %of;

push @{ $of{(split ' ')[0]} }, $_ for @steps;

like($of{ARG}[0], qr/^ARG DEBIAN=debian:12\.\d+-slim$/, 'one base, and which');
is_deeply([ grep { !/^FROM \$\{DEBIAN\}( AS \w+)?$/ } @{ $of{FROM} } ], [],
          'every stage has it');
ok(!$of{ADD}, 'nothing by ADD');
ok(!grep({ /:latest\b/ } @steps), 'nothing that changes by itself');

for my $step (grep { /apt-get/ } @{ $of{RUN} }) {
    like($step, qr/^RUN\ apt-get\ update\s+&&\ apt-get\ install\ -y
                   \s--no-install-recommends\s/x, 'lists and packages at once');
    like($step, qr{&& rm -rf /var/lib/apt/lists/\*}, 'lists do not stay');
}

my ($user) = map { /^USER (\d+):\d+$/ } @{ $of{USER} };

is($user, 33, 'no root, and a number for who checks that');
is(scalar @{ $of{$_} || [] }, 1, "one $_") for qw(HEALTHCHECK ENTRYPOINT CMD);
like($of{$_}[0], qr/^$_ \[/, "$_ without a shell") for qw(ENTRYPOINT CMD);
unlike($docker, qr/\b(?:ENV|ARG)\s+\w*(?:PASSWORD|SECRET|KEY|TOKEN)/i,
       'no secret');

for my $path (map { /^COPY (?!--from)(\S+)/ } @{ $of{COPY} }) {
    my @found = glob $path;

    ok(@found && -e $found[0], "$path is there");
}

like(text_of('.dockerignore'), qr/^$_$/m, "$_ is not sent") for qw(.git secrets);


# ---- compose.yaml

for my $name (sort keys %services) {
    my $s = $services{$name};

    like($s->{image}, qr/:\d+(?:\.\d+)+(?:-\w+)?$/, "$name: a version");
    ok((grep { $_ eq 'no-new-privileges:true' } @{ $s->{security_opt} || [] }),
       "$name: no new rights");

    like($s->{mem_limit} // '', qr/^\d+[mg]$/, "$name: memory has a limit");
    like($s->{logging}{options}{$_} // '', qr/^\d+m?$/, "$name: logs, $_")
        for qw(max-size max-file);

    for my $port (@{ $s->{ports} || [] }) {
        like($port, qr/^127\.0\.0\.1:\d+:\d+$/, "$name: this machine only");
    }

    for my $key (keys %{ $s->{environment} || {} }) {
        unlike("$key=$s->{environment}{$key}",
               qr/PASSWORD=|:[^@\/]+@|(?:KEY|TOKEN)=/, "$name: $key");
    }

    for my $on (keys %{ ref $s->{depends_on} ? $s->{depends_on} : {} }) {
        my $condition = $s->{depends_on}{$on}{condition};

        ok($services{$on}, "$name: $on is there");
        ok($condition ne 'service_healthy' || $services{$on}{healthcheck}
           || $on eq 'nginx', "$name: $on says whether it is well");
    }

    for my $secret (@{ $s->{secrets} || [] }) {
        like($compose->{secrets}{$secret}{file}, qr{^\./secrets/},
             "$name: $secret is a file");
    }

    for my $volume (@{ $s->{volumes} || [] }) {
        my ($from) = split /:/, $volume;

        ok($from =~ m{^\./} ? -e $from : exists $compose->{volumes}{$from},
           "$name: $from is there");
    }
}


done_testing();
