import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connectSandbox, type Sandbox } from '@svc/sandbox';
import { type Operator, signIn } from './operator.ts';
import { startService } from './start-service.ts';

const PASSWORD = 'orchid-battery-7';
const MINUTE_MS = 60_000;
const CLOCK = new URL('../../../server/test/support/processes/shifted-clock.ts', import.meta.url);

/** Service with a sandbox for the connect pages. Tests can move its clock and break its upstreams. */
export interface ConnectService {
  readonly url: string;
  /** Path of the SQLite database. */
  readonly database: string;
  readonly call: Operator['call'];
  readonly sandbox: Sandbox;
  /** Moves the clock of the service and of its sandbox forward. Signs in again, because sessions expire. */
  readonly advance: (minutes: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

export async function startConnectService(): Promise<ConnectService> {
  const folder = mkdtempSync(path.join(tmpdir(), 'svc-clock-'));
  const file = path.join(folder, 'offset');
  let offset = 0;
  writeFileSync(file, String(offset));
  const service = await startService({
    SVC_FIRST_OPERATOR_PASSWORD: PASSWORD,
    NODE_OPTIONS: `--import ${CLOCK}`,
    SVC_TEST_CLOCK_FILE: file,
  });
  const newOperator = () => signIn({ url: service.url, password: PASSWORD });
  let operator = await newOperator();
  const call: Operator['call'] = (...request) => operator.call(...request);
  const advance = async (minutes: number) => {
    offset += minutes * MINUTE_MS;
    writeFileSync(file, String(offset));
    operator = await newOperator();
  };
  const health = await call<{ sandbox: { url: string } }>('GET', '/health');
  const sandbox = await connectSandbox(health.sandbox.url);
  return { ...service, call, sandbox, advance };
}
