import { expect, test } from 'vitest';
import { createProgress } from './progress.js';

function watch(isTTY: boolean) {
  const written: string[] = [];
  return { written, stream: { isTTY, write: (text: string) => written.push(text) } };
}

test('a progress bar on a terminal fills up to its end and never beyond', () => {
  const { written, stream } = watch(true);
  const { add, end } = createProgress(stream, { title: 'app_1', total: 4 });
  for (const count of [1, 0, 3, 2]) add(count);
  end();
  expect(written).toEqual([
    `\rapp_1 [${' '.repeat(30)}] 0 % (0 of 4)`,
    `\rapp_1 [${'#'.repeat(8)}${' '.repeat(22)}] 25 % (1 of 4)`,
    `\rapp_1 [${'#'.repeat(30)}] 100 % (4 of 4)`,
    `\rapp_1 [${'#'.repeat(30)}] 100 % (6 of 4)`,
    '\n',
  ]);
});

test('a progress bar writes nothing without a terminal', () => {
  const { written, stream } = watch(false);
  const { add, end } = createProgress(stream, { title: 'app_1', total: 4 });
  add(4);
  end();
  expect(written).toEqual([]);
});
