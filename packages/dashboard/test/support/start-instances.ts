import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Sandbox, startSandbox } from '@svc/sandbox';
import { freePort } from '../../../../scripts/free-port.ts';
import { startServiceProcess } from '../../../../scripts/service-process.ts';
import {
  type DatabaseGate,
  startDatabaseGate,
} from '../../../server/test/support/databases/database-gate.ts';
import { startPostgres } from '../../../server/test/support/databases/postgres-server.ts';
import { type Operator, signIn } from './operator.ts';

const MAIN = process.env['SVC_TEST_MAIN'] ?? path.join(import.meta.dirname, '../../../server/dist/main.js');
const PASSWORD = 'orchid-battery-7';

export interface Instance {
  readonly url: string;
  readonly operator: Operator;
}

/** Two instances of the service that share a PostgreSQL database and a sandbox. */
export interface Instances {
  readonly instances: readonly [Instance, Instance];
  readonly sandbox: Sandbox;
  /** Proxy before the database of the second instance, which can make the database slow. */
  readonly gate: DatabaseGate;
}

interface Surroundings {
  readonly databaseUrl: string;
  readonly sandbox: Sandbox;
  readonly defer: (end: () => Promise<unknown>) => void;
}

async function startInstance({ databaseUrl, sandbox, defer }: Surroundings): Promise<Instance> {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-instance-'));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const service = await startServiceProcess([MAIN], {
    DATABASE_URL: databaseUrl,
    SVC_PORT: String(port),
    SVC_ENVIRONMENT_URL: url,
    SVC_DATA: path.join(folder, 'data'),
    SVC_LOG_LEVEL: 'silent',
    SVC_ROOT_KEY: Buffer.alloc(32, 7).toString('base64'),
    SVC_FIRST_OPERATOR_PASSWORD: PASSWORD,
    SVC_ALLOWED_ORIGINS: sandbox.upstreams.map(({ id }) => `${id}=${new URL(sandbox.url).origin}`).join(),
    SVC_RATE_APPLICATION: '1000',
    SVC_RATE_ACCOUNT: '1000',
  });
  defer(() => service.end('SIGKILL'));
  return { url, operator: await signIn({ url, password: PASSWORD }) };
}

/** Starts two instances. `defer` receives the functions that stop them, in the order of the starts. */
export async function startInstances(defer: Surroundings['defer']): Promise<Instances> {
  const postgres = await startPostgres(['fsync=off']);
  defer(postgres.stop);
  const gate = await startDatabaseGate(postgres.url);
  defer(gate.stop);
  const sandbox = await startSandbox({ connectors: ['calendar', 'network'], rateLimits: false });
  defer(sandbox.stop);
  const first = await startInstance({ databaseUrl: postgres.url, sandbox, defer });
  const second = await startInstance({ databaseUrl: gate.url, sandbox, defer });
  return { instances: [first, second], sandbox, gate };
}
