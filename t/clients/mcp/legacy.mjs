// The official client of the revisions before, which begins with initialize.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport }
    from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { check, headers, run } from './check.mjs';

const client = new Client({ name: 'test', version: '1' });

await client.connect(new StreamableHTTPClientTransport(
    new URL(process.argv[2]), { requestInit: { headers } }));
await check('ping', () => client.ping());
await run(client, 'legacy');
