import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/index.js';
import { type Connected, connect } from '../authorized.js';

export const V22 = { 'notion-version': '2022-06-28' };
export const V25 = { 'notion-version': '2025-09-03' };
export const V26 = { 'notion-version': '2026-03-11' };
export const UNKNOWN = '11111111-2222-3333-4444-555555555555';

export let sandbox: Sandbox;
/** API client with an access token of Ada. Calls without a version header use the version 2022-06-28. */
export let ada: Connected;

/** Starts a workspace sandbox for a test file and resets its data before every test. */
export function useWorkspace(): void {
  beforeAll(async () => {
    sandbox = await startSandbox({ connectors: ['workspace'], rateLimits: false });
  });
  afterAll(() => sandbox.stop());
  beforeEach(async () => {
    await sandbox.reset();
    ada = await connect(sandbox, 'workspace', { user: 'ada', headers: V22 });
  });
}

/** Returns the id of a seeded object, found by search. */
export async function search(
  query: string,
  kind: string,
  headers: Record<string, string> = V22,
): Promise<string> {
  const filter = { property: 'object', value: kind };
  const { body } = await ada.call('POST', '/v1/search', { headers, body: { query, filter } });
  return body.results[0].id;
}

export const text = (content: string) => [{ text: { content } }];
export const paragraph = (content: string) => ({ paragraph: { rich_text: text(content) } });
