import { addDatabase } from '../../server/test/support/postgres-databases.ts';
import { proxied, toolCall } from './build-requests.ts';
import type { Bench } from './part.ts';
import { type Peer, type PeerOptions, startPeer } from './peers/start-peer.ts';
import type { LoadJob } from './send-load.ts';
import { onDatabase, startServer } from './start-postgres.ts';
import {
  connect,
  furtherInstance,
  newSettings,
  SANDBOX,
  type Settings,
  startService,
} from './start-service.ts';

/** What load can be sent to. */
export type Target = Pick<LoadJob, 'servers'>;

const PATH = '/v1/kb';

export const toTarget = (...peers: readonly Peer[]): Target => ({
  servers: peers.map(({ port, pid, token }) => ({ port, pid, requests: [proxied(PATH, token)] })),
});

export async function startFloor({ folder, upstream, defer }: Bench): Promise<Peer> {
  const options: PeerOptions = { upstream: upstream.small, folder };
  const floor = await startPeer('./floor.ts', options);
  defer(floor.stop);
  return floor;
}

export interface Ours {
  readonly proxy: Target;
  readonly tool: Target;
}

interface OursOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeArgs?: readonly string[];
}

/** The service, with an account on the upstream's small answers. */
export async function startOurs(bench: Bench, { env = {}, nodeArgs = [] }: OursOptions = {}): Promise<Ours> {
  const { folder, upstream, isQuick, defer } = bench;
  const settings = await newSettings({ folder, origins: [upstream.small], env });
  const service = await startService(settings, { folder, nodeArgs, flags: isQuick ? [] : SANDBOX });
  defer(service.stop);
  const { id } = await connect(service, 'own', upstream.small);
  const { port, pid, token } = service;
  return {
    proxy: toTarget(service),
    tool: { servers: [{ port, pid, requests: [toolCall(id, token)] }] },
  };
}

const INSTANCES = 4;

export interface OnPostgres {
  readonly one: Target;
  /** Several processes on one database. */
  readonly fleet: Target;
  /** As many, each with a database of its own. */
  readonly apart: Target;
}

/** Processes on PostgreSQL with its default settings. */
export async function startOnPostgres(bench: Bench): Promise<OnPostgres> {
  const { folder, upstream, isQuick, defer } = bench;
  const start = async (settings: Settings, flags: readonly string[]) => {
    const service = await startService(settings, { folder, flags });
    defer(service.stop);
    return service;
  };
  const startFirst = async (databaseUrl: string, flags: readonly string[] = []) => {
    const env = onDatabase(databaseUrl);
    const settings = await newSettings({ folder, origins: [upstream.small], env });
    const service = await start(settings, flags);
    await connect(service, 'own', upstream.small);
    return { settings, service };
  };
  const first = await startFirst(await startServer(bench), isQuick ? [] : SANDBOX);
  // One server has not connections enough for all of them.
  const further = await startServer(bench);
  const [fleet, apart] = [[first.service], [first.service]];
  while (fleet.length < (isQuick ? 2 : INSTANCES)) {
    fleet.push(await start(await furtherInstance(first.settings, folder), []));
    apart.push((await startFirst(await addDatabase(further, `apart_${apart.length}`))).service);
  }
  return { one: toTarget(first.service), fleet: toTarget(...fleet), apart: toTarget(...apart) };
}
