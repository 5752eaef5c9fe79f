import { type Loaded, useLoaded } from '../parts/loaded.tsx';
import { type Answer, call } from './call.ts';

export type Health = Answer<'GET /operator/v1/health'>;

export const useHealth = (): Loaded<Health> =>
  useLoaded('health', (signal) => call('GET /operator/v1/health', {}, { signal }));

/** Tells whether requests to this address reach the emulated upstreams. */
export const leadsToSandbox = (baseUrl: string | null, health: Health | undefined): boolean => {
  const sandbox = health?.sandbox;
  return baseUrl !== null && !!sandbox && new URL(baseUrl).origin === new URL(sandbox.url).origin;
};
