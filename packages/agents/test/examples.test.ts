import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from 'vitest';
import { testFramework } from './support/test-framework.js';
import { FOLDER, type Framework, SECTIONS, writeExamples } from './support/write-examples.js';

const names = Object.keys(SECTIONS) as Framework[];

beforeAll(() => writeExamples(SECTIONS, FOLDER));

test('every example in the README compiles against the frameworks', () => {
  const { stdout } = spawnSync('tsc', ['-p', FOLDER], { encoding: 'utf8' });
  expect(stdout).toBe('');
});

describe.each(names)('%s', (name) => testFramework(name, FOLDER));
