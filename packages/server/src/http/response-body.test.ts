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

test('hands over what came before, and what comes after', async () => {
  const { body, push, end } = setUp();
  push(chunk('a'));
  push(chunk('b'));
  const target = new PassThrough();
  body.pipe(target);
  push(chunk('c'));
  end();
  expect(await text(target)).toBe('abc');
});

test('hands over a small answer that is complete in one write', () => {
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

test('pauses while the target is full, and goes on when it has drained', () => {
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
  { title: 'before it is wanted', isEarly: true },
  { title: 'while it is read', isEarly: false },
])('a body that breaks off $title fails its stream and destroys its target', async ({ isEarly }) => {
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

test('frees the socket when its stream is destroyed, but not after the end', () => {
  const cut = setUp();
  cut.body.stream().destroy();
  const whole = setUp();
  const stream = whole.body.stream();
  whole.end();
  stream.destroy();
  expect([cut.calls.includes('abort'), whole.calls.includes('abort')]).toEqual([true, false]);
});

test('frees the socket of a body that nobody wants, but not of one that is over', () => {
  const cut = setUp();
  cut.body.destroy();
  const whole = setUp();
  whole.end();
  whole.body.destroy();
  expect([cut.calls, whole.calls]).toEqual([['abort'], []]);
});

test('reads on to the end what is dropped', () => {
  const { body, push, calls } = setUp();
  push(chunk(64 * 1024));
  body.discard();
  push(chunk(64 * 1024));
  expect(calls).toEqual(['pause', 'resume']);
});

test.each([
  { title: 'when it ends', finish: ({ end }: ReturnType<typeof setUp>) => end() },
  { title: 'when it breaks off', finish: ({ fail }: ReturnType<typeof setUp>) => fail(broken) },
])('tells once that it is over: $title, before or after somebody asks', ({ finish }) => {
  let told = 0;
  const count = () => {
    told += 1;
  };
  const before = setUp();
  before.body.onClose(count);
  finish(before);
  const after = setUp();
  finish(after);
  after.body.onClose(count);
  expect(told).toBe(2);
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

test('P11: the reader of a body learns that it broke off', async () => {
  const { body, push, fail } = setUp();
  push(chunk('a'));
  const drained = body.drain(() => undefined);
  fail(broken);
  await expect(drained).rejects.toBe(broken);
});

test.each([{ isEarly: true }, { isEarly: false }])(
  'P10: frees the socket when a body is too much for whoever takes it (early: $isEarly)',
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
