import { expect, test } from 'vitest';
import { openTestDatabase } from '../../test/support/test-database.js';
import { createStorage } from './storage.js';

test('a row that belongs to something deleted is a conflict, and no fault of the service', async () => {
  const { database } = await openTestDatabase();
  const { accessTokens } = createStorage(database);
  const token = { digest: 'd', applicationId: 'app_gone', clientSecretId: 'secret_gone', expiresAt: 1 };
  await expect(accessTokens.insert(token)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.not.stringMatching(/constraint|foreign|access_tokens/i),
  });
});
