import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../../../scripts/free-port.ts';
import { startServiceProcess } from '../../../../scripts/service-process.ts';

// scripts/mutants/mutants.ts sets the path of another build.
const MAIN = process.env['SVC_TEST_MAIN'] ?? path.join(import.meta.dirname, '../../../server/dist/main.js');

/** The built service with its sandbox, as with `npm start`, on its own ports and data. */
export interface StartedService {
  readonly url: string;
  /** The output until the service was ready. */
  readonly printed: string;
  /** The path of the SQLite database. */
  readonly database: string;
  readonly stop: () => Promise<void>;
}

export async function startService(settings: Readonly<Record<string, string>> = {}): Promise<StartedService> {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-dashboard-'));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const service = await startServiceProcess([MAIN, '--sandbox'], {
    SVC_PORT: String(port),
    SVC_SANDBOX_PORT: String(await freePort()),
    SVC_ENVIRONMENT_URL: url,
    SVC_DATA: path.join(folder, 'data'),
    SVC_LOG_LEVEL: 'error',
    ...settings,
  });
  const stop = async () => {
    await service.end('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, printed: service.printed, database: path.join(folder, 'data/svc.db'), stop };
}
