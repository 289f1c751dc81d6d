// The official client, pinned to 2026-07-28.

import { Client, StreamableHTTPClientTransport }
    from '@modelcontextprotocol/client';
import { headers, run } from './check.mjs';

const client = new Client({ name: 'test', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } });

await client.connect(new StreamableHTTPClientTransport(
    new URL(process.argv[2]), { requestInit: { headers } }));
await run(client, 'latest');
