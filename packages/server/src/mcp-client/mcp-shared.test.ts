import { expect, test } from 'vitest';
import { startMcp } from '../../test/support/upstreams/start-mcp.js';

const count = (methods: readonly string[], method: string) => methods.filter((one) => one === method).length;

test.each([
  { title: 'with sessions', isStateless: false },
  { title: 'without sessions', isStateless: true },
])('a shared session setup continues when the first caller disconnects ($title)', async (server) => {
  const { open, methods } = await startMcp(server);
  const leaving = new AbortController();
  const first = open('acct_1', { signal: leaving.signal });
  const aborted = expect(first.call('echo', {})).rejects.toMatchObject({ details: { reason: 'aborted' } });
  const others = [open().call('echo', {}), open().tools(), open('acct_2').tools()];
  leaving.abort();
  await aborted;
  await Promise.all(others);
  expect(count(methods(), 'tools/call')).toBe(1);
  expect(count(methods(), 'tools/list')).toBe(1);
});

test('a shared tool list is completed when the first caller disconnects', async () => {
  const { open } = await startMcp();
  const leaving = new AbortController();
  const first = open('acct_1', { signal: leaving.signal }).tools();
  const second = open('acct_2').tools();
  leaving.abort();
  await first.catch(() => undefined);
  expect((await second).map(({ name }) => name)).toEqual(['echo']);
});

test('an error of one account is not shared with another, which requests the list itself', async () => {
  const { open, server } = await startMcp();
  server.refuseNext(403);
  const [first, second] = await Promise.allSettled([open('acct_1').tools(), open('acct_2').tools()]);
  expect(first).toMatchObject({ reason: { details: { status: 403 } } });
  expect(second).toMatchObject({ value: [{ name: 'echo' }] });
  expect(await open('acct_3').tools()).toMatchObject([{ name: 'echo' }]);
});
