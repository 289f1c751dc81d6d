/*
 * Positions in PostgreSQL's write-ahead log: statements, texts, tokens.
 */

#include "base/sha256.h"
#include "store/hex.h"
#include "store/position.h"
#include "store/statement_impl.h"
#include "store/value.h"

#include <endian.h>


#define POSITION_ROUNDS  6           /* of a token's cipher */


/*
 * What is inserted, flushed or not, since others may see it.  At the beginning
 * of a page it stands behind the page's header, 24 bytes, at that of a segment
 * 40, and a standby that has replayed all there is in front of it: where
 * nothing is written, that would never be even.  No commit is as short as 24,
 * and none of 40 follows the end of a segment without a header.
 */
const prompt_source_t  prompt_sql_position = {
    "SELECT CASE WHEN p.inserted - p.flushed = 24"
    " OR p.inserted - p.flushed = 40"
    " AND (p.flushed - '0/0'::pg_lsn) % 1048576 = 0"
    " THEN p.flushed ELSE p.inserted END,"
    " ('x' || left(pg_walfile_name(p.inserted), 8))::bit(32)::int,"
    " (SELECT system_identifier FROM pg_control_system())"
    " FROM (SELECT pg_current_wal_insert_lsn() AS inserted,"
    " pg_current_wal_flush_lsn() AS flushed"
    " WHERE NOT pg_is_in_recovery() OFFSET 0) p",
    "", 3, PROMPT_STATEMENT_READS
};


#define POSITION_TIMELINE                                                    \
    "('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))"         \
    "::bit(32)::int"

#define POSITION_HERE                                                        \
    "SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()"     \
    " ELSE pg_current_wal_insert_lsn() END"

/*
 * No standby any more, and so on another timeline: it says which, since its
 * connections outlive that it is promoted.
 */
const prompt_source_t  prompt_sql_position_here = {
    POSITION_HERE ", CASE WHEN pg_is_in_recovery() THEN 0"
    " ELSE " POSITION_TIMELINE " END",
    "", 2, PROMPT_STATEMENT_READS
};


/*
 * A standby does not say on which timeline it is.  Its control file has one
 * that it was on, and follows when pages are written: never ahead of it.
 */
const prompt_source_t  prompt_sql_position_place = {
    POSITION_HERE ", CASE WHEN pg_is_in_recovery()"
    " THEN greatest((SELECT timeline_id FROM pg_control_checkpoint()),"
    " (SELECT min_recovery_end_timeline FROM pg_control_recovery()))"
    " ELSE " POSITION_TIMELINE " END,"
    " (SELECT system_identifier FROM pg_control_system())",
    "", 3, PROMPT_STATEMENT_READS
};


const char  prompt_position_script[] =
    "local at = redis.pcall('GET', KEYS[1]) "
    "if type(at) ~= 'string' or #at ~= 24 or at < ARGV[1] then "
    "at = ARGV[1] end "
    "redis.call('SET', KEYS[1], at, 'PX', ARGV[2]) "
    "return 1";


bool
prompt_position(prompt_query_t *query)
{
    return prompt_append_plain(query, PROMPT_STATEMENT_POSITION);
}


bool
prompt_position_here(prompt_query_t *query)
{
    return prompt_append_plain(query, PROMPT_STATEMENT_POSITION_HERE);
}


void
prompt_position_row(const prompt_rows_t *rows, bool whole,
    prompt_position_t *position)
{
    memset(position, 0, sizeof(prompt_position_t));

    if (rows->count != 1) {
        return;
    }

    /* pg_lsn is sent as an integer of eight bytes */

    position->lsn = (uint64_t) prompt_cell_int(prompt_rows_cell(rows, 0, 0));

    position->timeline =
        (uint32_t) prompt_cell_int(prompt_rows_cell(rows, 0, 1));

    if (whole) {
        position->system =
            (uint64_t) prompt_cell_int(prompt_rows_cell(rows, 0, 2));
    }
}


bool
prompt_position_after(const prompt_position_t *one,
    const prompt_position_t *other)
{
    if (one->timeline != other->timeline) {
        return one->timeline > other->timeline;
    }

    return one->lsn > other->lsn;
}


size_t
prompt_position_name(char out[PROMPT_POSITION_MAX_NAME], prompt_str_t prefix,
    const uint8_t *user)
{
    char  *p;

    p = prompt_hex_name(out, prefix, PROMPT_POSITION_MAX_PREFIX,
                        prompt_str("position:"));
    if (p == NULL) {
        return 0;
    }

    return (size_t) (prompt_hex_write(p, user, PROMPT_UUID_LEN) - out);
}


void
prompt_position_write(char out[PROMPT_POSITION_TEXT],
    const prompt_position_t *position)
{
    (void) prompt_hex_number(prompt_hex_number(out, position->timeline, 4),
                             position->lsn, 8);
}


bool
prompt_position_read(prompt_str_t text, prompt_position_t *position)
{
    uint64_t     timeline;
    const char  *p;

    p = text.data;

    if (text.len != PROMPT_POSITION_TEXT
        || !prompt_hex_read_number(&p, &timeline, 4)
        || !prompt_hex_read_number(&p, &position->lsn, 8))
    {
        return false;
    }

    position->timeline = (uint32_t) timeline;
    position->system = 0;

    return true;
}


/*
 * A round of a Feistel cipher: what changes one half is made of the other one,
 * the round and the cluster.
 */
static uint64_t
position_round(uint64_t half, unsigned round, uint64_t system)
{
    uint8_t          hash[PROMPT_SHA256_LEN];
    uint64_t         numbers[2], change;
    const uint8_t    place = (uint8_t) round;
    prompt_sha256_t  sha;

    numbers[0] = htobe64(system);
    numbers[1] = htobe64(half);

    prompt_sha256_init(&sha);
    prompt_sha256_update(&sha, prompt_str("prompt position"));
    prompt_sha256_update(&sha, prompt_str_of((char *) &numbers[0], 8));
    prompt_sha256_update(&sha, prompt_str_of((const char *) &place, 1));
    prompt_sha256_update(&sha, prompt_str_of((char *) &numbers[1], 8));
    prompt_sha256_final(&sha, hash);

    memcpy(&change, hash, sizeof(change));

    return be64toh(change);
}


void
prompt_position_encode(char out[PROMPT_POSITION_TOKEN],
    const prompt_position_t *position)
{
    uint64_t  halves[2];
    unsigned  i;

    halves[0] = (uint64_t) position->timeline << 32;
    halves[1] = position->lsn;

    for (i = 0; i < POSITION_ROUNDS; i++) {
        halves[i % 2] ^= position_round(halves[1 - i % 2], i,
                                        position->system);
    }

    (void) prompt_hex_number(prompt_hex_number(out, halves[0], 8), halves[1],
                             8);
}


static bool
position_halves(prompt_str_t token, uint64_t halves[2])
{
    const char  *p;

    p = token.data;

    return token.len == PROMPT_POSITION_TOKEN
           && prompt_hex_read_number(&p, &halves[0], 8)
           && prompt_hex_read_number(&p, &halves[1], 8);
}


bool
prompt_position_is_token(prompt_str_t text)
{
    uint64_t  halves[2];

    return position_halves(text, halves);
}


bool
prompt_position_decode(prompt_str_t token, uint64_t system,
    prompt_position_t *position)
{
    uint64_t  halves[2];
    unsigned  i;

    if (!position_halves(token, halves)) {
        return false;
    }

    for (i = POSITION_ROUNDS; i-- != 0; /* void */) {
        halves[i % 2] ^= position_round(halves[1 - i % 2], i, system);
    }

    if ((uint32_t) halves[0] != 0) {
        return false;
    }

    position->timeline = (uint32_t) (halves[0] >> 32);
    position->lsn = halves[1];
    position->system = system;

    return true;
}
