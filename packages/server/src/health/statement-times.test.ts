import { expect, test } from 'vitest';
import { createStatementTimes } from './statement-times.js';

function setUp() {
  let time = 0;
  const { count, read } = createStatementTimes(() => time);
  return {
    read,
    run: (statements: number, ms: number) => {
      for (let each = 0; each < statements; each += 1) count(ms);
    },
    advance: (ms: number) => {
      time += ms;
    },
  };
}

test.each([
  { title: 'no statements', fast: 0, slow: 0, isSlow: false },
  { title: 'two slow statements', fast: 0, slow: 2, isSlow: false },
  { title: 'three slow statements', fast: 0, slow: 3, isSlow: true },
  { title: 'one slow statement of five', fast: 4, slow: 1, isSlow: false },
  { title: 'one slow statement of forty', fast: 39, slow: 1, isSlow: false },
  { title: 'a tenth of forty statements slow', fast: 36, slow: 4, isSlow: true },
])('the database with $title is slow: $isSlow', ({ fast, slow, isSlow }) => {
  const { read, run } = setUp();
  run(fast, 2);
  run(slow, 900);
  expect(read()).toMatchObject({ statements: fast + slow, isSlow });
});

test('a slow database is forgotten within 6 s', () => {
  const { advance, read, run } = setUp();
  run(40, 900);
  expect(read()).toEqual({ statements: 40, p95Ms: 900, isSlow: true });
  advance(6000);
  run(3, 1);
  expect(read()).toEqual({ statements: 3, p95Ms: 1, isSlow: false });
});

test('only the newest statements are measured', () => {
  const { read, run } = setUp();
  run(600, 900);
  run(512, 1);
  expect(read()).toEqual({ statements: 512, p95Ms: 1, isSlow: false });
});
