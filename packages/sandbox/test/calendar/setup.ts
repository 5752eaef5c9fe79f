import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/index.js';
import { type ApiResponse, type Connected, connect } from '../authorized.js';

export const EVENTS = '/calendar/v3/calendars/primary/events';

export let sandbox: Sandbox;
/** API client with an access token of Ada. */
export let ada: Connected;

/** Starts a calendar sandbox for a test file and resets its data before every test. */
export function useCalendar(): void {
  beforeAll(async () => {
    sandbox = await startSandbox({ connectors: ['calendar'] });
  });
  afterAll(() => sandbox.stop());
  beforeEach(async () => {
    await sandbox.reset();
    await approveAgain();
  });
}

/** Consents again as Ada, for tests whose access token expired or was revoked. */
export async function approveAgain(): Promise<void> {
  ada = await connect(sandbox, 'calendar', { user: 'ada' });
}

export const at = (dateTime: string, timeZone?: string) => ({
  dateTime,
  ...(timeZone === undefined ? {} : { timeZone }),
});
export const HOUR = {
  summary: 'One hour',
  start: at('2027-03-01T09:00:00Z'),
  end: at('2027-03-01T10:00:00Z'),
};

export const insert = (body: object, query = '') => ada.call('POST', `${EVENTS}${query}`, { body });
export const patch = (id: string, body: object, query = '') =>
  ada.call('PATCH', `${EVENTS}/${id}${query}`, { body });
export const get = (id: string) => ada.call('GET', `${EVENTS}/${id}`);
export const list = (query: Record<string, string>) =>
  ada.call('GET', `${EVENTS}?${new URLSearchParams(query)}`);

/** Returns the status, domain and reason of an error response. */
export const reason = ({ status, body }: ApiResponse) => [
  status,
  body.error.errors[0].domain,
  body.error.errors[0].reason,
];

// biome-ignore lint/suspicious/noExplicitAny: expectations read any property of a response
export const items = ({ body }: ApiResponse): any[] => body.items;
