import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

// Setup file of every vitest.config.ts. Each test file has a temporary folder of its own, which contains all that the
// tests and their processes create there, and is deleted after the last test of the file, also of a failed one.
const before = tmpdir();
const folder = mkdtempSync(path.join(before, 'svc-test-'));
// Other users may enter the folder, because a database server that runs as another user has its own folder in it.
chmodSync(folder, 0o711);
process.env['TMPDIR'] = folder;

afterAll(() => {
  process.env['TMPDIR'] = before;
  // Retries the deletion, because a process that is ending may still write into the folder.
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});
