/*
 * Names of prompts: kebab-case.
 */

#include "prompt/name.h"

#include "base/utf8.h"


typedef enum {
    PROMPT_NAME_OTHER = 0,           /* neither letter nor digit */
    PROMPT_NAME_UPPER,
    PROMPT_NAME_LOWER,
    PROMPT_NAME_DIGIT,
    PROMPT_NAME_LETTER               /* of a script without case */
} prompt_name_class_t;


static prompt_name_class_t
prompt_name_classify(uint32_t cp)
{
    if (prompt_utf8_is_lower(cp)) {
        return PROMPT_NAME_LOWER;
    }

    /* capitals that stay as they are (of mathematics) are without case here */

    if (prompt_utf8_is_upper(cp) && prompt_utf8_lower(cp) != cp) {
        return PROMPT_NAME_UPPER;
    }

    if (prompt_utf8_is_digit(cp)) {
        return PROMPT_NAME_DIGIT;
    }

    return prompt_utf8_is_letter(cp) ? PROMPT_NAME_LETTER : PROMPT_NAME_OTHER;
}


/* whether combining marks behind a character of that class belong to it */
static bool
prompt_name_has_marks(prompt_name_class_t class)
{
    return class != PROMPT_NAME_OTHER && class != PROMPT_NAME_DIGIT;
}


/* whether a hyphen stands between before and this, which next follows */
static bool
prompt_name_boundary(prompt_name_class_t before, prompt_name_class_t this,
    prompt_name_class_t next)
{
    if (before == PROMPT_NAME_OTHER) {
        return true;
    }

    if (this != PROMPT_NAME_UPPER) {
        return false;
    }

    return before == PROMPT_NAME_LOWER || before == PROMPT_NAME_DIGIT
           || (before == PROMPT_NAME_UPPER && next == PROMPT_NAME_LOWER);
}


/*
 * The class of the character that begins at p, or of the one behind the marks
 * there, where they belong to a letter.
 */
static prompt_name_class_t
prompt_name_next(const char *p, const char *end, prompt_name_class_t before)
{
    uint32_t  cp;

    while (p < end) {
        cp = prompt_utf8_next(&p, end);

        if (!prompt_name_has_marks(before) || !prompt_utf8_is_mark(cp)) {
            return prompt_name_classify(cp);
        }
    }

    return PROMPT_NAME_OTHER;
}


/* Writes a name's form; returns its bytes.  Stops where it is too long. */
static size_t
prompt_name_convert(prompt_str_t given, char *text, size_t *characters)
{
    size_t                len;
    uint32_t              cp;
    const char           *p, *end;
    prompt_name_class_t   before, this;

    len = 0;
    *characters = 0;
    before = PROMPT_NAME_OTHER;
    p = given.data;
    end = p + given.len;

    while (p < end && *characters <= PROMPT_LIMIT_NAME) {
        cp = prompt_utf8_next(&p, end);

        /* a mark is a part of its letter, and changes nothing else */

        if (prompt_name_has_marks(before) && prompt_utf8_is_mark(cp)) {
            len += prompt_utf8_encode(cp, text + len);
            (*characters)++;
            continue;
        }

        this = prompt_name_classify(cp);

        if (this != PROMPT_NAME_OTHER) {
            if (len != 0
                && prompt_name_boundary(before, this,
                                        this == PROMPT_NAME_UPPER
                                        ? prompt_name_next(p, end, this)
                                        : PROMPT_NAME_OTHER))
            {
                text[len++] = '-';
                (*characters)++;
            }

            len += prompt_utf8_encode(prompt_utf8_lower(cp), text + len);
            (*characters)++;
        }

        before = this;
    }

    return len;
}


prompt_check_t
prompt_name(prompt_arena_t *arena, prompt_str_t given, prompt_str_t *name,
    prompt_fault_t *fault)
{
    char    text[4 * (PROMPT_LIMIT_NAME + 2)];
    size_t  len, characters;

    if (given.len != 0 && memchr(given.data, '\0', given.len) != NULL) {
        return prompt_fault_set(arena, fault, prompt_str("name"),
                                "name must not contain U+0000");
    }

    len = prompt_name_convert(given, text, &characters);

    if (characters == 0) {
        return prompt_fault_set(arena, fault, prompt_str("name"),
                                "name must contain a letter or a digit");
    }

    if (characters > PROMPT_LIMIT_NAME) {
        return prompt_fault_set(arena, fault, prompt_str("name"),
                                "name must not be longer than %d characters",
                                PROMPT_LIMIT_NAME);
    }

    *name = prompt_arena_copy(arena, prompt_str_of(text, len));

    return name->data != NULL ? PROMPT_CHECK_OK : PROMPT_CHECK_NOMEM;
}


prompt_check_t
prompt_label(prompt_arena_t *arena, prompt_str_t label, prompt_fault_t *fault)
{
    char    c;
    bool    sound;
    size_t  i;

    sound = label.len != 0 && label.len <= PROMPT_LIMIT_LABEL;

    for (i = 0; sound && i < label.len; i++) {
        c = label.data[i];
        sound = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')
                || (i != 0 && (c == '.' || c == '_' || c == '-'));
    }

    if (!sound) {
        return prompt_fault_set(arena, fault, prompt_str("label"),
                                "label must be 1 to %d of a-z, 0-9, \".\", "
                                "\"_\" and \"-\", and begin with a letter or a "
                                "digit", PROMPT_LIMIT_LABEL);
    }

    if (prompt_label_is_latest(label)) {
        return prompt_fault_set(arena, fault, prompt_str("label"),
                                "label \"latest\" always means the latest "
                                "version: it cannot be set");
    }

    return PROMPT_CHECK_OK;
}


bool
prompt_label_is_latest(prompt_str_t label)
{
    return prompt_str_eq(label, prompt_str("latest"));
}
