import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

const made: string[] = [];

afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** Creates an empty folder that is deleted after the tests of the file. */
export function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-test-'));
  made.push(folder);
  return folder;
}
