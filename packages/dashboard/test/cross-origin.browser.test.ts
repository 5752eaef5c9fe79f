import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@svc/core';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { owner, stage, visit } from './support/visit.ts';

/** Opens a page of an application on its own origin. */
async function openPage(): Promise<{ readonly page: Page; readonly origin: string }> {
  const server = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>An application</title>'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const { page } = await visit(onTestFinished);
  await page.goto(origin);
  return { page, origin };
}

/** Runs a tool from a script of the page, with headers that need a CORS preflight request. */
const runTool = (page: Page, token: string) =>
  page.evaluate(
    async ({ url, body, token }) => {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      };
      try {
        const response = await fetch(url, { method: 'POST', headers, body });
        const requestId = response.headers.get('svc-request-id');
        return { status: response.status, code: response.headers.get('svc-error'), requestId };
      } catch (error) {
        return { failure: String(error) };
      }
    },
    {
      url: `${stage().url}/v1/tools/${stage().subjects.toolName}/execute`,
      token,
      body: JSON.stringify({
        connectionName: stage().subjects.connectionName,
        identifier: stage().subjects.identifier,
        toolInput: { search: 'Berlin' },
      }),
    },
  );

/** The API client of an application with an account, and the operator's API. */
async function openApplication() {
  const { call } = await owner();
  const { applicationId, identifier = '', toolName = '' } = stage().subjects;
  const below = `/applications/${applicationId}`;
  const { id, clientSecret } = await call<{ id: string; clientSecret: string }>(
    'POST',
    `${below}/client-secrets`,
  );
  onTestFinished(() => call('DELETE', `${below}/client-secrets/${id}`));
  const client = createClient({ environmentUrl: stage().url, clientId: applicationId, clientSecret });
  return { call, below, client, identifier, toolName };
}

test('T5: an account token works for a page of a registered origin, and other origins and tokens are rejected', async () => {
  const { call, below, client, identifier } = await openApplication();
  const { token } = await client.accountToken({ identifier });
  const [own, other] = [await openPage(), await openPage()];
  await call('PATCH', below, { origins: [own.origin] });

  const done = { status: 200, code: null, requestId: expect.stringMatching(/^req_/) };
  expect(await runTool(own.page, token)).toEqual(done);
  expect(await runTool(own.page, 'svc_nt_x')).toMatchObject({ status: 401, code: 'unauthorized' });
  expect(await runTool(other.page, token)).toEqual({ failure: 'TypeError: Failed to fetch' });
  const narrowed = await client.accountToken({ identifier, tools: [] });
  expect(await runTool(own.page, narrowed.token)).toMatchObject({ status: 403, code: 'not_permitted' });
});

/** Runs the first steps of an MCP client in a page: discovers the resource metadata and lists the tools. */
const openMcp = (page: Page, token: string) =>
  page.evaluate(
    async ({ url, token }) => {
      const post = (id: number, method: string, params: object, headers: Record<string, string>) =>
        fetch(`${url}/mcp`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'mcp-protocol-version': '2025-11-25',
            ...headers,
          },
          body: JSON.stringify({ jsonrpc: '2.0', id, method, params }),
        });
      try {
        const refused = await post(1, 'tools/list', {}, {});
        const challenge = refused.headers.get('www-authenticate') ?? '';
        const document = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '';
        // This header needs a CORS preflight request.
        const read = await fetch(document, { headers: { 'mcp-protocol-version': '2025-11-25' } });
        const { resource } = await read.json();
        const own = { authorization: `Bearer ${token}` };
        const params = {
          protocolVersion: '2025-11-25',
          capabilities: {},
          clientInfo: { name: 'page', version: '1' },
        };
        // The response is an event stream or plain JSON.
        const resultOf = async (response: Response) => {
          const text = await response.text();
          return JSON.parse(text.slice(text.indexOf('{'))).result;
        };
        const { serverInfo } = await resultOf(await post(2, 'initialize', params, own));
        const { tools } = await resultOf(
          await post(3, 'tools/list', {}, { ...own, 'mcp-method': 'tools/list' }),
        );
        return { resource, server: serverInfo.name, names: tools.map(({ name }: { name: string }) => name) };
      } catch (error) {
        return { failure: String(error) };
      }
    },
    { url: stage().url, token },
  );

test('E2: an MCP client in a page can list the tools only from a registered origin', async () => {
  const { client, below, call, identifier, toolName } = await openApplication();
  const { token } = await client.agentToken({ identifier, tools: [toolName], expiresIn: 600 });
  const [own, other] = [await openPage(), await openPage()];
  await call('PATCH', below, { origins: [own.origin] });
  expect(await openMcp(own.page, token)).toEqual({
    resource: `${stage().url}/mcp`,
    server: 'svc-server',
    names: [toolName],
  });
  expect(await openMcp(other.page, token)).toEqual({ failure: 'TypeError: Failed to fetch' });
});

test('D2: a site that opens the dashboard loses its reference to the window', async () => {
  const { page } = await openPage();
  const isLost = await page.evaluate(async (url) => {
    const opened = window.open(url);
    const until = performance.now() + 20_000;
    while (opened?.closed === false && performance.now() < until) await new Promise(requestAnimationFrame);
    return opened?.closed;
  }, `${stage().url}/dashboard`);
  expect(isLost).toBe(true);
});
