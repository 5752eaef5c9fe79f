import { startSandbox } from '@svc/sandbox';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listFor } from '../support/service/allowed-origins.js';
import { type Application, signIn } from '../support/service/application.js';
import { type Service, startService } from '../support/service/service.js';
import { type Documents, startDocuments } from '../support/upstreams/documents.js';

let documents: Documents;
/**
 * Target of the redirects. Its origin is allowed, so only the redirect rule can stop the service from sending there.
 */
let target: Documents;
let service: Service;
let call: Application['call'];

beforeAll(async () => {
  [documents, target] = await Promise.all([startDocuments(), startDocuments()]);
  const sandbox = await startSandbox({ connectors: [] });
  const origins = listFor(['notesmcp'], [documents.origin, target.origin]);
  service = await startService({ sandbox, flags: ['--allowed-origins', origins] });
  ({ call } = await signIn(service));
});

afterAll(async () => {
  await service.stop();
  documents.stop();
  target.stop();
});

beforeEach(() => {
  documents.describe();
  target.describe();
});

let connections = 0;

/** Requests an authorization link for a new connection, which makes the service register an OAuth client first. */
async function requestLink() {
  connections += 1;
  const connectionName = `found-${connections}`;
  const baseUrl = `${documents.origin}/${connections}`;
  const created = await call('POST', '/v1/connections', {
    body: { connectionName, connector: 'notesmcp', baseUrl },
  });
  expect(created.status).toBe(201);
  return call('POST', `/v1/connections/${connectionName}/accounts/ada/authorization-link`, { body: {} });
}

const registrationsAt = ({ requests }: Documents) => requests.filter(({ url }) => url === '/register').length;

test('O12: a registration without a redirect takes one request', async () => {
  expect((await requestLink()).status).toBe(200);
  expect([registrationsAt(documents), target.requests.length]).toEqual([1, 0]);
});

test.each([301, 302, 303, 307, 308])(
  'O12: a registration that is redirected with %i fails and is not repeated',
  async (status) => {
    documents.set('/register', { status, location: `${target.origin}/register` });
    const refused = await requestLink();
    expect([refused.status, refused.headers.get('svc-error')]).toEqual([409, 'connection_not_configured']);
    expect(registrationsAt(documents)).toBe(1);
    expect(target.requests).toEqual([]);
    expect(refused.text).not.toContain(target.origin);
  },
);
