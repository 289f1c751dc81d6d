/*
 * Positions in PostgreSQL's write-ahead log: statements, texts, tokens.
 */

#include "base/digits.h"
#include "base/sha256.h"
#include "store/position.h"
#include "store/statement_impl.h"
#include "store/value.h"


#define POSITION_BLOCK   16          /* of a token, bytes */
#define POSITION_HALF    8
#define POSITION_ROUNDS  6


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
    char          *p;
    prompt_str_t   kind;

    kind = prompt_str("position:");

    if (prefix.len > PROMPT_POSITION_MAX_PREFIX) {
        return 0;
    }

    p = out;

    if (prefix.len != 0) {
        memcpy(p, prefix.data, prefix.len);
        p += prefix.len;
    }

    memcpy(p, kind.data, kind.len);
    p = prompt_hex_write(p + kind.len, user, PROMPT_UUID_LEN);

    return (size_t) (p - out);
}


static void
position_bytes(uint8_t *out, uint64_t n, size_t len)
{
    while (len-- != 0) {
        out[len] = (uint8_t) n;
        n >>= 8;
    }
}


static uint64_t
position_number(const uint8_t *bytes, size_t len)
{
    size_t    i;
    uint64_t  n;

    n = 0;

    for (i = 0; i < len; i++) {
        n = n << 8 | bytes[i];
    }

    return n;
}


/* len bytes of twice as many digits; false: there are others */
static bool
position_unhex(prompt_str_t text, uint8_t *out, size_t len)
{
    int     high, low;
    size_t  i;

    if (text.len != 2 * len) {
        return false;
    }

    for (i = 0; i < len; i++) {
        high = prompt_hex_digit((unsigned char) text.data[2 * i]);
        low = prompt_hex_digit((unsigned char) text.data[2 * i + 1]);

        if ((high | low) < 0) {
            return false;
        }

        out[i] = (uint8_t) (high << 4 | low);
    }

    return true;
}


void
prompt_position_write(char out[PROMPT_POSITION_TEXT],
    const prompt_position_t *position)
{
    uint8_t  bytes[PROMPT_POSITION_TEXT / 2];

    position_bytes(bytes, position->timeline, 4);
    position_bytes(bytes + 4, position->lsn, 8);

    (void) prompt_hex_write(out, bytes, sizeof(bytes));
}


bool
prompt_position_read(prompt_str_t text, prompt_position_t *position)
{
    uint8_t  bytes[PROMPT_POSITION_TEXT / 2];

    if (!position_unhex(text, bytes, sizeof(bytes))) {
        return false;
    }

    position->timeline = (uint32_t) position_number(bytes, 4);
    position->lsn = position_number(bytes + 4, 8);
    position->system = 0;

    return true;
}


/*
 * A round of a Feistel cipher: one half is changed by what the other one, the
 * round and the cluster make.
 */
static void
position_round(uint8_t *changed, const uint8_t *by, unsigned round,
    uint64_t system)
{
    size_t           i;
    uint8_t          head[9], hash[PROMPT_SHA256_LEN];
    prompt_sha256_t  sha;

    position_bytes(head, system, 8);
    head[8] = (uint8_t) round;

    prompt_sha256_init(&sha);
    prompt_sha256_update(&sha, prompt_str("prompt position"));
    prompt_sha256_update(&sha, prompt_str_of((char *) head, sizeof(head)));
    prompt_sha256_update(&sha, prompt_str_of((const char *) by,
                                             POSITION_HALF));
    prompt_sha256_final(&sha, hash);

    for (i = 0; i < POSITION_HALF; i++) {
        changed[i] ^= hash[i];
    }
}


void
prompt_position_encode(char out[PROMPT_POSITION_TOKEN],
    const prompt_position_t *position)
{
    uint8_t   block[POSITION_BLOCK];
    unsigned  i;

    position_bytes(block, position->timeline, 4);
    position_bytes(block + 4, 0, 4);
    position_bytes(block + 8, position->lsn, 8);

    for (i = 0; i < POSITION_ROUNDS; i++) {
        position_round(block + (i % 2 ? POSITION_HALF : 0),
                       block + (i % 2 ? 0 : POSITION_HALF), i,
                       position->system);
    }

    (void) prompt_hex_write(out, block, sizeof(block));
}


bool
prompt_position_is_token(prompt_str_t text)
{
    uint8_t  block[POSITION_BLOCK];

    return position_unhex(text, block, sizeof(block));
}


bool
prompt_position_decode(prompt_str_t token, uint64_t system,
    prompt_position_t *position)
{
    uint8_t   block[POSITION_BLOCK];
    unsigned  i;

    if (!position_unhex(token, block, sizeof(block))) {
        return false;
    }

    for (i = POSITION_ROUNDS; i-- != 0; /* void */) {
        position_round(block + (i % 2 ? POSITION_HALF : 0),
                       block + (i % 2 ? 0 : POSITION_HALF), i, system);
    }

    if (position_number(block + 4, 4) != 0) {
        return false;
    }

    position->timeline = (uint32_t) position_number(block, 4);
    position->lsn = position_number(block + 8, 8);
    position->system = system;

    return true;
}
