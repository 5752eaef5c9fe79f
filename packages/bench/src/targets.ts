import { randomBytes } from 'node:crypto';
import { startPostgres } from '../../server/test/support/postgres-server.ts';
import type { LoadJob } from './load.ts';
import type { Bench } from './part.ts';
import { type Peer, type PeerOptions, startPeer } from './peers/start-peer.ts';
import { proxied, toolCall } from './requests.ts';
import { connect, furtherInstance, newSettings, SANDBOX, startService } from './service.ts';

/** What load can be sent to. */
export type Target = Pick<LoadJob, 'ports' | 'pids' | 'requests'>;

const PATH = '/v1/kb';

export const toTarget = ({ port, pid, token }: Peer): Target => ({
  ports: [port],
  pids: [pid],
  requests: [proxied(PATH, token)],
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
  const proxy = toTarget(service);
  return { proxy, tool: { ...proxy, requests: [toolCall(id, service.token)] } };
}

const INSTANCES = 4;

export interface OnPostgres {
  readonly one: Target;
  readonly fleet: Target;
}

/** One process on a PostgreSQL with its default settings, and several that share another. */
export async function startOnPostgres(bench: Bench): Promise<OnPostgres> {
  const { folder, upstream, isQuick, defer } = bench;
  const postgres = await startPostgres();
  defer(postgres.stop);
  const env = { DATABASE_URL: postgres.url, SVC_ROOT_KEY: randomBytes(32).toString('base64') };
  const settings = await newSettings({ folder, origins: [upstream.small], env });
  const first = await startService(settings, { folder, flags: isQuick ? [] : SANDBOX });
  defer(first.stop);
  await connect(first, 'own', upstream.small);
  const one = toTarget(first);
  const fleet = { ports: [...one.ports], pids: [...one.pids], requests: one.requests };
  while (fleet.pids.length < (isQuick ? 2 : INSTANCES)) {
    const further = await startService(await furtherInstance(settings, folder), { folder, flags: [] });
    defer(further.stop);
    fleet.ports.push(further.port);
    fleet.pids.push(further.pid);
  }
  return { one, fleet };
}
