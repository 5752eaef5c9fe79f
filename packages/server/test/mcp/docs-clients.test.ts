import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectAgent, mintToken } from '../support/mcp/agent.js';
import { signIn } from '../support/service/application.js';
import { type Service, startService } from '../support/service/service.js';

const readPage = (name: string): string =>
  readFileSync(new URL(`../../../docs/guides/${name}.md`, import.meta.url), 'utf8');
const page = readPage('mcp');
const blocks = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) => JSON.parse(json));

let service: Service;

beforeAll(async () => {
  service = await startService({ connectors: ['calendar'] });
});

afterAll(() => service.stop());

test.each([
  { host: 'Cursor', server: blocks[0].mcpServers.svc },
  { host: 'VS Code', server: blocks[1].servers.svc },
])('the configuration for $host in docs/guides/mcp.md connects and lists tools', async ({ server }) => {
  expect(server.headers.Authorization).toMatch(/^Bearer \$\{.+\}$/);
  const { pathname } = new URL(server.url);
  const client = await connectAgent(service, { token: await mintToken(service), path: pathname });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('calendar_list_calendars');
  await client.close();
});

test('the command in docs/guides/mcp.md names the endpoint', () => {
  expect(page).toContain('http://localhost:4400/mcp --header "Authorization: Bearer $SVC_AGENT_TOKEN"');
});

test('the service accepts the commands in docs/guides/mcp-clients.md', async () => {
  const commands = readPage('mcp-clients').matchAll(
    /(?:-X (PUT) )?http:\/\/localhost:4400(\/v1\/agent-\S+).*?-d '(.*?)'$/gms,
  );
  const { call } = await signIn(service);
  const statuses = [];
  for (const [, method = 'POST', path = '', body = ''] of commands)
    statuses.push([path, (await call(method, path, { body: JSON.parse(body) })).status]);
  expect(statuses).toEqual([
    ['/v1/agent-access', 200],
    ['/v1/agent-clients', 201],
  ]);
});
