import type { KyInstance } from 'ky';

const USER_AGENT = `svc-core/${VERSION} node/${process.versions.node}`;

/** Loads ky with the first call, because on Node it loads all of `fetch`: 30 ms and 14 MB. */
export async function loadKy(): Promise<KyInstance> {
  const { default: ky } = await import('ky');
  // Only on Node, because a browser would send a preflight request for this header.
  return ky.extend({ headers: { 'user-agent': USER_AGENT } });
}
