#!/bin/bash
#
# The benchmark: what the module takes beside the least that could be.  See
# tools/bench.pl for what is measured.
#
#     BENCH_SECONDS  of each measurement (3)
#     BENCH_ROUNDS   interleaved rounds (5)
#     BENCH_CONNECTIONS  to PostgreSQL of each worker (4)
#     BENCH_FIRST    texts whose way is measured (500)
#     BENCH_STREAMS  at once (1000)
#     BENCH_ONLY_STREAMS=1  measures nothing but these two
#     BENCH_ONLY_GATEWAY=1  measures these and the gateway
#     BENCH_ONLY_BUDGETS=1  measures nothing but what a budget costs
#     BENCH_SCALE    of the data: 1 is 100 users, 5,000 prompts, 25,000
#                    versions, 116,000 executions (default 0.2)

. "$(dirname "$0")/measured.sh"

measured bench --durable

perl tools/bench.pl
