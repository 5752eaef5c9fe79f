import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/index.js';
import { type Answer, type Connected, connect } from '../authorized.js';

export const EVENTS = '/calendar/v3/calendars/primary/events';

export let sandbox: Sandbox;
/** An application that Ada approved. */
export let ada: Connected;

/** Gives every test of a file fresh data. */
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

/** A new approval, for when the tokens of the last one are over. */
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

/** Status, domain and reason of an error. */
export const reason = ({ status, body }: Answer) => [
  status,
  body.error.errors[0].domain,
  body.error.errors[0].reason,
];

// biome-ignore lint/suspicious/noExplicitAny: answers are read freely in expectations
export const items = ({ body }: Answer): any[] => body.items;
