import { expect, test } from 'vitest';
import { createSealed, type Sealed } from '../../test/support/databases/create-sealed.js';
import { sealedCells } from '../../test/support/databases/sealed-cells.js';
import { createCore } from '../assembly/core.js';

/** Returns all ciphertexts in the database whose row id is `rowId`. The tests expect none after a deletion. */
const textsOf = async ({ database }: Sealed, rowId: string) =>
  (await sealedCells(database)).filter(({ location }) => location.rowId === rowId).map(({ text }) => text);

interface Deletion {
  readonly title: string;
  readonly rowOf: (sealed: Sealed) => Promise<string>;
  readonly remove: (sealed: Sealed, from: Pick<Sealed, 'accounts' | 'connections'>) => Promise<unknown>;
}

const DELETIONS: readonly Deletion[] = [
  {
    title: 'the access of an account',
    rowOf: async ({ row }) => (await row('ada')).id,
    remove: ({ applicationId }, { accounts }) =>
      accounts.revoke(applicationId, { connectionName: 'mail', identifier: 'ada' }),
  },
  {
    title: 'the pending consent of an account whose access ends',
    rowOf: async ({ applicationId }) => `pending_${applicationId}`,
    remove: ({ applicationId }, { accounts }) =>
      accounts.revoke(applicationId, { connectionName: 'keyed', identifier: 'ada' }),
  },
  {
    title: 'an account',
    rowOf: async ({ row }) => (await row('ada')).id,
    remove: ({ applicationId }, { accounts }) =>
      accounts.delete(applicationId, { connectionName: 'mail', identifier: 'ada' }),
  },
  {
    title: 'a connection',
    rowOf: async ({ connection }) => connection.id,
    remove: ({ applicationId }, { connections }) => connections.delete(applicationId, 'mail'),
  },
];

test.each(DELETIONS)('K7: deleting $title removes its ciphertext', async ({ rowOf, remove }) => {
  const sealed = await createSealed();
  const rowId = await rowOf(sealed);
  expect((await textsOf(sealed, rowId)).length).toBeGreaterThan(0);
  await remove(sealed, sealed);
  expect(await textsOf(sealed, rowId)).toEqual([]);
});

test.each(DELETIONS)(
  'K7: $title and its ciphertext are deleted in one transaction with their audit event',
  async ({ rowOf, remove }) => {
    const sealed = await createSealed();
    const { storage } = sealed;
    const rowId = await rowOf(sealed);
    const before = await textsOf(sealed, rowId);
    const refusing: typeof storage = {
      ...storage,
      transaction: (work) =>
        storage.transaction((tables) => {
          const insert = () => Promise.reject(new Error('the audit log is full'));
          return work({ ...tables, auditEvents: { ...tables.auditEvents, insert } });
        }),
    };
    const failing = createCore({ ...sealed.given, storage: refusing });
    await expect(remove(sealed, failing)).rejects.toThrow('the audit log is full');
    expect(await textsOf(sealed, rowId)).toEqual(before);
  },
);

test('K7: deleting an application deletes its data keys', async () => {
  const sealed = await createSealed();
  await sealed.keys.rotate(sealed.applicationId);
  expect(await sealed.storage.dataKeys.list(sealed.applicationId)).toHaveLength(2);
  await sealed.removeApplication(sealed.applicationId);
  expect(await sealed.storage.dataKeys.list(sealed.applicationId)).toEqual([]);
  const left = (await sealedCells(sealed.database)).map(({ location }) => location.applicationId);
  expect(new Set(left)).toEqual(new Set([sealed.other]));
});
