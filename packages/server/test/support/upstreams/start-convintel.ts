import { type Convintel, convintel } from '@svc/convintel';
import { vi } from 'vitest';
import { type Application, signIn } from '../service/application.js';
import { connectAccount, type Service, startService } from '../service/service.js';
import { recordTools, type ToolRecord } from '../tools/record-tools.js';

/** Fixed time of the rules, the sandbox and its data. */
export const NOW = Date.parse('2026-11-20T12:00:00Z');
/** The 30 days before `NOW`, as tool input. */
export const MONTH = { fromDate: '2026-10-21 12:00:00', toDate: '2026-11-20 11:59:00' } as const;

export interface ConvintelService {
  readonly service: Service;
  readonly application: Application;
  readonly accountId: string;
  readonly record: ToolRecord;
  readonly tools: Convintel;
  stop(): Promise<void>;
}

/** Starts the service and a sandbox of the conversation intelligence connector, with the clock fixed at `NOW`. */
export async function startConvintel(): Promise<ConvintelService> {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  const service = await startService({ connectors: ['convintel'] });
  const application = await signIn(service);
  const record = recordTools(service, 'convintel');
  const account = await connectAccount(service, 'convintel');
  return {
    service,
    application,
    accountId: account.id,
    record,
    tools: convintel(record, account),
    async stop() {
      await service.stop();
      vi.useRealTimers();
    },
  };
}
