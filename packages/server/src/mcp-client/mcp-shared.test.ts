import { expect, test } from 'vitest';
import { startMcp } from '../../test/support/start-mcp.js';

const count = (methods: readonly string[], method: string) => methods.filter((one) => one === method).length;

test.each([
  { title: 'with sessions', isStateless: false },
  { title: 'without sessions', isStateless: true },
])('what several wait for goes on when the first of them goes away ($title)', async (server) => {
  const { open, methods } = await startMcp(server);
  const leaving = new AbortController();
  const first = open('acct_1', { signal: leaving.signal });
  const gone = expect(first.call('echo', {})).rejects.toMatchObject({ details: { reason: 'aborted' } });
  const others = [open().call('echo', {}), open().tools(), open('acct_2').tools()];
  leaving.abort();
  await gone;
  await Promise.all(others);
  expect(count(methods(), 'tools/call')).toBe(1);
  expect(count(methods(), 'tools/list')).toBe(1);
});

test('the list goes on, too, when whoever asked for it first goes away', async () => {
  const { open } = await startMcp();
  const leaving = new AbortController();
  const first = open('acct_1', { signal: leaving.signal }).tools();
  const second = open('acct_2').tools();
  leaving.abort();
  await first.catch(() => undefined);
  expect((await second).map(({ name }) => name)).toEqual(['echo']);
});

test('what keeps one account from the list is not told to another, which reads it by itself', async () => {
  const { open, server } = await startMcp();
  server.refuseNext(403);
  const [first, second] = await Promise.allSettled([open('acct_1').tools(), open('acct_2').tools()]);
  expect(first).toMatchObject({ reason: { details: { status: 403 } } });
  expect(second).toMatchObject({ value: [{ name: 'echo' }] });
  expect(await open('acct_3').tools()).toMatchObject([{ name: 'echo' }]);
});
