/*
 * Requests to the endpoint, which is the only thing that the page speaks to.
 */

const ENDPOINT = document.querySelector('meta[name=prompt-endpoint]').content;

const ACCEPT = 'application/graphql-response+json, application/json;q=0.9';


/*
 * The body of a request.  The variables go out as they were written, so that
 * their numbers keep every digit.
 */

function requestBody(query, variables, operation) {
    let body = `{"query":${JSON.stringify(query)}`;

    if (variables.trim() !== '') {
        body += `,"variables":${variables.trim()}`;
    }

    if (operation) {
        body += `,"operationName":${JSON.stringify(operation)}`;
    }

    return `${body}}`;
}


/* { status, ok, ms, text, json }, json only where it is; or throws */

async function send(key, body, signal) {
    const began = performance.now();
    const response = await fetch(ENDPOINT, {
        method: 'POST',
        headers: {
            'Content-Type': 'application/json',
            Accept: ACCEPT,
            ...(key ? { Authorization: `Bearer ${key}` } : {}),
        },
        body,
        signal,
        cache: 'no-store',
        credentials: 'same-origin',
        redirect: 'error',
        referrerPolicy: 'no-referrer',
    });
    const text = await response.text();
    const ms = performance.now() - began;
    let json;

    if (/\bjson\b/.test(response.headers.get('Content-Type') || '')) {
        try {
            json = JSON.parse(text);
        } catch {
            /* shown as it is */
        }
    }

    return { status: response.status, ok: response.ok, ms, text, json };
}


/* the same request for a terminal; the key is left to the environment */

function curlCommand(query, variables, operation) {
    const quote = (text) => `'${text.replace(/'/g, '\'\\\'\'')}'`;

    return [
        `curl -sS ${quote(new URL(ENDPOINT, location.href).href)}`,
        '-H "Authorization: Bearer $PROMPT_API_KEY"',
        '-H \'Content-Type: application/json\'',
        `--data-binary ${quote(requestBody(query, variables, operation))}`,
    ].join(' \\\n  ');
}
