import { freePort } from '../free-port.ts';
import type { Registry } from './registry.ts';
import type { Tools } from './tools.ts';
import { newFolder, start, waitFor, writeFiles } from './workplace.ts';

/** Running service that was installed from the local registry, and the credentials of a client. */
export interface RunningService {
  readonly environmentUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Starts the published service with `npx @svc/server --sandbox` in an empty folder. */
export async function startPublishedService({ find }: Tools, registry: Registry): Promise<RunningService> {
  const cwd = newFolder('service');
  const port = await freePort();
  const first = { clientId: 'app_rehearsal', clientSecret: 'a-secret-of-the-rehearsal-alone-0123456789' };
  writeFiles(cwd, { 'package.json': { name: 'service', private: true } });
  const npx = find('npm/bin/npx-cli.js') ?? 'npx';
  const child = start(process.execPath, [npx, '--yes', '@svc/server', '--sandbox'], {
    cwd,
    env: {
      ...registry.env,
      SVC_PORT: String(port),
      SVC_SANDBOX_PORT: String(await freePort()),
      SVC_FIRST_CLIENT_ID: first.clientId,
      SVC_FIRST_CLIENT_SECRET: first.clientSecret,
    },
  });
  await waitFor(child, /is ready on/, 300_000);
  return { environmentUrl: `http://127.0.0.1:${port}`, ...first };
}
