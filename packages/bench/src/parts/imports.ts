import { spawnSync } from 'node:child_process';
import type { Bench, Part, Result } from '../part.ts';
import { cpuNs } from '../process-usage.ts';
import { databaseSettings, startPostgresServer } from '../start-postgres.ts';
import { createSettings, MAIN, type Service, type Settings, startService } from '../start-service.ts';

const IMPORTS = 10_000;
const QUICK_IMPORTS = 20;
/** Number of concurrent import requests, as in the example program in the guide about importing tokens. */
const AT_ONCE = 16;

const CONNECTION = 'imported';
const CONNECTOR = 'workspace';

const DATABASES = [
  { name: 'SQLite', isOnPostgres: false, figure: 'imports.sqliteSeconds' },
  { name: 'PostgreSQL', isOnPostgres: true, figure: 'imports.postgresSeconds' },
] as const;

/** Allows the application to import tokens, as an operator does: with the service's command line. */
function allowImport({ clientId, env }: Settings): void {
  const args = [MAIN, 'apps', 'change', clientId, '--allow-token-import'];
  const { status, stderr } = spawnSync(process.execPath, args, {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The service did not allow the import of tokens:\n${stderr}`);
}

async function startImportingService(bench: Bench, isOnPostgres: boolean): Promise<Service> {
  const { tokens } = bench.upstream;
  const database = isOnPostgres ? databaseSettings(await startPostgresServer(bench)) : {};
  const settings = await createSettings(bench, {
    env: { ...database, SVC_ALLOWED_ORIGINS: `${CONNECTOR}=${tokens}` },
  });
  const service = await startService(bench, settings, { isSandboxOn: false });
  allowImport(settings);
  await service.call('POST', '/v1/connections', {
    connectionName: CONNECTION,
    connector: CONNECTOR,
    clientId: 'bench-client',
    clientSecret: 'bench-client-secret',
    baseUrl: tokens,
    authorizationEndpoint: `${tokens}/authorize`,
    tokenEndpoint: `${tokens}/token`,
  });
  return service;
}

/**
 * Imports a refresh token for each of `count` users. Returns the average duration and the average CPU time of one
 * import.
 */
async function importAll({ call, pid }: Service, count: number) {
  const [startedAt, cpuBefore] = [performance.now(), cpuNs(pid)];
  let begun = 0;
  async function importSome(): Promise<void> {
    for (let index = begun++; index < count; index = begun++)
      await call('PUT', `/v1/connections/${CONNECTION}/accounts/user_${index}`, {
        refreshToken: `bench-refresh-token-${index}`,
      });
  }
  await Promise.all(Array.from({ length: AT_ONCE }, importSome));
  return {
    seconds: (performance.now() - startedAt) / 1000,
    cpuUs: (cpuNs(pid) - cpuBefore) / 1000 / count,
  };
}

/** Measures the import of tokens, and a second import of the same tokens, which changes nothing. */
async function measure(bench: Bench, { name, isOnPostgres, figure }: (typeof DATABASES)[number]) {
  const count = bench.isQuick ? QUICK_IMPORTS : IMPORTS;
  const service = await startImportingService(bench, isOnPostgres);
  const first = await importAll(service, count);
  const repeated = await importAll(service, count);
  await service.stop();
  const row = {
    '': name,
    seconds: first.seconds.toFixed(1),
    'imports/s': Math.round(count / first.seconds),
    'CPU µs': Math.round(first.cpuUs),
    'repeated, seconds': repeated.seconds.toFixed(1),
  };
  return { row, figures: { [figure]: first.seconds } };
}

async function run(bench: Bench): Promise<Result> {
  const [sqlite, postgres] = [await measure(bench, DATABASES[0]), await measure(bench, DATABASES[1])];
  return { rows: [sqlite.row, postgres.row], figures: { ...sqlite.figures, ...postgres.figures } };
}

export const imports: Part = { title: 'Import of OAuth tokens over HTTP, each tested by a refresh', run };
