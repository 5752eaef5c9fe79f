import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Application, fetchReply, signIn } from '../support/service/application.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

const SOURCE = path.join(import.meta.dirname, '../../src');
const ARCHITECTURE = readFileSync(path.join(SOURCE, '../../docs/architecture.md'), 'utf8');

/** Source folders that the map does not list: shared ones, and ones that write in the background during a request. */
const LEFT_OUT = ['assembly', 'concurrency', 'log', 'names', 'records', 'storage', 'text'];

/**
 * Files that run in the background: a database write reads the caller's address for its actor, and is timed; stored
 * executions may cause events.
 */
const BACKGROUND_FILES = [
  'events/deliver-due.ts',
  'events/service-events.ts',
  'events/wanted-events.ts',
  'health/statement-times.ts',
  'listener/networks.ts',
];

/** Files that change Node.js sockets. They do not run with `SVC_PLAIN_RUNTIME=1`. */
const SOCKET_FILES = process.env['SVC_PLAIN_RUNTIME'] === '1' ? ['http/read-after-failed-write.ts'] : [];

const KINDS = ['GET', 'tool', 'MCP'] as const;
type RequestKind = (typeof KINDS)[number];

/** Returns the files that the map in docs/architecture.md lists for a kind of request. */
function filesOnMap(kind: RequestKind): string[] {
  const rows = [...ARCHITECTURE.matchAll(/^\| [\w ,]*\| ([\w, ]+) \| (`[a-z/-]+`(?:, `[a-z/-]+`)*) \|$/gm)];
  const ofKind = rows.filter(
    ([, requests = '']) => requests === 'all' || requests.split(', ').includes(kind),
  );
  return ofKind.flatMap(([, , cell = '']) => cell.split(', ').map((name) => `${name.slice(1, -1)}.ts`));
}

const WARM_CALLS = 3;
const COUNTED_CALLS = 3;

/**
 * Returns the source files that run in every counted call, according to V8. Warm-up calls load and cache everything
 * first.
 */
async function ranDuring(call: () => Promise<unknown>): Promise<string[]> {
  for (let warm = 0; warm < WARM_CALLS; warm += 1) await call();
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const runs: string[][] = [];
  while (runs.length < COUNTED_CALLS) {
    await call();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const ran = result.filter(({ functions }) =>
      functions.some(({ ranges: [range] }) => range && range.count > 0),
    );
    const files = ran.map(({ url }) => (url.startsWith('file:') ? fileURLToPath(url) : url));
    runs.push(files.filter((file) => file.startsWith(SOURCE)).map((file) => path.relative(SOURCE, file)));
  }
  session.disconnect();
  // Returns only the files that ran in every call, because a timer of the service may run other files during one call.
  const [first = [], ...others] = runs;
  return first.filter((file) => others.every((run) => run.includes(file)));
}

let service: Service;
let application: Application;
let agentToken = '';
let account: Awaited<ReturnType<typeof connectAccount>>;

beforeAll(async () => {
  service = await startService({ connectors: ['convintel'] });
  account = await connectAccount(service, 'convintel');
  application = await signIn(service);
  const { identifier } = account;
  agentToken = (await service.svc.agentToken({ identifier, connections: ['convintel'], expiresIn: 3600 }))
    .token;
});

afterAll(() => service.stop());

const TOOL = 'convintel_users_list';

const CALLS: Readonly<Record<RequestKind, () => Promise<{ readonly status: number }>>> = {
  GET: () => application.call('GET', `/v1/proxy/${account.connectionName}/${account.identifier}/getUsers`),
  tool: () => {
    const body = { connectedAccountId: account.id, toolInput: {} };
    return application.call('POST', `/v1/tools/${TOOL}/execute`, { body });
  },
  MCP: () => {
    const params = { name: TOOL, arguments: {} };
    return fetchReply(`${service.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${agentToken}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
  },
};

test.each(KINDS)(
  'the map in docs/architecture.md names the files that a warm request runs: %s',
  async (kind) => {
    const onMap = filesOnMap(kind);
    const ran = await ranDuring(async () => expect((await CALLS[kind]()).status).toBe(200));
    const isLeftOut = (file: string) =>
      !file.includes('/') || LEFT_OUT.includes(file.split('/')[0] ?? '') || BACKGROUND_FILES.includes(file);
    expect({
      listedAndDidNotRun: onMap.filter((file) => !ran.includes(file) && !SOCKET_FILES.includes(file)),
      ranAndIsNotListed: ran.filter((file) => !isLeftOut(file) && !onMap.includes(file)).sort(),
    }).toEqual({ listedAndDidNotRun: [], ranAndIsNotListed: [] });
  },
);
