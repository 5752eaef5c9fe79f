import type { Fetch } from '../../src/http/fetch.js';

/** The service's fetch without its address checks, which keep it off the loopback addresses that tests listen on. */
export const testFetch: Fetch = (url, init = {}) =>
  fetch(url, {
    method: init.method ?? 'GET',
    headers: Object.fromEntries(new Headers(init.headers)),
    body: typeof init.body === 'string' ? init.body : null,
    signal: init.signal ?? null,
    redirect: 'manual',
  });
