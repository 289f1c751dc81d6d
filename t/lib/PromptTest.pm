# Test::Nginx for this module.  A suite is
#
#     use lib 't/lib';
#     use PromptTest;
#
#     run_tests();
#
#     __DATA__
#
# and blocks; t/README.md lists the sections that are added to those of
# Test::Nginx.

package PromptTest;

use strict;
use warnings;

BEGIN {
    require PromptTest::Block;
    PromptTest::Block::before();
}

use Test::Nginx::Socket -Base;

PromptTest::Block::after();

1;
