import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const MOST_MIB = 32;

/** Fills the young generation with what survives for a while, and gives how large it became. */
const PROGRAM = `
  import { getHeapSpaceStatistics } from 'node:v8';
  const { holdYoung } = await import(process.argv[1]);
  const isHeld = process.argv[2] === 'held';
  const kept = [];
  for (let made = 0; made < 1_000_000; made += 1) {
    kept[made % 60_000] = { made, pair: [made, made + 1] };
    if (isHeld && made % 1000 === 0) holdYoung();
  }
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
  console.log(young.space_size / 2 ** 20);
`;

const youngMib = (how: 'held' | 'free'): number => {
  const held = fileURLToPath(new URL('hold-young.ts', import.meta.url));
  return Number(
    execFileSync(process.execPath, ['--input-type=module', '--eval', PROGRAM, held, how], {
      encoding: 'utf8',
    }),
  );
};

test('what is young takes 32 MiB at most, and more where nobody looks', () => {
  expect(youngMib('held')).toBe(MOST_MIB);
  expect(youngMib('free')).toBeGreaterThan(MOST_MIB);
});
