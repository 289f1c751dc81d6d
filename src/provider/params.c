/*
 * Params by the table of a format: what it is sent, and what of it is refused.
 */

#include "provider/provider_impl.h"

#include "prompt/text.h"


/* what is checked, and for whom */
typedef struct {
    prompt_arena_t                  *arena;
    const prompt_provider_format_t  *format;
    const prompt_provider_rules_t   *rules;
    prompt_str_t                     at;     /* `params`, or a fallback */
    prompt_fault_t                  *fault;
} provider_params_t;


bool
prompt_provider_allows(prompt_str_t allow, prompt_str_t name)
{
    const char  *p, *end, *last;

    last = allow.data + allow.len;

    for (p = allow.data; p != NULL; p = end != NULL ? end + 1 : NULL) {

        end = memchr(p, ',', (size_t) (last - p));

        if (prompt_str_eq(prompt_str_of(p, (size_t) ((end != NULL ? end : last)
                                                     - p)), name))
        {
            return true;
        }
    }

    return false;
}


const prompt_provider_param_t *
prompt_provider_param(const prompt_provider_param_t *table, prompt_str_t name)
{
    while (table->name.data != NULL) {

        if (prompt_provider_allows(table->name, name)) {
            return table;
        }

        table++;
    }

    return NULL;
}


/* whether a member bounds the tokens of the output, under whichever name */
static bool
provider_is_max_tokens(prompt_str_t max_tokens_as, prompt_str_t name,
    const prompt_provider_param_t *param)
{
    return (param != NULL && param->bound)
           || (max_tokens_as.len != 0 && prompt_str_eq(name, max_tokens_as));
}


const prompt_provider_choice_t *
prompt_provider_choice(const prompt_json_t *choice)
{
    size_t  i;

    static const prompt_provider_choice_t  choices[] = {
        { prompt_str_init("auto"), prompt_str_init("auto"),
          prompt_str_init("AUTO") },
        { prompt_str_init("none"), prompt_str_init("none"),
          prompt_str_init("NONE") },
        { prompt_str_init("required"), prompt_str_init("any"),
          prompt_str_init("ANY") }
    };

    for (i = 0; choice->type == PROMPT_JSON_STRING && i < 3; i++) {
        if (prompt_str_eq(choice->text, choices[i].name)) {
            return &choices[i];
        }
    }

    return NULL;
}


prompt_str_t
prompt_provider_output_form(const prompt_json_t *params)
{
    size_t  i;

    static const char *const  ways[] = {
        "response_format", "text.format", "output_config.format",
        "output_format", "generationConfig.responseMimeType",
        "generationConfig.responseSchema",
        "generationConfig.responseJsonSchema", "responseMimeType",
        "responseSchema", "responseJsonSchema"
    };

    for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        if (prompt_provider_get(params, ways[i]) != NULL) {
            return prompt_str_of(ways[i], strcspn(ways[i], "."));
        }
    }

    return prompt_str_absent;
}


int64_t
prompt_provider_params_most(const prompt_provider_request_t *request)
{
    int64_t               n, most;
    const prompt_json_t  *value;

    most = 0;

    for (value = request->params->first; value != NULL; value = value->next) {

        if (provider_is_max_tokens(request->max_tokens_as, value->name,
                                   prompt_provider_param(
                                       request->format->params, value->name))
            && prompt_json_integer(value, &n) && n > most)
        {
            most = n;
        }
    }

    return most;
}


int64_t
prompt_provider_most_out(const prompt_provider_request_t *request)
{
    int64_t               n, most;
    const prompt_json_t  *answers;

    most = prompt_provider_params_most(request);

    if (most == 0) {
        most = request->max_tokens != 0 ? request->max_tokens
                                        : request->format->max_tokens;
    }

    /* several answers, where allow= names that */

    answers = prompt_json_get(request->params, prompt_str("n"));

    if (most > INT32_MAX) {
        most = INT32_MAX;
    }

    if (answers != NULL && prompt_json_integer(answers, &n) && n > 1) {
        most *= n < INT32_MAX ? n : INT32_MAX;
    }

    return most < INT32_MAX ? most : INT32_MAX;
}


bool
prompt_provider_most_in(const prompt_provider_request_t *request,
    int64_t *tokens)
{
    bool                     sent;
    size_t                   i, k;
    prompt_buf_t             body;
    prompt_str_t             type, data, image;
    const prompt_message_t  *message;

    prompt_buf_init(&body, PROMPT_LIMIT_REQUEST);
    prompt_provider_request(request, &body);

    sent = (body.status == PROMPT_BUF_OK);
    *tokens = (int64_t) body.len;
    prompt_buf_free(&body);

    for (i = 0; i < request->messages.count; i++) {
        message = &request->messages.list[i];

        for (k = 0; k < message->nparts; k++) {
            image = message->parts[k].image;

            if (image.data == NULL) {
                continue;
            }

            (void) prompt_message_image(image, &type, &data);

            *tokens -= (int64_t) (data.data != NULL ? data.len : 0);
            *tokens += PROMPT_PROVIDER_IMAGE_TOKENS;
        }
    }

    if (*tokens > INT32_MAX) {
        *tokens = INT32_MAX;
    }

    return sent;
}


/* a fault of a member: words, and the text that they end with */
static prompt_check_t
provider_param_wrong(provider_params_t *check, prompt_str_t name,
    const char *words, prompt_str_t text)
{
    prompt_str_t  field, all;

    field = prompt_arena_printf(check->arena, "%.*s.%.*s",
                                prompt_str_arg(check->at),
                                prompt_str_arg(name));
    all = prompt_arena_printf(check->arena, "%s%.*s", words,
                              prompt_str_arg(text));

    return all.data != NULL
           ? prompt_text_fault(check->arena, field, all.data, check->fault)
           : PROMPT_CHECK_NOMEM;
}


static prompt_check_t
provider_check_allowed(provider_params_t *check,
    prompt_str_t member, prompt_str_t name)
{
    prompt_str_t  shown;

    if (prompt_provider_allows(check->rules->allow, name)) {
        return PROMPT_CHECK_OK;
    }

    shown = prompt_fault_excerpt(check->arena, name);

    return provider_param_wrong(check, member, "is sent only where the "
                                "operator allows it: leave it out, or "
                                "have the provider's prompt_provider "
                                "say allow=", shown);
}


static prompt_check_t
provider_check_max_tokens(provider_params_t *check, const prompt_json_t *value)
{
    int64_t       n, most;
    prompt_str_t  number;

    most = check->rules->max_tokens;

    if (!prompt_json_integer(value, &n) || n <= 0) {
        return provider_param_wrong(check, value->name,
                                    "must be a positive integer",
                                    prompt_str(""));
    }

    if (most == 0 || n <= most) {
        return PROMPT_CHECK_OK;
    }

    number = prompt_arena_printf(check->arena, "%lld", (long long) most);

    return provider_param_wrong(check, value->name,
                                "must not be greater than the "
                                "max_tokens of the model's provider, ",
                                number);
}


/* what describes a tool that whoever asks runs himself */
static const prompt_str_t  provider_tool_members =
    prompt_str_init("type,function,custom,name,description,parameters,strict,"
                    "format,input_schema,cache_control,functionDeclarations");


/*
 * The provider's own tools reach elsewhere: each is named by its type, and what
 * it has; or, where it has no type, by its member alone.
 */
static prompt_check_t
provider_check_tool(provider_params_t *check, const prompt_json_t *tool)
{
    prompt_str_t          type;
    prompt_check_t        rc;
    const prompt_json_t  *member;

    type = prompt_provider_text_of(tool, "type");

    if (type.data != NULL
        && !prompt_provider_allows(prompt_str("function,custom"), type))
    {
        return provider_check_allowed(check, prompt_str("tools"), type);
    }

    rc = PROMPT_CHECK_OK;
    member = tool->type == PROMPT_JSON_OBJECT ? tool->first : NULL;

    while (member != NULL && rc == PROMPT_CHECK_OK) {
        if (!prompt_provider_allows(provider_tool_members, member->name)) {
            rc = provider_check_allowed(check, prompt_str("tools"),
                                        member->name);
        }

        member = member->next;
    }

    return rc;
}


static prompt_check_t
provider_check_tools(provider_params_t *check, const prompt_json_t *tools)
{
    prompt_check_t        rc;
    const prompt_json_t  *tool;

    /* some formats would make one of what is none */

    if (tools->type != PROMPT_JSON_ARRAY) {
        return provider_param_wrong(check, prompt_str("tools"),
                                    "must be an array", prompt_str(""));
    }

    rc = PROMPT_CHECK_OK;

    for (tool = tools->first;
         tool != NULL && rc == PROMPT_CHECK_OK;
         tool = tool->next)
    {
        rc = provider_check_tool(check, tool);
    }

    return rc;
}


static prompt_check_t
provider_check_param(provider_params_t *check, const prompt_json_t *value)
{
    const char                     *wrong;
    const prompt_provider_param_t  *param;

    param = prompt_provider_param(check->format->params, value->name);

    if (provider_is_max_tokens(check->rules->max_tokens_as, value->name, param))
    {
        return provider_check_max_tokens(check, value);
    }

    if (param == NULL || param->rule == PROMPT_PARAM_ALLOWED) {
        return provider_check_allowed(check, value->name, value->name);
    }

    if (param->rule == PROMPT_PARAM_REFUSED) {
        return provider_param_wrong(check, value->name,
                                    prompt_str_eq(check->at,
                                                  prompt_str("params"))
                                    ? "means nothing to this model's provider: "
                                      "leave it out; its format is "
                                    : "means nothing to this model's provider: "
                                      "make it null here; its format is ",
                                    check->format->name);
    }

    wrong = param->wrong != NULL ? param->wrong(value) : NULL;

    if (wrong != NULL) {
        return provider_param_wrong(check, value->name, wrong, prompt_str(""));
    }

    return prompt_str_eq(value->name, prompt_str("tools"))
           ? provider_check_tools(check, value) : PROMPT_CHECK_OK;
}


prompt_check_t
prompt_provider_check_params(prompt_arena_t *arena,
    const prompt_provider_format_t *format,
    const prompt_provider_rules_t *rules, prompt_str_t at,
    const prompt_json_t *params, prompt_fault_t *fault)
{
    prompt_check_t        rc;
    provider_params_t     check;
    const prompt_json_t  *value;

    check = (provider_params_t) { arena, format, rules, at, fault };
    rc = PROMPT_CHECK_OK;

    for (value = params->first;
         value != NULL && rc == PROMPT_CHECK_OK;
         value = value->next)
    {
        if (value->type != PROMPT_JSON_NULL
            && !prompt_str_eq(value->name, prompt_str("model"))
            && !prompt_str_eq(value->name, prompt_str("fallbacks")))
        {
            rc = provider_check_param(&check, value);
        }
    }

    return rc;
}
