import { expect, test } from 'vitest';
import { createServiceParts } from '../../test/support/service/service-parts.js';
import type { Caller } from '../caller.js';
import { createCommit } from '../records/commit.js';
import { createSignInRefusals } from './sign-in-refusals.js';

async function createRefusals() {
  const parts = await createServiceParts();
  const state = { address: '192.0.2.1', isDown: false };
  const caller = (): Caller => ({
    actor: 'user',
    applicationId: null,
    requestId: 'req_1',
    address: state.address,
  });
  const commit = createCommit({ ...parts, caller });
  const refusals = createSignInRefusals({
    commit: (work) => (state.isDown ? Promise.reject(new Error('down')) : commit(work)),
    caller,
  });
  const events = async () => {
    const events = await parts.storage.auditEvents.list({ limit: 1000 });
    return events.filter(({ action }) => action === 'operator.sign_in_refused');
  };
  /** Counts refusals. A row whose reason ends with ", 5 more" stands for five refusals. */
  const sum = async () =>
    (await events()).reduce((total, { reason }) => {
      const [, more] = /, (\d+) more$/.exec(reason ?? '') ?? [];
      return total + Number(more ?? 1);
    }, 0);
  return { ...parts, state, refusals, events, sum };
}

const UNKNOWN = { reason: 'unknown name' } as const;
const WRONG = { object: 'op_1', reason: 'wrong password' } as const;

test('L2: the first of many refused sign-ins is recorded at once, and the others as a count', async () => {
  const { refusals, state, events, clock } = await createRefusals();
  for (let index = 0; index < 30; index += 1) await refusals.record(WRONG);
  expect((await events()).map(({ reason }) => reason)).toEqual(['wrong password']);
  state.address = '198.51.100.7';
  clock.advance(1);
  await refusals.record(UNKNOWN);
  clock.advance(1);
  await refusals.write();
  const by = { actor: 'user', result: 'refused', requestId: 'req_1' };
  expect(await events()).toMatchObject([
    { ...by, object: 'op_1', address: '192.0.2.1', reason: 'wrong password' },
    { ...by, object: 'unknown', address: '198.51.100.7', reason: 'unknown name' },
    { ...by, object: 'op_1', address: '192.0.2.1', reason: 'wrong password, 29 more' },
  ]);
  await refusals.write();
  expect(await events()).toHaveLength(3);
  await refusals.record(WRONG);
  expect(await events()).toHaveLength(4);
});

test('L2: refusals from many addresses write few rows whose counts are complete', async () => {
  const { refusals, state, events, sum, clock } = await createRefusals();
  for (let index = 0; index < 1000; index += 1) {
    state.address = `10.0.${index >> 8}.${index & 255}`;
    await refusals.record(UNKNOWN);
    await refusals.record(UNKNOWN);
  }
  clock.advance(1);
  await refusals.write();
  expect((await events()).length).toBeLessThanOrEqual(202);
  expect(await sum()).toBe(2000);
  expect((await events()).filter(({ address }) => address === null)).toMatchObject([
    { object: 'unknown', reason: 'many addresses' },
    { object: 'unknown', reason: 'many addresses, 1799 more' },
  ]);
});

test('L2: an IPv6 network counts as one address', async () => {
  const { refusals, state, events } = await createRefusals();
  for (let index = 0; index < 10; index += 1) {
    state.address = `2001:db8::${index}`;
    await refusals.record(UNKNOWN);
  }
  expect(await events()).toHaveLength(1);
});

test('L1: refusals that the database cannot store are written as soon as it is back', async () => {
  const { refusals, state, events, sum } = await createRefusals();
  state.isDown = true;
  await expect(refusals.record(WRONG)).rejects.toThrow('down');
  state.isDown = false;
  await refusals.record(WRONG);
  expect(await events()).toHaveLength(1);
  await Promise.all(Array.from({ length: 9 }, () => refusals.record(WRONG)));
  state.isDown = true;
  await expect(refusals.write()).rejects.toThrow('down');
  await refusals.record(WRONG);
  state.isDown = false;
  await refusals.write();
  expect(await sum()).toBe(11);
});
