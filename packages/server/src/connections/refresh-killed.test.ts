import { describe, expect, test } from 'vitest';
import { type Connected, createConnected, HOUR_MS } from '../../test/support/service/create-connected.js';
import type { Tenant } from '../../test/support/service/create-tenant.js';
import { createCore } from '../assembly/core.js';

/**
 * Creates the components of a new process after the first process was killed. Waits until the killed process could no
 * longer be working on a refresh.
 */
async function restart({ given, resolved, clock }: Connected) {
  const core = createCore(given);
  if (given.lock.graceMs === 0) return core;
  await core.credentials.current(resolved).catch(() => undefined);
  clock.advance(given.lock.graceMs);
  return core;
}

interface Kill {
  readonly title: string;
  /** Creates an instance whose next token refresh stops at one step, as if its process had been killed. */
  readonly kill: (tenant: Tenant) => ReturnType<typeof createCore>;
  /** True if the upstream has issued a refresh token that was never stored. */
  readonly isLost: boolean;
}

const die = (): never => {
  throw new Error('killed');
};

const dying = (
  { given }: Tenant,
  accounts: Partial<Tenant['storage']['accounts']>,
  spool: Partial<Tenant['spool']> = {},
) =>
  createCore({
    ...given,
    spool: { ...given.spool, ...spool },
    storage: { ...given.storage, accounts: { ...given.storage.accounts, ...accounts } },
  });

const KILLS: readonly Kill[] = [
  {
    title: 'before the intent',
    kill: (tenant) => dying(tenant, { markRefresh: async () => die() }),
    isLost: false,
  },
  {
    title: 'after the intent',
    kill: (tenant) => createCore({ ...tenant.given, fetch: async () => die() }),
    isLost: false,
  },
  {
    title: 'after the request',
    kill: (tenant) => {
      tenant.upstream.script(() => 'lose');
      return createCore(tenant.given);
    },
    isLost: true,
  },
  {
    title: 'after the response',
    kill: (tenant) => dying(tenant, { change: async () => die() }, { write: async () => die() }),
    isLost: true,
  },
  {
    title: 'after the commit',
    kill: (tenant) => {
      const { change } = tenant.given.storage.accounts;
      const changing = async (...values: Parameters<typeof change>) => {
        await change(...values);
        return die();
      };
      return dying(tenant, { change: changing }, { write: async () => die() });
    },
    isLost: false,
  },
];

describe.each(KILLS)('R4: a process killed $title', ({ kill, isLost }) => {
  test.each([{ rotates: true }, { rotates: false }])(
    'is succeeded by a process that continues as far as possible ($rotates)',
    async ({ rotates }) => {
      const tenant = await createConnected({ rotates });
      const { resolved, refreshes, clock, account } = tenant;
      clock.advance(HOUR_MS);
      await expect(kill(tenant).credentials.current(resolved)).rejects.toThrow();
      const before = refreshes().length;
      const { credentials } = await restart(tenant);

      if (!isLost || !rotates) {
        expect((await credentials.current(resolved)).secret.reveal()).toMatch(/^access-ada-/);
        expect(await account('ada')).toMatchObject({ status: 'authorized' });
        return;
      }
      for (let times = 0; times < 3; times += 1) {
        await expect(credentials.current(resolved)).rejects.toMatchObject({
          code: 'account_not_authorized',
          details: { statusReason: 'refresh_outcome_unknown' },
        });
      }
      expect(refreshes()).toHaveLength(before + 1);
    },
  );
});

test('R4: a rate limit after an unknown outcome keeps the outcome unknown', async () => {
  const tenant = await createConnected();
  const { credentials, resolved, clock, upstream, account } = tenant;
  clock.advance(HOUR_MS);
  upstream.script(
    () => 'lose',
    () => ({ status: 429 }),
  );
  await expect(credentials.current(resolved)).rejects.toMatchObject({ code: 'unavailable' });
  clock.advance(1000);
  await expect(credentials.current(resolved)).rejects.toMatchObject({ code: 'unavailable' });
  clock.advance(2000);
  await expect(credentials.current(resolved)).rejects.toMatchObject({ code: 'account_not_authorized' });
  expect(await account('ada')).toMatchObject({ statusReason: 'refresh_outcome_unknown' });
});
