import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBodyMemory } from '../concurrency/body-memory.js';
import { openInputRoom } from './input-room.js';

/** Memory for 200 bytes of request bodies. A single application may use half of it. */
const memory = createBodyMemory(200);

function open() {
  const closed = Promise.withResolvers<void>();
  const room = openInputRoom(memory, {
    applicationId: 'app_1',
    expectUpload: () => undefined,
    whenClosed: closed.promise,
  });
  return { room, close: closed.resolve };
}

function hasRoom(): boolean {
  const { room, close } = open();
  try {
    room.take(100);
    return true;
  } catch {
    return false;
  } finally {
    close();
  }
}

test('F5: the memory of an input is released when its call and all work on it have ended, even in failure', async () => {
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { room, close } = open();
  room.take(100);
  room.reserveDuring(first.promise);
  room.reserveDuring(second.promise);
  for (const end of [close, first.resolve]) {
    end();
    await setImmediate();
    expect(hasRoom()).toBe(false);
  }
  second.reject(new Error('It failed.'));
  await setImmediate();
  expect(hasRoom()).toBe(true);
});

test('F5: the memory of an unused input is released with its call', async () => {
  const { room, close } = open();
  room.take(100);
  expect(hasRoom()).toBe(false);
  close();
  await setImmediate();
  expect(hasRoom()).toBe(true);
});
