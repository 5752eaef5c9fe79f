import { startService } from '@svc/testing/service';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    readonly service: ServiceAddress;
  }
}

/** Address and credentials of the service for tests. */
export interface ServiceAddress {
  readonly environmentUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The user who has connected a calendar. */
export const user = { connectionName: 'calendar', identifier: 'user_42' };
/** A user who has not connected an account. */
export const stranger = { connectionName: 'calendar', identifier: 'user_7' };

/** Starts one service with the sandbox for all test files, and connects a user's calendar. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const service = await startService({ connectors: ['calendar'] });
  await service.authorize(user);
  provide('service', service.clientOptions);
  return service.stop;
}
