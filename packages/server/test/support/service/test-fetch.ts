import type { Fetch } from '../../../src/http/fetch.js';

/** `fetch` without the service's address checks, because those refuse the loopback addresses of test servers. */
export const testFetch: Fetch = (url, init = {}) =>
  fetch(url, {
    method: init.method ?? 'GET',
    headers: Object.fromEntries(new Headers(init.headers)),
    body: typeof init.body === 'string' ? init.body : null,
    signal: init.signal ?? null,
    redirect: 'manual',
  });
