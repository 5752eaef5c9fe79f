#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { startSandbox } from './start-sandbox.js';

const HELP = `svc-sandbox: emulated upstream services for development and tests

  --port <number>       port on 127.0.0.1 (default: 4401)
  --redirect-uri <uri>  register a client with this redirect URI at every upstream, and print it; may be repeated
  --grant-file <path>   store grants and tokens in this file, so that accounts survive a restart
  --help, -h            print this text

The controls are under /_sandbox. The README of @svc/sandbox describes them.`;

const OPTIONS = {
  port: { type: 'string', default: '4401' },
  'redirect-uri': { type: 'string', multiple: true },
  'grant-file': { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

function readOptions() {
  try {
    return parseArgs({ options: OPTIONS }).values;
  } catch (error) {
    // Drops the other sentences of the parser's message, because they describe arguments that this command does not have.
    const [problem] = String(error instanceof Error ? error.message : error).split(/\.(?:\s|$)/);
    throw new Error(`${problem}. \`svc-sandbox --help\` lists the options.`, { cause: error });
  }
}

async function main(): Promise<void> {
  const values = readOptions();
  if (values.help) return console.log(HELP);
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`"${values.port}" is not a port. Give --port a whole number from 0 to 65535.`);
  await run(port, values['redirect-uri'] ?? [], values['grant-file']);
}

async function run(onPort: number, redirectUris: readonly string[], grantFile?: string): Promise<void> {
  const sandbox = await startSandbox({ port: onPort, ...(grantFile !== undefined && { grantFile }) });
  for (const { id, title, baseUrl, hosts = {}, authorizationEndpoint } of sandbox.upstreams) {
    console.log(`${title}: ${baseUrl}`);
    for (const [name, url] of Object.entries(hosts)) console.log(`  ${name}: ${url}`);
    if (authorizationEndpoint === undefined) console.log('  accepts any key that begins with sandbox-');
    if (authorizationEndpoint === undefined || redirectUris.length === 0) continue;
    const { clientId, clientSecret } = await sandbox.registerClient(id, { redirectUris });
    console.log(`  client id: ${clientId}\n  client secret: ${clientSecret}`);
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.once(signal, () => void sandbox.stop());
}
