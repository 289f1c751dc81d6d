/*
 * The table of methods, and the documents that they ask.
 */

#include "mcp/ngx_http_prompt_mcp.h"

#include "conf/ngx_http_prompt_conf.h"
#include "mcp/ngx_http_prompt_mcp_impl.h"


#define PROMPT_MCP_GIVEN                                                     \
    "$promptId: ID!, $input: JSON!, $version: Int, $label: String"

#define PROMPT_MCP_TARGET                                                    \
    "promptId: $promptId, input: $input, version: $version, label: $label"

#define PROMPT_MCP_LISTED(members)                                           \
    "query ($first: Int, $after: ID) "                                       \
    "{ answer: prompts(first: $first, after: $after) { id name description " \
    "set: version(label: \"" PROMPT_NAMED_DEFAULT "\") { " members " } "     \
    "other: version { " members " } } }"

#define PROMPT_MCP_OUTPUT                                                    \
    "{ output outputJson outputErrors toolCalls { id name arguments } "      \
    "executionId version: versionUsed model finishReason costUsd latencyMs " \
    "tokenIn tokenOut }"


struct ngx_http_prompt_mcp_s {
    const ngx_http_prompt_compiled_t  *documents[PROMPT_MCP_DOCUMENTS];
};


static const char *const  prompt_mcp_documents[] = {

    [PROMPT_MCP_PROMPTS] = PROMPT_MCP_LISTED("inputSchema"),
    [PROMPT_MCP_TOOLS] = PROMPT_MCP_LISTED("inputSchema outputSchema"),

    [PROMPT_MCP_RENDER] =
        "query (" PROMPT_MCP_GIVEN ") "
        "{ answer: renderPrompt(" PROMPT_MCP_TARGET ") { messages "
        "{ role content images toolCalls { id name arguments } } } }",

    [PROMPT_MCP_SCHEMA] =
        "query ($promptId: String!, $version: Int, $label: String) "
        "{ answer: promptByName(name: $promptId) "
        "{ set: version(label: \"" PROMPT_NAMED_DEFAULT "\") { inputSchema } "
        "other: version(number: $version, label: $label) { inputSchema } } }",

    [PROMPT_MCP_RUN] =
        "mutation (" PROMPT_MCP_GIVEN ") "
        "{ answer: executePrompt(" PROMPT_MCP_TARGET ") " PROMPT_MCP_OUTPUT
        " }",

    [PROMPT_MCP_STREAM] =
        "subscription (" PROMPT_MCP_GIVEN ") "
        "{ answer: executePromptStream(" PROMPT_MCP_TARGET ") "
        "{ delta result " PROMPT_MCP_OUTPUT " } }"
};


static const prompt_mcp_method_t  prompt_mcp_methods[] = {

    { .name = prompt_str_init("server/discover"),
      .eras = PROMPT_MCP_MODERN, .list = 1,
      .write = prompt_mcp_discover },

    { .name = prompt_str_init("initialize"),
      .eras = PROMPT_MCP_LEGACY,
      .write = prompt_mcp_initialize },

    { .name = prompt_str_init("ping"),
      .eras = PROMPT_MCP_LEGACY,
      .write = prompt_mcp_ping },

    { .name = prompt_str_init("prompts/list"),
      .eras = PROMPT_MCP_MODERN|PROMPT_MCP_LEGACY, .list = 1,
      .document = PROMPT_MCP_PROMPTS, .scope = "read",
      .ask = prompt_mcp_page, .write = prompt_mcp_prompts },

    { .name = prompt_str_init("prompts/get"),
      .eras = PROMPT_MCP_MODERN|PROMPT_MCP_LEGACY, .named = 1,
      .document = PROMPT_MCP_RENDER, .scope = "read",
      .ask = prompt_mcp_get, .write = prompt_mcp_got },

    { .name = prompt_str_init("completion/complete"),
      .eras = PROMPT_MCP_MODERN|PROMPT_MCP_LEGACY,
      .document = PROMPT_MCP_SCHEMA, .scope = "read",
      .ask = prompt_mcp_complete, .write = prompt_mcp_completed },

    { .name = prompt_str_init("tools/list"),
      .eras = PROMPT_MCP_MODERN|PROMPT_MCP_LEGACY, .list = 1,
      .document = PROMPT_MCP_TOOLS, .scope = "read",
      .ask = prompt_mcp_page, .write = prompt_mcp_tools },

    { .name = prompt_str_init("tools/call"),
      .eras = PROMPT_MCP_MODERN|PROMPT_MCP_LEGACY, .named = 1,
      .document = PROMPT_MCP_RUN, .stream = PROMPT_MCP_STREAM,
      .scope = "execute",
      .ask = prompt_mcp_run, .write = prompt_mcp_ran,
      .failed = prompt_mcp_run_failed },

    { .eras = 0 }
};


ngx_int_t
ngx_http_prompt_mcp_configure(ngx_conf_t *cf,
    ngx_http_prompt_main_conf_t *pmcf)
{
    ngx_uint_t  i;

    pmcf->mcp = ngx_pcalloc(cf->pool, sizeof(struct ngx_http_prompt_mcp_s));
    if (pmcf->mcp == NULL) {
        return NGX_ERROR;
    }

    for (i = PROMPT_MCP_NOTHING + 1; i < PROMPT_MCP_DOCUMENTS; i++) {
        pmcf->mcp->documents[i] =
            ngx_http_prompt_operation_compile(cf, prompt_mcp_documents[i]);

        if (pmcf->mcp->documents[i] == NULL) {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


const prompt_mcp_method_t *
prompt_mcp_method(const prompt_mcp_call_t *call)
{
    const prompt_mcp_method_t  *method;

    for (method = prompt_mcp_methods; method->eras != 0; method++) {
        if ((method->eras & call->era) != 0
            && prompt_str_eq(method->name, call->wanted))
        {
            return method;
        }
    }

    return NULL;
}


const ngx_http_prompt_compiled_t *
prompt_mcp_document(ngx_http_request_t *r, prompt_mcp_document_e document)
{
    ngx_http_prompt_main_conf_t  *pmcf;

    pmcf = ngx_http_get_module_main_conf(r, ngx_http_prompt_module);

    return pmcf->mcp->documents[document];
}
