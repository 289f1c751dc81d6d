/*
 * Memory that runs short, at each allocation in turn: an execution from the
 * stored text to the provider's answer either ends as it should, or says that
 * memory was short; nothing is leaked, nothing is half done.
 */

#include "prompt/params.h"
#include "prompt/schema.h"
#include "prompt/template.h"
#include "provider/provider.h"

#include "tap.h"
#include "failing_malloc.h"


static const prompt_str_t  content =
    prompt_str_init("{{a}} {{b.1}} {{absent}} {{tone}}");

static const prompt_str_t  schema_text = prompt_str_init(
    "{\"required\":[\"a\"],\"properties\":{\"a\":{\"type\":\"string\","
    "\"pattern\":\"^[a-z ]{1,40}$\"},\"b\":{\"uniqueItems\":true,"
    "\"items\":{\"$ref\":\"#n\"}},\"o\":{\"const\":{\"a\":1,\"b\":2}},"
    "\"absent\":{},\"tone\":{\"default\":\"kind\"}},"
    "\"$defs\":{\"n\":{\"$anchor\":\"n\",\"type\":\"number\"},"
    "\"e\":{\"$id\":\"e\",\"$dynamicAnchor\":\"e\",\"format\":\"regex\"}},"
    "\"propertyNames\":{\"$dynamicRef\":\"e#e\"},"
    "\"patternProperties\":{\"^\\\\p{Nd}\":{\"$ref\":\"#/late\"}},\"late\":{},"
    "\"unevaluatedProperties\":true,"
    "\"dependentRequired\":{\"a\":[\"b\"]}}");

static const prompt_str_t  input_text = prompt_str_init(
    "{\"a\":\"x\\u0020y\",\"b\":[1,2.5,{}],\"o\":{\"b\":2,\"a\":1},"
    "\"m0\":0,\"m1\":0,\"m2\":0,\"m3\":0,\"m4\":0,\"m5\":0,\"m6\":0,\"m7\":0,"
    "\"m8\":0,\"m9\":0,\"n0\":0,\"n1\":0,\"n2\":0,\"n3\":0,\"n4\":0,\"n5\":0,"
    "\"n6\":0,\"n7\":0,\"n8\":0,\"n9\":0,\"p0\":0,\"p1\":0,\"p2\":0,\"p3\":0,"
    "\"p4\":0,\"p5\":0,\"p6\":0,\"p7\":0,\"p8\":0,\"p9\":0}");

static const prompt_str_t  answer_text = prompt_str_init(
    "{\"content\":[{\"type\":\"text\",\"text\":\"a\\u0000\"},"
    "{\"type\":\"text\",\"text\":\"b\"},"
    "{\"type\":\"tool_use\",\"id\":\"i\",\"name\":\"f\","
    "\"input\": {\"x\": 1}}],"
    "\"stop_reason\":\"tool_use\","
    "\"usage\":{\"input_tokens\":1,\"output_tokens\":2}}");


static const prompt_str_t  before_text = prompt_str_init(
    "[{\"role\":\"SYSTEM\",\"content\":\"be \"},"
    "{\"placeholder\":\"history\"}]");


/* what came of it: 0 done, 1 short of memory, 2 neither */
static int
render(prompt_arena_t *arena, const prompt_json_t *input,
    const prompt_json_t *schema, prompt_buf_t *out, prompt_buf_t *body)
{
    prompt_json_t             *params, *before;
    prompt_check_t             rc;
    prompt_fault_t             fault;
    prompt_json_error_t        error;
    prompt_provider_request_t  request;

    memset(&request, 0, sizeof(request));

    before = prompt_json_read(arena, before_text, 64, &error);
    if (before == NULL) {
        return 1;
    }

    rc = prompt_messages_render(arena, before, content, input, schema,
                                NULL, out, &request.messages, &fault);
    if (rc != PROMPT_CHECK_OK) {
        return rc == PROMPT_CHECK_NOMEM ? 1 : 2;
    }

    if (request.messages.count != 2
        || !prompt_str_eq(request.messages.list[0].text, prompt_str("be "))
        || !prompt_str_eq(request.messages.list[1].text,
                          prompt_str("x y 2.5  kind")))
    {
        return 2;
    }

    params = prompt_json_new(arena, PROMPT_JSON_OBJECT);
    if (params == NULL) {
        return 1;
    }

    request.format = &prompt_provider_openai;
    request.params = params;
    request.model = prompt_str("m");
    prompt_provider_request(&request, body);

    if (body->status != PROMPT_BUF_OK) {
        return body->status == PROMPT_BUF_NOMEM ? 1 : 2;
    }

    return 0;
}


static int
answer(prompt_arena_t *arena)
{
    prompt_provider_answer_t  got;

    if (!prompt_provider_answer(arena, &prompt_provider_anthropic, 200,
                                answer_text, &got)) {
        return 1;
    }

    return prompt_str_eq(got.output, prompt_str("a\xef\xbf\xbd" "b"))
           && prompt_str_eq(got.finish, prompt_str("tool_use"))
           && got.tool_calls.len != 0 ? 0 : 2;
}


/* the fault of {} in b, which must be the only one */
static int
validate(prompt_arena_t *arena, const prompt_json_t *schema,
    const prompt_json_t *input)
{
    prompt_check_t  rc;
    prompt_fault_t  fault;

    rc = prompt_input_schema_validate(arena, schema, input, &fault);

    if (rc == PROMPT_CHECK_NOMEM) {
        return 1;
    }

    return rc == PROMPT_CHECK_FAULT && fault.violations->count == 1
           && prompt_str_eq(fault.field, prompt_str("b.2")) ? 0 : 2;
}


static int
execute(void)
{
    int                   result;
    prompt_buf_t          out, body;
    prompt_json_t        *schema, *input;
    prompt_arena_t       *arena;
    prompt_json_error_t   error;

    arena = prompt_arena_create(1 << 20);
    if (arena == NULL) {
        return 1;
    }

    prompt_buf_init(&out, PROMPT_LIMIT_RENDERED);
    prompt_buf_init(&body, PROMPT_LIMIT_REQUEST);

    schema = prompt_json_read(arena, schema_text, 64, &error);
    input = schema != NULL ? prompt_json_read(arena, input_text, 64, &error)
                           : NULL;

    if (input == NULL) {
        result = error.status == PROMPT_JSON_NOMEM ? 1 : 2;

    } else {
        result = validate(arena, schema, input);

        if (result == 0) {
            result = render(arena, input, schema, &out, &body);
        }

        if (result == 0) {
            result = answer(arena);
        }
    }

    prompt_buf_free(&out);
    prompt_buf_free(&body);
    prompt_arena_destroy(arena);

    return result;
}


int
main(void)
{
    int            result;
    bool           sound, leaks;
    unsigned long  at;

    is_int(execute(), 0, "with memory it is done");

    if (!FAILING_MALLOC) {
        skip(3, "malloc is the sanitizer's");
        return done_testing();
    }

    result = 1;
    sound = true;
    leaks = false;

    for (at = 1; result != 0 && at < 1000; at++) {
        failing_malloc_reset(at);
        result = execute();
        sound = sound && result != 2;
        leaks = leaks || failing_malloc_blocks != 0;
    }

    failing_malloc_reset(0);

    ok(sound, "short of it, that is said");
    ok(!leaks, "and nothing is leaked");
    is_int(result, 0, "enough in the end");

    return done_testing();
}
