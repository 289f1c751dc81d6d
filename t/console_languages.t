# The console's own GraphQL and JSON: layout, completion and marks, in node.

use strict;
use warnings;

exec 'node', 't/browser/languages.mjs' or die "node: $!\n";
