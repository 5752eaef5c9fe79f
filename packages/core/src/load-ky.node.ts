import type { KyInstance } from 'ky';

const AGENT = `svc-core/${VERSION} node/${process.versions.node}`;

/** Gives ky on Node, where it loads all of fetch (30 ms, 14 MB): a process that makes no call does not pay. */
export const loadKy = async (): Promise<KyInstance> =>
  // Browsers have a user agent of their own, and would ask the service first whether it takes another.
  (await import('ky')).default.extend({ headers: { 'user-agent': AGENT } });
