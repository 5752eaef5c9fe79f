import { expect, test } from 'vitest';
import { createTenant } from '../../test/support/service/create-tenant.js';
import { createSandboxConnections, type ReadSandboxSettings } from './sandbox-connections.js';

const NEW = { connectionName: 'mail-test', connector: 'mail' };

const failing: ReadSandboxSettings = () => Promise.reject(new Error('The sandbox has stopped.'));

test.each([
  { title: 'does not run', readSandboxSettings: undefined, message: 'No running sandbox emulates "mail"' },
  {
    title: 'does not emulate the connector',
    readSandboxSettings: async () => undefined,
    message: 'No running sandbox emulates "mail"',
  },
  { title: 'fails', readSandboxSettings: failing, message: 'The sandbox has stopped.' },
])('leaves no connection if the sandbox $title', async ({ readSandboxSettings, message }) => {
  const { applicationId, connections } = await createTenant();
  const create = createSandboxConnections({ connections, readSandboxSettings });
  await expect(create(applicationId, NEW)).rejects.toThrow(message);
  await expect(connections.get(applicationId, NEW.connectionName)).rejects.toMatchObject({
    code: 'connection_not_found',
  });
});

test('keeps an existing connection of the same name', async () => {
  const { applicationId, connections } = await createTenant();
  await connections.create(applicationId, NEW);
  const create = createSandboxConnections({ connections, readSandboxSettings: failing });
  await expect(create(applicationId, NEW)).rejects.toMatchObject({ code: 'conflict' });
  expect(await connections.get(applicationId, NEW.connectionName)).toMatchObject(NEW);
});
