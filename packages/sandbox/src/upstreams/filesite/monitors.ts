import { randomToken } from '../../identifiers.js';

/** Addresses that tell how far long work is; here it is done at once. */
export interface Monitors {
  /** The address of a new one. */
  open(resourceId: string): string;
  /** What the address tells; `undefined` for one that was never given out. */
  find(token: string): { readonly resourceId: string } | undefined;
  reset(): void;
}

export const MONITOR_PATH = '/_api/v2.0/monitor/';

/** Makes addresses below `baseUrl`. */
export function createMonitors(baseUrl: string): Monitors {
  const known = new Map<string, { readonly resourceId: string }>();
  return {
    open(resourceId) {
      const token = `4A3407B5-${randomToken(16)}`;
      known.set(token, { resourceId });
      return `${baseUrl}${MONITOR_PATH}${token}`;
    },
    find: (token) => known.get(token),
    reset: () => known.clear(),
  };
}
