import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Whatever this process and those that it starts put into the folder of temporary files goes when it ends. */
export function takeTemporaryFolder(): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-run-'));
  // A database server of another user has its own folder in it.
  chmodSync(folder, 0o711);
  process.env['TMPDIR'] = folder;
  // Where something failed, what was started beside it may be writing still.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
}
