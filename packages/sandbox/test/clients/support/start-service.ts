import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../../../../scripts/free-port.ts';
import { startServiceProcess } from '../../../../../scripts/service-process.ts';

const MAIN =
  process.env['SVC_TEST_MAIN'] ?? path.join(import.meta.dirname, '../../../../server/dist/main.js');

export const CLIENT_ID = 'app_batteries';
export const CLIENT_SECRET = randomBytes(32).toString('base64url');

/** Starts the built service with its sandbox, like `npm start`, on free ports and with a temporary data folder. */
export async function startService() {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-clients-'));
  const [port, proxyPort, sandboxPort] = [await freePort(), await freePort(), await freePort()];
  // URLs contain the IP address instead of a host name, because clients recognize SharePoint by its host name and then
  // choose other tokens.
  const url = `http://127.0.0.1:${port}`;
  const proxyUrl = `http://127.0.0.1:${proxyPort}`;
  const service = await startServiceProcess([MAIN, '--sandbox'], {
    SVC_PORT: String(port),
    SVC_PROXY_PORT: String(proxyPort),
    SVC_SANDBOX_PORT: String(sandboxPort),
    SVC_ENVIRONMENT_URL: url,
    SVC_PROXY_URL: proxyUrl,
    SVC_DATA: path.join(folder, 'data'),
    SVC_LOG_LEVEL: 'error',
    SVC_RATE_USER: '10000',
    SVC_RATE_ACCOUNT: '10000',
    SVC_RATE_APPLICATION: '10000',
    SVC_RATE_ADDRESS: '10000',
    SVC_FIRST_CLIENT_ID: CLIENT_ID,
    SVC_FIRST_CLIENT_SECRET: CLIENT_SECRET,
  });
  const stop = async () => {
    await service.end('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, proxyUrl, sandboxUrl: `http://127.0.0.1:${sandboxPort}`, stop };
}
