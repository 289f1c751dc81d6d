/*
 * Regular expressions: the program and its machine.
 *
 * The machine follows all alternatives at once, character by character: a
 * thread is a place in the program, and no place has more than one thread.
 * So a character costs at most one look at each instruction.
 */

#include "regex/program.h"

#include "base/utf8.h"


#define PROMPT_REGEX_NO_CHAR  0xffffffffu    /* before the first, after the
                                                last character */

/* as many looks at instructions are one step */
#define PROMPT_REGEX_LOOKS    3

/* what the tree of a pattern may take that is only checked */
#define PROMPT_REGEX_CHECKED  (2 * 1024 * 1024)


typedef struct {
    prompt_arena_t              *arena;
    prompt_regex_instruction_t  *program;
    uint32_t                     count;
    uint32_t                     room;
} prompt_regex_emitter_t;


/* what is known at one place of the text */
typedef struct {
    uint32_t  before;
    uint32_t  after;
} prompt_regex_place_t;


static bool prompt_regex_emit_node(prompt_regex_emitter_t *emitter,
    const prompt_regex_node_t *node);


/* Appends an instruction; its index is count - 1 then. */
static bool
prompt_regex_emit(prompt_regex_emitter_t *emitter,
    const prompt_regex_instruction_t *instruction)
{
    if (emitter->count == emitter->room) {
        return false;
    }

    if (emitter->program != NULL) {
        emitter->program[emitter->count] = *instruction;
    }

    emitter->count++;

    return true;
}


static bool
prompt_regex_emit_jump(prompt_regex_emitter_t *emitter, prompt_regex_op_t op)
{
    prompt_regex_instruction_t  jump;

    memset(&jump, 0, sizeof(jump));
    jump.op = op;

    return prompt_regex_emit(emitter, &jump);
}


/* where the instruction at `at` goes on */
static void
prompt_regex_set_jump(prompt_regex_emitter_t *emitter, uint32_t at, uint32_t x,
    uint32_t y)
{
    if (emitter->program != NULL) {
        emitter->program[at].x = x;
        emitter->program[at].y = y;
    }
}


/*
 *       split  next, other
 * next: ...
 *       jump   end
 * other:
 */
static bool
prompt_regex_emit_choice(prompt_regex_emitter_t *emitter,
    const prompt_regex_node_t *node)
{
    uint32_t                    split, jump, last;
    const prompt_regex_node_t  *child;

    last = UINT32_MAX;

    for (child = node->first; child->next != NULL; child = child->next) {
        split = emitter->count;

        if (!prompt_regex_emit_jump(emitter, PROMPT_REGEX_SPLIT)
            || !prompt_regex_emit_node(emitter, child))
        {
            return false;
        }

        jump = emitter->count;

        if (!prompt_regex_emit_jump(emitter, PROMPT_REGEX_JUMP)) {
            return false;
        }

        /* those that jump to the end are chained until it is known */

        prompt_regex_set_jump(emitter, split, split + 1, emitter->count);
        prompt_regex_set_jump(emitter, jump, last, 0);
        last = jump;
    }

    if (!prompt_regex_emit_node(emitter, child)) {
        return false;
    }

    while (emitter->program != NULL && last != UINT32_MAX) {
        jump = last;
        last = emitter->program[jump].x;
        prompt_regex_set_jump(emitter, jump, emitter->count, 0);
    }

    return true;
}


static bool
prompt_regex_emit_repeat(prompt_regex_emitter_t *emitter,
    const prompt_regex_node_t *node)
{
    uint32_t  i, start, split;

    start = emitter->count;

    for (i = 0; i < node->min; i++) {
        if (!prompt_regex_emit_node(emitter, node->first)) {
            return false;
        }

        if (emitter->count == start) {
            return true;             /* nothing, however often */
        }
    }

    if (node->max == PROMPT_REGEX_UNBOUNDED) {
        split = emitter->count;

        if (!prompt_regex_emit_jump(emitter, PROMPT_REGEX_SPLIT)
            || !prompt_regex_emit_node(emitter, node->first)
            || !prompt_regex_emit_jump(emitter, PROMPT_REGEX_JUMP))
        {
            return false;
        }

        prompt_regex_set_jump(emitter, emitter->count - 1, split, 0);
        prompt_regex_set_jump(emitter, split, split + 1, emitter->count);

        return true;
    }

    for ( /* void */ ; i < node->max; i++) {
        split = emitter->count;

        if (!prompt_regex_emit_jump(emitter, PROMPT_REGEX_SPLIT)
            || !prompt_regex_emit_node(emitter, node->first))
        {
            return false;
        }

        prompt_regex_set_jump(emitter, split, split + 1, emitter->count);
    }

    return true;
}


/* Calls itself as deep as groups are nested. */
static bool
prompt_regex_emit_node(prompt_regex_emitter_t *emitter,
    const prompt_regex_node_t *node)
{
    const prompt_regex_node_t  *child;

    switch (node->type) {

    case PROMPT_REGEX_NODE_ONE:
        return prompt_regex_emit(emitter, &node->one);

    case PROMPT_REGEX_NODE_CHOICE:
        return prompt_regex_emit_choice(emitter, node);

    case PROMPT_REGEX_NODE_REPEAT:
        return prompt_regex_emit_repeat(emitter, node);

    case PROMPT_REGEX_NODE_SEQUENCE:
        break;
    }

    for (child = node->first; child != NULL; child = child->next) {
        if (!prompt_regex_emit_node(emitter, child)) {
            return false;
        }
    }

    return true;
}


/* the program of a tree; a first pass only counts */
static prompt_regex_status_t
prompt_regex_emit_program(prompt_arena_t *arena,
    const prompt_regex_node_t *node, unsigned room, prompt_regex_t *regex)
{
    prompt_regex_emitter_t  emitter;

    memset(&emitter, 0, sizeof(emitter));
    emitter.room = room;

    if (!prompt_regex_emit_node(&emitter, node)
        || !prompt_regex_emit_jump(&emitter, PROMPT_REGEX_MATCH))
    {
        return PROMPT_REGEX_TOO_LARGE;
    }

    regex->count = emitter.count;
    regex->program = prompt_arena_array(arena, emitter.count,
                                        sizeof(prompt_regex_instruction_t));
    if (regex->program == NULL) {
        return PROMPT_REGEX_NOMEM;
    }

    emitter.program = regex->program;
    emitter.count = 0;

    (void) prompt_regex_emit_node(&emitter, node);
    (void) prompt_regex_emit_jump(&emitter, PROMPT_REGEX_MATCH);

    return PROMPT_REGEX_OK;
}


prompt_regex_status_t
prompt_regex_check(prompt_str_t pattern)
{
    const char              *message;
    prompt_regex_node_t     *node;
    prompt_regex_status_t    status;
    prompt_regex_context_t   context;

    memset(&context, 0, sizeof(context));
    context.room = UINT32_MAX;
    context.arena = prompt_arena_create(PROMPT_REGEX_CHECKED);

    if (context.arena == NULL) {
        return PROMPT_REGEX_NOMEM;
    }

    status = prompt_regex_parse(&context, pattern, true, &node, &message);
    prompt_arena_destroy(context.arena);

    return status;
}


prompt_regex_status_t
prompt_regex_compile(prompt_regex_context_t *context, prompt_str_t pattern,
    prompt_regex_t **regex, const char **message)
{
    size_t                  n;
    prompt_arena_t         *arena;
    prompt_regex_t         *compiled;
    prompt_regex_node_t    *node;
    prompt_regex_status_t   status;

    arena = context->arena;

    status = prompt_regex_parse(context, pattern, false, &node, message);
    if (status != PROMPT_REGEX_OK) {
        return status;
    }

    *message = "out of memory";

    compiled = prompt_arena_zalloc(arena, sizeof(prompt_regex_t));
    if (compiled == NULL) {
        return PROMPT_REGEX_NOMEM;
    }

    status = prompt_regex_emit_program(arena, node, context->room, compiled);

    if (status != PROMPT_REGEX_OK) {
        *message = "too large, together with others of this schema";
        return status;
    }

    context->room -= compiled->count;

    n = compiled->count;
    compiled->now = prompt_arena_array(arena, 5 * n + 1, sizeof(uint32_t));
    if (compiled->now == NULL) {
        return PROMPT_REGEX_NOMEM;
    }

    compiled->then = compiled->now + n;
    compiled->mark = compiled->then + n;
    compiled->stack = compiled->mark + n;

    *regex = compiled;

    return PROMPT_REGEX_OK;
}


static bool
prompt_regex_is_word(uint32_t cp)
{
    return cp < 0x80
           && (((cp | 0x20) >= 'a' && (cp | 0x20) <= 'z')
               || (cp >= '0' && cp <= '9') || cp == '_');
}


static bool
prompt_regex_is_line_end(uint32_t cp)
{
    return cp == '\n' || cp == '\r' || cp == 0x2028 || cp == 0x2029;
}


/* WhiteSpace and LineTerminator of ECMA-262 */
static bool
prompt_regex_is_space(uint32_t cp)
{
    return (cp >= 0x09 && cp <= 0x0d) || cp == 0x20 || cp == 0xa0
           || cp == 0x1680 || (cp >= 0x2000 && cp <= 0x200a) || cp == 0x202f
           || cp == 0x205f || cp == 0x3000 || cp == 0xfeff
           || prompt_regex_is_line_end(cp);
}


static bool
prompt_regex_in_item(const prompt_regex_item_t *item, uint32_t cp)
{
    switch (item->class) {

    case PROMPT_REGEX_RANGE:
        return cp >= item->first && cp <= item->last;

    case PROMPT_REGEX_DIGIT:
        return cp >= '0' && cp <= '9';

    case PROMPT_REGEX_WORD:
        return prompt_regex_is_word(cp);

    case PROMPT_REGEX_SPACE:
        return prompt_regex_is_space(cp);

    case PROMPT_REGEX_PROPERTY:
        return prompt_regex_in_ranges(item->property, cp);
    }

    return false;
}


static bool
prompt_regex_in_set(const prompt_regex_set_t *set, uint32_t cp)
{
    const prompt_regex_item_t  *item;

    for (item = set->items; item != NULL; item = item->next) {
        if (prompt_regex_in_item(item, cp) != item->negated) {
            return !set->negated;
        }
    }

    return set->negated;
}


/* whether the thread passes an instruction that takes no character */
static bool
prompt_regex_passes(prompt_regex_op_t op, const prompt_regex_place_t *place)
{
    bool  boundary;

    boundary = (place->before != PROMPT_REGEX_NO_CHAR
                && prompt_regex_is_word(place->before))
               != (place->after != PROMPT_REGEX_NO_CHAR
                   && prompt_regex_is_word(place->after));

    switch (op) {

    case PROMPT_REGEX_START:
        return place->before == PROMPT_REGEX_NO_CHAR;

    case PROMPT_REGEX_END:
        return place->after == PROMPT_REGEX_NO_CHAR;

    case PROMPT_REGEX_BOUNDARY:
        return boundary;

    default: /* PROMPT_REGEX_NO_BOUNDARY */
        return !boundary;
    }
}


/*
 * Adds a thread at pc, and follows it up to instructions that take a
 * character.  True where it comes to the end of the program.
 */
static bool
prompt_regex_follow(prompt_regex_t *regex, uint32_t *threads, uint32_t *count,
    uint32_t pc, const prompt_regex_place_t *place, unsigned *looks)
{
    uint32_t                           depth;
    const prompt_regex_instruction_t  *in;

    depth = 0;
    regex->stack[depth++] = pc;

    while (depth != 0) {
        pc = regex->stack[--depth];

        if (regex->mark[pc] == regex->generation) {
            continue;
        }

        regex->mark[pc] = regex->generation;
        (*looks)++;
        in = &regex->program[pc];

        switch (in->op) {

        case PROMPT_REGEX_MATCH:
            return true;

        case PROMPT_REGEX_JUMP:
            regex->stack[depth++] = in->x;
            break;

        case PROMPT_REGEX_SPLIT:
            regex->stack[depth++] = in->y;
            regex->stack[depth++] = in->x;
            break;

        case PROMPT_REGEX_CHAR:
        case PROMPT_REGEX_ANY:
        case PROMPT_REGEX_SET:
            threads[(*count)++] = pc;
            break;

        default:
            if (prompt_regex_passes(in->op, place)) {
                regex->stack[depth++] = pc + 1;
            }
        }
    }

    return false;
}


/* whether the instruction takes the character */
static bool
prompt_regex_takes(const prompt_regex_instruction_t *in, uint32_t cp,
    unsigned *looks)
{
    switch (in->op) {

    case PROMPT_REGEX_CHAR:
        return in->x == cp;

    case PROMPT_REGEX_ANY:
        return !prompt_regex_is_line_end(cp);

    default: /* PROMPT_REGEX_SET */
        *looks += in->set->weight;
        return prompt_regex_in_set(in->set, cp);
    }
}


bool
prompt_regex_match(prompt_regex_t *regex, prompt_str_t text, unsigned *steps)
{
    unsigned               looks;
    uint32_t               i, count, next, cp, *swap;
    const char            *p, *end;
    prompt_regex_place_t   place;

    p = text.data != NULL ? text.data : "";
    end = p + text.len;

    cp = PROMPT_REGEX_NO_CHAR;
    place.after = p < end ? prompt_utf8_next(&p, end) : PROMPT_REGEX_NO_CHAR;
    count = 0;

    for ( ;; ) {
        looks = 0;
        next = 0;
        place.before = cp;
        regex->generation++;

        /* those that took the character before go on, and one begins here */

        for (i = 0; i < count; i++) {
            if (prompt_regex_takes(&regex->program[regex->now[i]], cp, &looks)
                && prompt_regex_follow(regex, regex->then, &next,
                                       regex->now[i] + 1, &place, &looks))
            {
                return true;
            }
        }

        if (prompt_regex_follow(regex, regex->then, &next, 0, &place, &looks)) {
            return true;
        }

        looks = 1 + (looks + count) / PROMPT_REGEX_LOOKS;

        if (*steps <= looks) {
            *steps = 0;
            return false;
        }

        *steps -= looks;

        if (place.after == PROMPT_REGEX_NO_CHAR) {
            return false;
        }

        swap = regex->now;
        regex->now = regex->then;
        regex->then = swap;
        count = next;

        cp = place.after;
        place.after = p < end ? prompt_utf8_next(&p, end)
                              : PROMPT_REGEX_NO_CHAR;
    }
}
