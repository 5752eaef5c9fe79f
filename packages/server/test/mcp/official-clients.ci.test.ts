import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { loadCatalog } from '@svc/catalog';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mintToken } from '../support/mcp/agent.js';
import { CALLS } from '../support/mcp/calls.js';
import type { Client } from '../support/mcp/clients/client.js';
import { isFull } from '../support/runner/rounds.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

const FOLDER = fileURLToPath(new URL('../support/mcp/clients/', import.meta.url));
const CLIENTS = ['ai-sdk', 'claude-agent-sdk', 'inspector', 'openai-agents'];
const catalog = loadCatalog();

// Removes request IDs, because each call has a new one.
const withoutRandom = (text: string): string => text.replaceAll(/"request_?id":"[^"]*"/gi, '"requestId":""');

/** Finds every JSON object text in a client's result, however the client wraps it. */
function jsonIn(result: unknown): readonly string[] {
  const texts: string[] = [];
  JSON.stringify(result, (_key, value: unknown) => {
    if (typeof value === 'string' && value.startsWith('{')) texts.push(withoutRandom(value));
    return value;
  });
  return texts;
}

describe.runIf(isFull)('clients of popular packages', () => {
  let service: Service;
  let token: string;

  beforeAll(async () => {
    const options = ['install', '--frozen-lockfile', '--ignore-scripts'];
    const { status, stdout, stderr } = spawnSync('pnpm', options, { cwd: FOLDER, encoding: 'utf8' });
    expect(status, stdout + stderr).toBe(0);
    service = await startService();
    for (const { connector } of CALLS) await connectAccount(service, connector);
    token = await mintToken(service);
  }, 300_000);

  afterAll(() => service.stop());

  test('compile against their types', () => {
    const { stdout } = spawnSync('tsc', ['-p', FOLDER], { encoding: 'utf8' });
    expect(stdout).toBe('');
  });

  describe.each(CLIENTS)('%s', (file) => {
    test.each(CALLS)('lists and calls tools of $connector', async ({ connector, name, input }) => {
      const { client }: { client: Client } = await import(`../support/mcp/clients/${file}.ts`);
      const { names, result } = await client({ url: `${service.url}/mcp/${connector}`, token, name, input });
      const own = [...catalog.tools.values()].filter((tool) => tool.connector === connector);
      expect(names).toEqual(expect.arrayContaining(own.map((tool) => tool.name)));
      const call = { connectionName: connector, identifier: 'user_42', toolName: name, toolInput: input };
      const { data } = await service.svc.executeTool(call);
      expect(jsonIn(result)).toContain(withoutRandom(JSON.stringify(data)));
    });
  });
});
