import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Application, signIn } from '../support/service/application.js';
import { connectAccount, type Service, startService } from '../support/service/service.js';

const ID = 'convintel';

let service: Service;
let owner: Application;
let accountId: string;
let webhookUrl: string;

beforeAll(async () => {
  service = await startService({ connectors: [ID] });
  owner = await signIn(service);
  accountId = (await connectAccount(service, ID)).id;
  const connection = await owner.call('GET', `/v1/connections/${ID}`);
  ({ webhookUrl } = connection.json<{ webhookUrl: string }>());
  const database = new Sqlite(path.join(service.data, 'svc.db'));
  database.exec(
    `create trigger refuse before update of upstream_id on webhook_subscriptions
     begin select raise(abort, 'The database refuses this change.'); end`,
  );
  database.close();
});

afterAll(() => service.stop());

const posts = async () =>
  (await service.sandbox.requests(ID)).filter(
    ({ method, path: requested }) => method === 'POST' && requested === '/webhooks',
  ).length;

test('a call that succeeded but cannot be recorded returns its result, and is not repeated', async () => {
  const create = (key: string) =>
    owner.call('POST', '/v1/tools/convintel_webhook_create/execute', {
      headers: { 'idempotency-key': key },
      body: {
        connectedAccountId: accountId,
        toolInput: { trigger: 'conversation_processed', url: webhookUrl },
      },
    });
  const first = await create('one');
  expect(first.status, first.text).toBe(500);
  expect(first.headers.get('retry-after')).toBeNull();
  const { error } = first.json<{ error: { message: string; details: Record<string, unknown> } }>();
  expect(error.message).toContain('Do not repeat the call.');
  expect(error.details).toMatchObject({ repeatable: false, progress: { data: { id: expect.any(String) } } });
  expect((await create('one')).text).toBe(first.text);
  expect(await posts()).toBe(1);
});
