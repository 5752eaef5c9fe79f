import { startSandbox } from '@svc/sandbox';
import { vi } from 'vitest';
import { listForSandbox } from '../service/allowed-origins.js';
import { connectAccount, type Service, startService } from '../service/service.js';
import { type Receiver, startReceiver } from './start-receiver.js';
import { createWatching, type Watching } from './watching.js';

const CONNECTORS = ['calendar', 'workspace', 'convintel', 'video'];

interface Started {
  readonly service: Service;
  readonly receiver: Receiver;
  readonly watching: Watching;
  readonly stop: () => Promise<void>;
}

/** Starts a service whose user `ada` has an account of each connector with watched lists, and a receiver of events. */
export async function startWatching(): Promise<Started> {
  // Date continues from the time to which a test has moved it, so that both the service and the sandbox see that time.
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true });
  const receiver = await startReceiver();
  const sandbox = await startSandbox({ connectors: CONNECTORS, rateLimits: false });
  const origins = `${listForSandbox(sandbox)},webhooks=${receiver.origin}`;
  const service = await startService({ sandbox, env: { SVC_ALLOWED_ORIGINS: origins } });
  for (const connection of CONNECTORS) await connectAccount(service, connection, 'ada');
  const stop = async () => {
    vi.useRealTimers();
    await service.stop();
    await receiver.stop();
  };
  return { service, receiver, watching: createWatching(service), stop };
}
