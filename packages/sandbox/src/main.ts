#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { startSandbox } from './start-sandbox.js';

const HELP = `svc-sandbox: emulated upstream services for development and tests

  --port <number>       port on 127.0.0.1 (4401)
  --redirect-uri <uri>  register a client with this redirect URI with every upstream, and print it; may be repeated
  --help                this text

Controls are under /_sandbox, see the README of @svc/sandbox.`;

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4401' },
    'redirect-uri': { type: 'string', multiple: true, default: [] },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  console.log(HELP);
} else {
  await run(Number(values.port), values['redirect-uri']);
}

async function run(port: number, redirectUris: readonly string[]): Promise<void> {
  const sandbox = await startSandbox({ port });
  for (const { id, title, baseUrl } of sandbox.upstreams) {
    console.log(`${title}: ${baseUrl}`);
    if (redirectUris.length === 0) continue;
    const { clientId, clientSecret } = await sandbox.registerClient(id, { redirectUris });
    console.log(`  client id: ${clientId}\n  client secret: ${clientSecret}`);
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void sandbox.stop());
}
