import { expect, test } from 'vitest';
import { cpuOf, TIMED } from '../../test/support/processes/cpu-of.js';
import { httpResponse, startMcp, texts } from '../../test/support/upstreams/start-mcp.js';
import { createBodyMemory } from '../concurrency/body-memory.js';

const MIB = 1024 * 1024;
const CHUNK = 64 * 1024;
const stream = (text: string) => httpResponse(200, { 'content-type': 'text/event-stream' }, text);
const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

test('F5: a tool list is limited to 2 MiB over all its pages', async () => {
  const { open, listPages, methods } = await startMcp();
  const name = (page: number) => `${page}`.padEnd(MIB / 2, 'x');
  listPages(...Array.from({ length: 64 }, (_, page) => [name(page)]));
  await expect(open().tools()).rejects.toMatchObject({
    code: 'upstream_failed',
    message: 'The response of the MCP server is larger than the maximum of 2 MiB. Request less data.',
  });
  expect(methods().filter((method) => method === 'tools/list')).toHaveLength(4);
  listPages(...[0, 1, 2].map((page) => [name(page)]));
  expect(await open().tools()).toHaveLength(3);
});

test.each(['json', 'sse'] as const)(
  'F5: a result with 190 levels is accepted, and one with 201 is refused (%s)',
  async (format) => {
    const { open, script } = await startMcp({ format });
    const result = (levels: number) => () => ({
      result: { content: texts('deep'), structuredContent: { a: nested(levels) } },
    });
    script(result(190), result(201));
    expect(await open().call('echo', {})).toMatchObject({ structuredContent: { a: nested(190) } });
    await expect(open().call('echo', {})).rejects.toMatchObject({
      code: 'upstream_failed',
      message: expect.stringContaining('deeper than the maximum of 200 levels'),
    });
  },
);

test.each([
  {
    title: 'blank lines with mixed line breaks',
    text: `${'\n'.repeat(CHUNK - 1)}\r`.repeat(48),
    code: 'connection_failed',
  },
  { title: 'empty events', text: 'data: {}\n\n'.repeat(50_000), code: 'upstream_failed' },
])('F9: a stream of $title is read quickly', TIMED, async ({ text, code }) => {
  const { open, script } = await startMcp();
  await open().call('echo', {});
  script(stream(text));
  const ms = await cpuOf(() =>
    expect(open().call('echo', {}, { timeoutMs: 60_000 })).rejects.toMatchObject({ code }),
  );
  expect(ms).toBeLessThan(2000);
});

test('F5: responses count for the calling application, and one without memory ends only its call', async () => {
  const { open, script } = await startMcp();
  const memory = createBodyMemory(4 * MIB);
  const response = () => ({ result: { content: texts('x'.repeat(MIB)) } });
  script(response, response, response);
  const [ada, grace] = [memory.open('ada'), memory.open('grace')];
  await open('acct_1', { holding: ada }).call('echo', {});
  await expect(open('acct_1', { holding: ada }).call('echo', {})).rejects.toMatchObject({
    code: 'unavailable',
    details: { reason: 'memory' },
  });
  ada.release();
  expect(await open('acct_1', { holding: grace }).call('echo', {})).toMatchObject({ content: [{}] });
});
