import { addDatabase } from '../../server/test/support/databases/postgres-databases.ts';
import { buildProxyGet, buildToolCall } from './build-requests.ts';
import type { Bench } from './part.ts';
import type { Target } from './send-load.ts';
import { databaseSettings, startPostgresServer } from './start-postgres.ts';
import {
  connectAccount,
  createInstanceSettings,
  createSettings,
  type LaunchOptions,
  type Service,
  startService,
} from './start-service.ts';

export const toProxyTarget = (
  ...programs: ReadonlyArray<Pick<Service, 'port' | 'pid' | 'token'>>
): Target => ({
  servers: programs.map(({ port, pid, token }) => ({
    port,
    pid,
    requests: [buildProxyGet('/v1/kb', token)],
  })),
});

export interface ServiceTargets {
  readonly proxy: Target;
  readonly tool: Target;
}

interface TargetOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeArgs?: readonly string[];
}

/** Starts the service with SQLite and one account, whose upstream sends small responses. */
export async function startServiceTargets(
  bench: Bench,
  { env = {}, nodeArgs = [] }: TargetOptions = {},
): Promise<ServiceTargets> {
  const service = await startService(bench, await createSettings(bench, { env }), { nodeArgs });
  const { id } = await connectAccount(service, 'own', bench.upstream.small);
  const { port, pid, token } = service;
  return {
    proxy: toProxyTarget(service),
    tool: { servers: [{ port, pid, requests: [buildToolCall(id, token)] }] },
  };
}

const INSTANCES = 4;

export interface PostgresTargets {
  readonly one: Target;
  /** Several service processes that share one database. */
  readonly fleet: Target;
  /** Same number of service processes, each with a separate database. */
  readonly separate: Target;
}

/** Starts service processes that use PostgreSQL servers with default settings. */
export async function startPostgresTargets(bench: Bench): Promise<PostgresTargets> {
  const startFirst = async (databaseUrl: string, options: LaunchOptions = {}) => {
    const settings = await createSettings(bench, { env: databaseSettings(databaseUrl) });
    const service = await startService(bench, settings, options);
    await connectAccount(service, 'own', bench.upstream.small);
    return { settings, service };
  };
  const withoutSandbox = { isSandboxOn: false };
  const first = await startFirst(await startPostgresServer(bench));
  // Starts a second PostgreSQL server, because the default connection limit is too low for all service processes
  // together.
  const second = await startPostgresServer(bench);
  const [fleet, separate] = [[first.service], [first.service]];
  while (fleet.length < (bench.isQuick ? 2 : INSTANCES)) {
    const settings = await createInstanceSettings(bench, first.settings);
    fleet.push(await startService(bench, settings, withoutSandbox));
    const database = await addDatabase(second, `separate_${separate.length}`);
    separate.push((await startFirst(database, withoutSandbox)).service);
  }
  return {
    one: toProxyTarget(first.service),
    fleet: toProxyTarget(...fleet),
    separate: toProxyTarget(...separate),
  };
}
