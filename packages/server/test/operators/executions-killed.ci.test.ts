import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GatedService, startGatedService } from '../support/processes/gated-service.js';
import { connectAccount } from '../support/service/service.js';

/** Documented interval between two writes of execution records. */
const INTERVAL_MS = 100;
/** Time that a busy machine may need for a write. A kill must not lose more than the interval and this time. */
const WRITE_MS = 400;
const CALLS_FOR_MS = 900;

let service: GatedService;
beforeAll(async () => {
  service = await startGatedService(['calendar']);
});
afterAll(() => service.stop());

interface Page {
  readonly items: readonly { readonly id: string; readonly requestId: string }[];
  readonly nextPageToken?: string;
}

async function recordedRequests(accountId: string): Promise<ReadonlySet<string>> {
  const requests = new Set<string>();
  for (let token = ''; ; ) {
    const query = new URLSearchParams({ accountId, pageSize: '50', ...(token && { pageToken: token }) });
    const page = (await service.application.call('GET', `/v1/executions?${query}`)).json<Page>();
    for (const { requestId } of page.items) requests.add(requestId);
    if (page.nextPageToken === undefined) return requests;
    token = page.nextPageToken;
  }
}

test('kill -9 loses only the records of the last 100 ms, in order', { timeout: 60_000 }, async () => {
  const { id: connectedAccountId } = await connectAccount(service, 'calendar');
  const body = { connectedAccountId, toolInput: {} };
  const finished: { readonly requestId: string; readonly at: number }[] = [];
  const first = performance.now();
  while (performance.now() - first < CALLS_FOR_MS) {
    const reply = await service.application.call('POST', '/v1/tools/calendar_list_calendars/execute', {
      body,
    });
    expect(reply.status).toBe(200);
    finished.push({ requestId: `${reply.headers.get('svc-request-id')}`, at: performance.now() });
  }
  const killed = performance.now();
  await service.crash();

  const recorded = await recordedRequests(connectedAccountId);
  const lost = finished.filter(({ requestId }) => !recorded.has(requestId));
  expect(recorded.size).toBeGreaterThan(0);
  expect(finished.slice(finished.length - lost.length)).toEqual(lost);
  expect(lost.filter(({ at }) => killed - at > INTERVAL_MS + WRITE_MS)).toEqual([]);
});
