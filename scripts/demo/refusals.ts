import { calendar } from '@svc/calendar';
import { type Client, type ConnectedAccount, InvalidInputError } from '@svc/core';
import type { Sandbox } from '@svc/sandbox';
import { workspace } from '@svc/workspace';
import { check, say } from './transcript.ts';

async function refused(what: string, call: () => Promise<unknown>): Promise<void> {
  const error = await call().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof InvalidInputError))
    throw new Error(`The demo expected that the service refuses ${what}, but it did not: ${error}`);
  say(what);
  for (const { message } of error.errors) console.log(`      ✗ ${message}`);
}

/**
 * Demo of invalid tool inputs that the compiler would reject. The service reports every problem and sends no upstream
 * request.
 */
export async function demoRefusals(
  svc: Client,
  accounts: { workspace: ConnectedAccount; calendar: ConnectedAccount },
  sandbox: Sandbox,
): Promise<void> {
  await sandbox.clearRequests();
  const pages = workspace(svc, accounts.workspace);
  const events = calendar(svc, accounts.calendar);
  await refused('a page with two parents', () =>
    // @ts-expect-error exactly one of the two is taken
    pages.pageCreate({
      database_id: '59833787-2cf9-4fdf-8782-e53db20768a5',
      parent_page_id: '59833787-2cf9-4fdf-8782-e53db20768a5',
    }),
  );
  await refused('an event with a misspelt field and a duration in words', () =>
    events.createEvent({
      sumary: 'Review',
      start_datetime: '2026-12-01',
      event_duration_minutes: 'thirty',
    } as unknown as Parameters<typeof events.createEvent>[0]),
  );
  await refused('a list sorted by start without single events', () =>
    events.listEvents({
      order_by: 'startTime',
      time_min: '2026-12-02T00:00:00Z',
      time_max: '2026-12-01T00:00:00Z',
    }),
  );
  check('none of these calls reached an upstream', (await sandbox.requests()).length === 0);
}
