import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const SERVER = new URL('../../packages/server/dist/index.js', import.meta.url);

/** Exports of the built service that this script uses. The published types of the package lack `createApp`. */
interface Built
  extends Pick<typeof import('../../packages/server/src/index.js'), 'createLog' | 'readConfig'> {
  readonly createApp: typeof import('../../packages/server/src/assembly/app.js').createApp;
}

type DocumentName = 'applications' | 'operators';

/** Starts the built service with a temporary database and reads its OpenAPI documents, as JSON texts. */
export async function readOpenApi(): Promise<Readonly<Record<DocumentName, string>>> {
  const { createApp, createLog, readConfig }: Built = await import(SERVER.href);
  const data = mkdtempSync(path.join(tmpdir(), 'svc-open-api-'));
  const config = readConfig(['--data', data, '--environment-url', 'https://svc.test'], {});
  const { server, operators } = await createApp({ config, log: createLog('silent'), version: '0.0.0' });
  try {
    const first = await operators.createFirst({});
    if (first === undefined)
      throw new Error(
        'The new service already has an operator. Report this bug of scripts/generate/read-open-api.ts.',
      );
    const payload = { name: first.name, password: first.password };
    const { cookies } = await server.inject({ method: 'POST', url: '/operator/v1/session', payload });
    const sent = Object.fromEntries(cookies.map(({ name, value }) => [name, value]));
    return {
      applications: (await server.inject({ url: '/openapi.json' })).body,
      operators: (await server.inject({ url: '/operator/v1/openapi.json', cookies: sent })).body,
    };
  } finally {
    await server.close();
    rmSync(data, { recursive: true });
  }
}
