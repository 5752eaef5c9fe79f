import type { KyInstance } from 'ky';

const USER_AGENT = `svc-core/${VERSION} node/${process.versions.node}`;

/** Loads ky, the HTTP client, at the first call. ky loads `fetch` on Node.js, which takes 30 ms and 14 MB. */
export async function loadKy(): Promise<KyInstance> {
  const { default: ky } = await import('ky');
  // Sets the user agent header only on Node.js, because a browser would send a preflight request for it.
  return ky.extend({ headers: { 'user-agent': USER_AGENT } });
}
