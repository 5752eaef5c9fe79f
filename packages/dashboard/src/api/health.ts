import { type Loaded, useCall } from '../parts/loaded.tsx';
import { call, type ResponseOf } from './call.ts';

export type Health = ResponseOf<'GET /operator/v1/health'>;

export const useHealth = (): Loaded<Health> => useCall('GET /operator/v1/health', {});

/** Loads the health of the service. Returns `undefined` if the request fails. */
export const loadHealth = (signal: AbortSignal): Promise<Health | undefined> =>
  call('GET /operator/v1/health', {}, { signal }).catch(() => undefined);

/** Returns true if a connection's base URL is the URL of the sandbox, which emulates upstreams for tests. */
export const isSandboxUrl = (baseUrl: string | null, health: Health | undefined): boolean => {
  const sandbox = health?.sandbox;
  return baseUrl !== null && !!sandbox && new URL(baseUrl).origin === new URL(sandbox.url).origin;
};
