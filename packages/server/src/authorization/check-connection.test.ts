import { expect, test } from 'vitest';
import { createDiscovered } from '../../test/support/service/create-discovered.js';

test('the check of a refused registered client does not mention the settings of the connection', async () => {
  const { checkConnection, applicationId, upstream, registrations, connect } = await createDiscovered();
  await connect('ada');
  upstream.script(() => ({ status: 401, body: { error: 'invalid_client' } }));
  const { isWorking, steps } = await checkConnection(applicationId, 'mail');
  expect(isWorking).toBe(false);
  expect(steps.at(-1)).toMatchObject({
    name: 'client',
    result: 'failed',
    message: expect.stringMatching(/client that the service registered/),
  });
  expect(JSON.stringify(steps)).not.toContain('console');
  expect(registrations()).toBe(1);
});
