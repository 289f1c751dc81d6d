# People in projects, for suites that need many of them: accounts, projects,
# sessions and keys made by SQL, and requests as these.

package PromptTest::People;

use strict;
use warnings;

use Compress::Zlib qw(crc32);
use Digest::SHA qw(sha256_hex);
use PromptTest::Env;
use PromptTest::Json;

my @digits = (0 .. 9, 'A' .. 'Z', 'a' .. 'z');

our %number = (NONE => 0, VIEWER => 1, EDITOR => 2, ADMIN => 3, OWNER => 4);

# what is made while together() runs
my $waiting;


sub sql
{
    my ($text) = @_;

    return $waiting .= "$text;\n" if defined $waiting;

    PromptTest::Env::psql($text);

    return;
}


# together(sub): what it makes is made at once, at its end; what it returns
sub together
{
    my ($code) = @_;

    $waiting = '';
    my @made = $code->();
    my $text = $waiting;

    undef $waiting;
    sql($text) if length $text;

    return @made;
}


# uuid(): of now
sub uuid
{
    require Time::HiRes;

    my $hex = sprintf('%012x', Time::HiRes::time() * 1000) . '7'
              . substr(random_hex(), 0, 3) . '8' . substr(random_hex(), 0, 15);

    return join '-', unpack 'A8A4A4A4A12', $hex;
}


sub random_hex
{
    open my $in, '<:raw', '/dev/urandom' or die "/dev/urandom: $!\n";
    read $in, my $bytes, 16;

    return unpack 'H*', $bytes;
}


# token($prefix): a new one with its checksum
sub token
{
    my $text = $_[0] . join '', map { $digits[hex($_) % 62] }
               (random_hex() . random_hex()) =~ /../g;
    my ($sum, $check) = (crc32($text), '');

    ($check, $sum) = ($digits[$sum % 62] . $check, int($sum / 62)) for 1 .. 6;

    return $text . $check;
}


# user($name): its id
sub user
{
    my ($name) = @_;
    my $id = uuid();

    sql("INSERT INTO users (id, email, name) VALUES ('$id',"
        . " '$name\@example.com', '\u$name')");
    PromptTest::Env::var("${name}_id", $id);

    return $id;
}


# project($name, user => role, ...): its id
sub project
{
    my ($name, %members) = @_;
    my $id = uuid();

    sql("INSERT INTO projects (id, name) VALUES ('$id',"
        . " '$name'); " . join '', map {
            "INSERT INTO project_members (project_id, user_id, role) VALUES"
            . " ('$id', '$_', $number{ $members{$_} });" } keys %members);

    return $id;
}


# session($user): what its cookie says
sub session
{
    my ($user) = @_;
    my $token = token('pms_');

    sql('INSERT INTO api_keys (id, user_id, hash, name, hint,'
        . ' kind, scopes, expires_at, idle, last_used_at) VALUES (\'' . uuid()
        . "', '$user', '\\x" . sha256_hex($token) . "', 'session', '',"
        . " 'session', 31, now() + interval '1 day', interval '1 day', now())");

    return $token;
}


# key($user, $project [, $scopes]): a key of theirs in that project
sub key
{
    my ($user, $project, $scopes) = @_;
    my $token = token('pmt_');

    sql('INSERT INTO api_keys (id, user_id, project_id, hash,'
        . " name, hint, scopes) VALUES ('" . uuid() . "', '$user', '$project',"
        . " '\\x" . sha256_hex($token) . "', 'test', 'pmt', "
        . ($scopes || 0) . ')');

    return $token;
}


# credentials($token [, $project]): headers of a request
sub credentials
{
    my ($token, $project) = @_;

    return "Authorization: Bearer $token\r\n"
           . ($project ? "Prompt-Project: $project\r\n" : '')
        unless $token =~ /^pms_/;

    return "Cookie: prompt_session=$token\r\nSec-Fetch-Site: same-origin\r\n"
           . ($project ? "Prompt-Project: $project\r\n" : '');
}


# request($token, $project, $query [, $variables [, $headers]]): its text
sub request
{
    my ($token, $project, $query, $variables, $headers) = @_;
    my $body = PromptTest::Json::encode({ query => $query, $variables
                                          ? (variables => $variables) : () });

    return "POST /graphql HTTP/1.1\r\nHost: localhost\r\n"
           . credentials($token, $project) . ($headers // '')
           . "Connection: close\r\n"
           . "Content-Type: application/json\r\nContent-Length: "
           . length($body) . "\r\n\r\n$body";
}


# ask($server, $token, $project, $query [, $variables]): the answer, which has
# `code`, of its first error
sub ask
{
    my ($server, @what) = @_;
    my $answer = $server->receive($server->send(request(@what)))
        || { status => 0 };

    $answer->{code} = $answer->{json}{errors}
        ? $answer->{json}{errors}[0]{extensions}{code} : '';
    $answer->{field} = $answer->{json}{errors}
        ? $answer->{json}{errors}[0]{extensions}{field} // '' : '';
    $answer->{message} = $answer->{json}{errors}
        ? $answer->{json}{errors}[0]{message} : '';

    return $answer;
}

1;
