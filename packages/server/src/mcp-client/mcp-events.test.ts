import { expect, test } from 'vitest';
import { collect } from '../../test/support/collect.js';
import { cpuOf, TIMED } from '../../test/support/processes/cpu-of.js';
import { readEvents } from './mcp-events.js';

async function* cutInto(stream: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < stream.length; at += size) yield stream.subarray(at, at + size);
}

const CHUNK = 64 * 1024;
const MIB = 1024 * 1024;
const read = (stream: string, size = CHUNK) => collect(readEvents(cutInto(Buffer.from(stream), size)));

const STREAMS = [
  { title: 'an event with an id', stream: 'id: 7\nretry: 500\ndata: \n\n', isSeen: true },
  { title: 'an id after its data', stream: 'data: {}\nid:7\n\n', isSeen: true },
  { title: 'a second event', stream: ': hello\n\ndata: {}\n\nid: 7\ndata: x\n\n', isSeen: true },
  { title: 'CRLF line breaks', stream: 'id: 7\r\ndata: x\r\n\r\n', isSeen: true },
  { title: 'CR line breaks', stream: 'id: 7\rdata: x\r\r: more', isSeen: true },
  { title: 'a preceding long line', stream: `data: ${'x'.repeat(99)}\r\nid: 7\r\n\r\n`, isSeen: true },
  { title: 'a truncated event', stream: 'id: 7\ndata: {"jsonrpc"', isSeen: false },
  { title: 'an id without data', stream: 'id: 7\n\ndata: x\n\n', isSeen: false },
  { title: 'an empty id', stream: 'id: \ndata: x\n\n', isSeen: false },
  { title: 'an id inside data', stream: 'data: id: 7\n\n', isSeen: false },
  { title: 'half of a CRLF as a blank line', stream: 'id: 7\r\ndata: x\r\n', isSeen: false },
];

test.each(STREAMS)(
  'an event with an id is recognized in chunks of any size: $title',
  async ({ stream, isSeen }) => {
    for (let size = 1; size <= stream.length; size += 1) {
      const events = await read(stream, size);
      expect({ size, isSeen: events.some(({ isResumable }) => isResumable) }).toEqual({ size, isSeen });
    }
  },
);

test.each(['\n', '\r', '\r\n'])('events with lines that end with %j are yielded unchanged', async (end) => {
  const stream = [
    ': hi',
    '',
    '',
    'id: 7',
    'data: a',
    'data:b',
    'other',
    '',
    ':',
    'data',
    '',
    'data: cut',
  ].join(end);
  for (let size = 1; size <= stream.length; size += 1) {
    const texts = (await read(stream, size)).map(({ bytes }) => bytes.toString());
    expect(texts).toEqual(['id: 7\ndata: a\ndata:b\nother\n\n', 'data\n\n']);
  }
});

test.each([
  { title: 'blank lines', stream: '\n'.repeat(4 * MIB), events: 0 },
  {
    title: 'blank lines with a carriage return at the end of each chunk',
    stream: `${'\n'.repeat(CHUNK - 1)}\r`.repeat(64),
    events: 0,
  },
  { title: 'comments', stream: ': x\n\n'.repeat(MIB), events: 0 },
  { title: 'one line', stream: `data: ${'x'.repeat(4 * MIB)}\n\n`, events: 1 },
])('F5: a stream of 4 MiB is read in one pass: $title', TIMED, async ({ stream, events }) => {
  let index = -1;
  const ms = await cpuOf(async () => {
    index = (await read(stream)).length;
  });
  expect(index).toBe(events);
  expect(ms).toBeLessThan(1000);
});

test.each([
  { title: 'events', stream: 'data: {}\n\n'.repeat(5_001), problem: 'more than the maximum of 5000 events' },
  { title: 'lines', stream: 'data\n'.repeat(100_001), problem: 'more than the maximum of 100000 lines' },
  {
    title: 'levels',
    stream: `data: ${'['.repeat(150)}\ndata: ${'['.repeat(51)}\n\n`,
    problem: 'deeper than the maximum of 200 levels',
  },
  {
    title: 'levels after a quote in a comment',
    stream: `: "\ndata: ${'['.repeat(201)}\n\n`,
    problem: 'deeper than the maximum of 200 levels',
  },
])('F5: a stream with too many $title is refused', async ({ stream, problem }) => {
  await expect(read(stream)).rejects.toMatchObject({
    code: 'upstream_failed',
    message: expect.stringContaining(problem),
  });
});

test('F5: reading many events yields to other work', async () => {
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
  }, 0);
  const immediate = () => {
    ticks += 1;
    if (ticks < 100_000) next = setImmediate(immediate);
  };
  let next = setImmediate(immediate);
  await read('data: {}\n\n'.repeat(5_000));
  clearInterval(timer);
  clearImmediate(next);
  expect(ticks).toBeGreaterThanOrEqual(100);
});
