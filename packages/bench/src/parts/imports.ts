import { spawnSync } from 'node:child_process';
import type { Bench, Part, Result, Row } from '../part.ts';
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
  { name: 'SQLite', isOnPostgres: false, figure: 'imports.sqlite' },
  { name: 'PostgreSQL', isOnPostgres: true, figure: 'imports.postgres' },
] as const;

/** Tokens of one user, and how the service tests them. */
const PROOFS = [
  {
    title: 'verify request',
    figure: 'VerifiedSeconds',
    tokensOf: (user: string) => ({
      accessToken: `bench-access-token-${user}`,
      refreshToken: `bench-refresh-token-${user}`,
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    }),
  },
  {
    title: 'refresh',
    figure: 'RefreshedSeconds',
    tokensOf: (user: string) => ({ refreshToken: `bench-refresh-token-${user}` }),
  },
] as const;
type Proof = (typeof PROOFS)[number];

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

/** Imports the tokens of all users. Returns the total duration and the average CPU time of one import. */
async function importAll({ call, pid }: Service, users: readonly string[], { tokensOf }: Proof) {
  const [startedAt, cpuBefore] = [performance.now(), cpuNs(pid)];
  let begun = 0;
  async function importSome(): Promise<void> {
    for (let user = users[begun++]; user !== undefined; user = users[begun++])
      await call('PUT', `/v1/connections/${CONNECTION}/accounts/${user}`, tokensOf(user));
  }
  await Promise.all(Array.from({ length: AT_ONCE }, importSome));
  return {
    seconds: (performance.now() - startedAt) / 1000,
    cpuUs: (cpuNs(pid) - cpuBefore) / 1000 / users.length,
  };
}

/**
 * Measures the import of tokens that the service tests in one way, and a second import of the same tokens, which
 * changes nothing.
 */
async function measureProof(service: Service, proof: Proof, count: number) {
  const users = Array.from({ length: count }, (_, index) => `${proof.figure}_${index}`);
  const first = await importAll(service, users, proof);
  const repeated = await importAll(service, users, proof);
  const figures = {
    seconds: first.seconds.toFixed(1),
    'imports/s': Math.round(count / first.seconds),
    'CPU µs': Math.round(first.cpuUs),
    'repeated, seconds': repeated.seconds.toFixed(1),
  };
  return { figures, seconds: first.seconds };
}

async function measure(bench: Bench, { name, isOnPostgres, figure }: (typeof DATABASES)[number]) {
  const service = await startImportingService(bench, isOnPostgres);
  const measured: { readonly row: Row; readonly figure: readonly [string, number] }[] = [];
  for (const proof of PROOFS) {
    const { figures, seconds } = await measureProof(service, proof, bench.isQuick ? QUICK_IMPORTS : IMPORTS);
    measured.push({
      row: { '': `${name}, ${proof.title}`, ...figures },
      figure: [`${figure}${proof.figure}`, seconds],
    });
  }
  await service.stop();
  return measured;
}

async function run(bench: Bench): Promise<Result> {
  const measured = [...(await measure(bench, DATABASES[0])), ...(await measure(bench, DATABASES[1]))];
  return {
    rows: measured.map(({ row }) => row),
    figures: Object.fromEntries(measured.map(({ figure }) => figure)),
  };
}

export const imports: Part = { title: 'Import of OAuth tokens over HTTP, each tested at the upstream', run };
