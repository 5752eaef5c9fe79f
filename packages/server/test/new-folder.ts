import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

const made: string[] = [];

afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** An empty folder that is removed when the tests of the file are over. */
export function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-test-'));
  made.push(folder);
  return folder;
}
