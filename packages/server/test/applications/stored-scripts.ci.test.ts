import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { html } from '../../src/routes/connect/html.js';
import type { Database } from '../../src/storage/schema.js';
import { STORED_SCRIPTS, storeScripts } from '../support/secrets/store-scripts.js';
import { fetchReply } from '../support/service/application.js';
import { type SignedInOperator, signInOperator } from '../support/service/operator.js';
import { type Service, startService } from '../support/service/service.js';

let database: Database;

vi.mock(import('../../src/storage/database.js'), async (importActual) => {
  const actual = await importActual();
  return {
    ...actual,
    openDatabase: async (source) => {
      const opened = await actual.openDatabase(source);
      database = opened.database;
      return opened;
    },
  };
});

let service: Service;
let operator: SignedInOperator;
let applications: readonly string[];

beforeAll(async () => {
  service = await startService({ connectors: [] });
  const { url } = service;
  operator = await signInOperator({ url, ...(await service.app.operators.create('ada', 'owner')) });
  applications = await storeScripts(database);
});
afterAll(() => service.stop());

const LISTS = ['/applications?pageSize=100', '/audit-events?pageSize=100', '/operators', '/session/passkeys'];
const LISTS_OF_ONE = ['', '/connections', '/connections/calendar', '/accounts', '/executions'];

describe('D2: a stored script', () => {
  test.each(LISTS)('is returned as JSON and never as a page at %s', async (path) => {
    const { status, headers, text } = await operator.call('GET', path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    for (const script of STORED_SCRIPTS) expect(text).toContain(JSON.stringify(script));
  });

  test.each(LISTS_OF_ONE)('is returned as JSON of its application at %s', async (path) => {
    for (const [index, id] of applications.entries()) {
      const { status, headers, text } = await operator.call('GET', `/applications/${id}${path}`);
      expect([status, text.includes(JSON.stringify(STORED_SCRIPTS[index]))]).toEqual([200, true]);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
  });

  test.each(['en', 'de'])('is escaped on the connect page: %s', async (language) => {
    for (const [index, id] of applications.entries()) {
      const script = STORED_SCRIPTS[index] ?? '';
      const { link } = (
        await operator.call(
          'POST',
          `/applications/${id}/connections/calendar/accounts/${encodeURIComponent(script)}/authorization-link`,
          { body: {} },
        )
      ).json<{ link: string }>();
      const { status, text } = await fetchReply(link, { headers: { 'accept-language': language } });
      expect(status).toBe(200);
      expect(text).toContain(html`${script}`.html);
      if (/[<"']/.test(script)) expect(text).not.toContain(script);
    }
  });
});
