import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/index.js';

export let sandbox: Sandbox;

export function useNetwork(): void {
  beforeAll(async () => {
    sandbox = await startSandbox({ connectors: ['network'] });
  });
  afterAll(() => sandbox.stop());
  beforeEach(() => sandbox.reset());
}

interface Options {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Sends a request with exactly these headers, because tests check where a key must be. */
export async function call(path: string, { method = 'GET', headers = {}, body }: Options = {}) {
  const response = await fetch(`${sandbox.upstream('network').baseUrl}${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: expectations read any property of a response
  const parsed: any = await response.json();
  return { status: response.status, body: parsed };
}

/** Sends a GET to the data service with a valid key. */
export const get = (path: string, query: Record<string, string> = {}) =>
  call(`/linkedin/${path}?${new URLSearchParams(query)}`, { headers: { 'x-api-key': 'sandbox-key' } });

/** Runs an actor of the scraping platform. Default: the profile scraper. */
export const scrape = (body: unknown, actor = 'harvestapi~linkedin-profile-scraper', query = '') =>
  call(`/scraper/v2/acts/${actor}/run-sync-get-dataset-items?${query}`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox-token' },
    body,
  });
