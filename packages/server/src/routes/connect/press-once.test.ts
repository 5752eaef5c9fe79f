import { expect, test } from 'vitest';
import { createClock } from '../../../test/support/service/service-parts.js';
import { createPressOnce } from './press-once.js';

function createPressed() {
  const clock = createClock();
  const pressOnce = createPressOnce(clock.now);
  let count = 0;
  const press = async () => {
    count += 1;
    return { redirectTo: `https://upstream.example.com/${count}` };
  };
  return { clock, pressOnce, press };
}

const PRESSED = ['browser', 'link'];

test('a double click gets the result of the first click', async () => {
  const { clock, pressOnce, press } = createPressed();
  const both = [pressOnce(PRESSED, press), pressOnce(PRESSED, press)];
  expect(new Set((await Promise.all(both)).map(({ redirectTo }) => redirectTo)).size).toBe(1);
  clock.advance(4000);
  expect(await pressOnce(PRESSED, press)).toEqual(await both[0]);
});

test('another browser, another page and a later click are separate', async () => {
  const { clock, pressOnce, press } = createPressed();
  const led = [
    await pressOnce(PRESSED, press),
    await pressOnce(['other', 'link'], press),
    await pressOnce(['browser', 'other'], press),
  ];
  clock.advance(5001);
  led.push(await pressOnce(PRESSED, press));
  expect(new Set(led.map(({ redirectTo }) => redirectTo)).size).toBe(4);
});

test('a failed click can be retried', async () => {
  const { pressOnce, press } = createPressed();
  await expect(pressOnce(PRESSED, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await pressOnce(PRESSED, press)).toEqual({ redirectTo: 'https://upstream.example.com/1' });
});
