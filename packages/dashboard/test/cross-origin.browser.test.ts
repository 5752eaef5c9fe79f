import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@svc/core';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { owner, stage, visit } from './support/visit.ts';

/** A page of an application, on an origin of its own. */
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

/** Runs a tool as a script of the page does, with headers that a browser asks for first. */
const runTool = (page: Page, token: string) =>
  page.evaluate(
    async ({ url, body, token }) => {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      };
      try {
        const answer = await fetch(url, { method: 'POST', headers, body });
        const requestId = answer.headers.get('svc-request-id');
        return { status: answer.status, code: answer.headers.get('svc-error'), requestId };
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

test('T5: a page of a registered origin calls with a token of its user; another page and another token get nothing', async () => {
  const { call } = await owner();
  const { applicationId, identifier = '' } = stage().subjects;
  const below = `/applications/${applicationId}`;
  const { id, clientSecret } = await call<{ id: string; clientSecret: string }>(
    'POST',
    `${below}/client-secrets`,
  );
  onTestFinished(() => call('DELETE', `${below}/client-secrets/${id}`));
  const client = createClient({ environmentUrl: stage().url, clientId: applicationId, clientSecret });
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
