import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { residentBytes } from '../support/processes/resident-bytes.js';
import { newSettings, startProcess } from '../support/processes/service-process.js';
import { fetchReply, signIn } from '../support/service/application.js';

const MIB = 1024 * 1024;
/** Memory in MiB for responses and large inputs together. One application alone may use half of it. */
const MEMORY_MIB = 64;
const CALLERS = 60;
const LARGE = 9 * MIB;

const BODY = Buffer.from(
  JSON.stringify({ connectedAccountId: 'acct_none', toolInput: { text: 'x'.repeat(LARGE - 100) } }),
);

test('F5: many simultaneous large inputs use little memory and do not block small calls', async () => {
  const settings = await newSettings({ env: { SVC_RESPONSE_MEMORY: String(MEMORY_MIB) } });
  const service = await startProcess(settings);
  onTestFinished(service.kill);
  const { accessToken } = await signIn(service);
  const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
  const url = `${service.url}/v1/tools/scrapermcp_call_actor/execute`;
  const before = residentBytes(service.pid);
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, residentBytes(service.pid));
  }, 20);
  onTestFinished(() => clearInterval(watch));

  const begun = Array.from({ length: CALLERS }, () => {
    const request = httpRequest(url, {
      method: 'POST',
      agent: false,
      headers: { ...headers, 'content-length': BODY.length },
    });
    request.on('error', () => undefined);
    // The last byte is not sent yet, so that the service keeps every accepted body in memory.
    request.write(BODY.subarray(0, -1));
    return { request, responding: once(request, 'response') as Promise<[IncomingMessage]> };
  });
  const small = JSON.stringify({ connectedAccountId: 'acct_none', toolInput: {} });
  expect((await fetchReply(url, { method: 'POST', headers, body: small })).status).toBe(404);
  for (const { request } of begun) request.end(BODY.subarray(-1));
  const statuses = await Promise.all(begun.map(async ({ responding }) => (await responding)[0].statusCode));

  const count = (status: number) => statuses.filter((one) => one === status).length;
  expect(count(404) + count(503)).toBe(CALLERS);
  expect(count(404)).toBeGreaterThan(0);
  expect(count(503)).toBeGreaterThan(CALLERS / 2);
  expect(most - before).toBeLessThan((CALLERS * LARGE) / 2);
}, 60_000);
