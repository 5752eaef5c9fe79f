import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ServiceError } from '../errors.js';
import { createResponseBody } from './response-body.js';

function setUp() {
  const calls: string[] = [];
  const inlet = createResponseBody({
    pause: () => calls.push('pause'),
    resume: () => calls.push('resume'),
    abort: () => calls.push('abort'),
  });
  return { ...inlet, calls };
}

const chunk = (value: string | number) =>
  typeof value === 'number' ? Buffer.alloc(value) : Buffer.from(value);
const broken = new ServiceError('connection_failed', 'broke off');

test('a response body passes on earlier and later bytes', async () => {
  const { body, push, end } = setUp();
  push(chunk('a'));
  push(chunk('b'));
  const target = new PassThrough();
  body.pipe(target);
  push(chunk('c'));
  end();
  expect(await text(target)).toBe('abc');
});

test('a small complete response body is passed on in one write', () => {
  const writes: string[] = [];
  const target = new Writable({
    write: (data, _, done) => {
      writes.push(String(data));
      done();
    },
  });
  const { body, push, end } = setUp();
  push(chunk('all'));
  end();
  body.pipe(target);
  expect([writes, target.writableEnded]).toEqual([['all'], true]);
});

test('a response body buffers 64 KiB for a later reader, and then reads on', async () => {
  const { body, push, end, calls } = setUp();
  push(chunk(64 * 1024 - 1));
  expect(calls).toEqual([]);
  push(chunk(1));
  expect(calls).toEqual(['pause']);
  const stream = body.stream();
  stream.resume();
  await new Promise((resolve) => setImmediate(resolve));
  expect(calls).toContain('resume');
  end();
});

test('a response body pauses while the target is full and resumes when it drains', () => {
  const { promise, resolve } = Promise.withResolvers<() => void>();
  const target = new Writable({ highWaterMark: 1, write: (_, __, done) => resolve(done) });
  const { body, push, calls } = setUp();
  body.pipe(target);
  push(chunk('ab'));
  expect(calls).toEqual(['resume', 'pause']);
  target.emit('drain');
  expect(calls).toEqual(['resume', 'pause', 'resume']);
  return promise.then((done) => done());
});

test.each([
  { title: 'before it is read', isEarly: true },
  { title: 'while it is read', isEarly: false },
])('a body that is aborted $title fails its stream and destroys its target', async ({ isEarly }) => {
  const streamed = setUp();
  const piped = setUp();
  const target = new PassThrough();
  if (isEarly) for (const { fail } of [streamed, piped]) fail(broken);
  const read = text(streamed.body.stream());
  piped.body.pipe(target);
  if (!isEarly) for (const { fail } of [streamed, piped]) fail(broken);
  await expect(read).rejects.toBe(broken);
  expect([target.destroyed, target.writableEnded]).toEqual([true, false]);
});

test('destroying a stream aborts the socket, but not after its end', () => {
  const cut = setUp();
  cut.body.stream().destroy();
  const whole = setUp();
  const stream = whole.body.stream();
  whole.end();
  stream.destroy();
  expect([cut.calls.includes('abort'), whole.calls.includes('abort')]).toEqual([true, false]);
});

test('destroying a body aborts the socket, but not after its end', () => {
  const cut = setUp();
  cut.body.destroy();
  const whole = setUp();
  whole.end();
  whole.body.destroy();
  expect([cut.calls, whole.calls]).toEqual([['abort'], []]);
});

test('a discarded body is read to its end', () => {
  const { body, push, calls } = setUp();
  push(chunk(64 * 1024));
  body.discard();
  push(chunk(64 * 1024));
  expect(calls).toEqual(['pause', 'resume']);
});

test.each([
  { title: 'at its end', finish: ({ end }: ReturnType<typeof setUp>) => end() },
  { title: 'at its failure', finish: ({ fail }: ReturnType<typeof setUp>) => fail(broken) },
])('a body reports its end once $title, before or after a listener is added', ({ finish }) => {
  let reports = 0;
  const count = () => {
    reports += 1;
  };
  const before = setUp();
  before.body.onClose(count);
  finish(before);
  const after = setUp();
  finish(after);
  after.body.onClose(count);
  expect(reports).toBe(2);
});

test('a late reader gets the buffered and the following bytes', async () => {
  const { body, push, end, calls } = setUp();
  const taken: string[] = [];
  push(chunk('a'));
  const drained = body.drain((bytes) => taken.push(String(bytes)));
  push(chunk('b'));
  end();
  await drained;
  expect([taken, calls]).toEqual([['a', 'b'], ['resume']]);
});

test('P11: the reader of a body gets its failure', async () => {
  const { body, push, fail } = setUp();
  push(chunk('a'));
  const drained = body.drain(() => undefined);
  fail(broken);
  await expect(drained).rejects.toBe(broken);
});

test.each([{ isEarly: true }, { isEarly: false }])(
  'P10: a body that its reader refuses aborts the socket (early: $isEarly)',
  async ({ isEarly }) => {
    const { body, push, fail, calls } = setUp();
    if (isEarly) push(chunk('a'));
    const drained = body.drain(() => {
      throw broken;
    });
    if (!isEarly) push(chunk('a'));
    push(chunk('b'));
    fail(new ServiceError('connection_failed', 'The rest is not wanted.'));
    await expect(drained).rejects.toBe(broken);
    expect(calls.filter((call) => call === 'abort')).toHaveLength(1);
  },
);
