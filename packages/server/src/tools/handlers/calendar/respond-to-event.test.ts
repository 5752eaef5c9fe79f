import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../errors.js';
import type { CalendarRespondToEventInput } from '../../../generated/handlers.js';
import type { UpstreamRequest } from '../../handler.js';
import { respondToEvent } from './respond-to-event.js';

const PATH = '/calendar/v3/calendars/primary/events/a';
const host = { email: 'charles@example.com', organizer: true, responseStatus: 'accepted', comment: 'Mine' };
const own = { email: 'ada@example.com', self: true, responseStatus: 'needsAction', comment: 'Earlier' };
const room = { email: 'room@example.com', resource: true, responseStatus: 'accepted' };
const stored = { id: 'a', etag: '"1"', attendees: [host, own, room] };
const lostRace = new ServiceError('upstream_failed', 'Precondition failed', { status: 412, body: {} });

/** Responds to an invitation. The fake upstream returns `responses` in order, and throws those that are errors. */
async function run(reply: Partial<CalendarRespondToEventInput>, responses: readonly unknown[]) {
  const sent: UpstreamRequest[] = [];
  const send = async (request: UpstreamRequest) => {
    const response = responses[sent.push(request) - 1];
    if (response instanceof Error) throw response;
    return response;
  };
  const input = { calendar_id: 'primary', event_id: 'a', response: 'accepted', ...reply } as const;
  const outcome = await respondToEvent(input, send).catch((error: unknown) => error);
  return { sent, outcome };
}

const get = { method: 'GET', path: PATH };
const patch = (body: object, rest: object = {}) => ({
  method: 'PATCH',
  path: PATH,
  headers: { 'If-Match': '"1"' },
  ...rest,
  body,
});
const accepted = { ...own, responseStatus: 'accepted' };

describe('a response', () => {
  test.each([
    {
      title: 'changes only the own status, and keeps the other guests and the earlier comment',
      reply: {},
      event: stored,
      sent: patch({ attendees: [host, accepted, room] }),
    },
    {
      title: 'has a comment and notifies the guests on request',
      reply: { response: 'declined', comment: 'On leave', send_updates: true },
      event: stored,
      sent: patch(
        { attendees: [host, { ...own, responseStatus: 'declined', comment: 'On leave' }, room] },
        { query: { sendUpdates: 'all' } },
      ),
    },
    {
      title: 'removes the comment with an empty string',
      reply: { response: 'tentative', comment: '' },
      event: stored,
      sent: patch({ attendees: [host, { ...own, responseStatus: 'tentative', comment: '' }, room] }),
    },
    {
      title: 'reports a truncated attendee list',
      reply: {},
      event: { ...stored, attendees: [own], attendeesOmitted: true },
      sent: patch({ attendeesOmitted: true, attendees: [accepted] }),
    },
  ] as const)('$title', async ({ reply, event, sent }) => {
    const result = await run(reply, [event, { id: 'responded' }]);
    expect(result.sent).toStrictEqual([get, sent]);
    expect(result.outcome).toEqual({ id: 'responded' });
  });

  test.each([
    { title: 'an event without guests', event: { id: 'a' }, code: 'conflict' },
    { title: 'an event of others', event: { ...stored, attendees: [host, room] }, code: 'conflict' },
    { title: 'a cancelled event', event: { ...stored, status: 'cancelled' }, code: 'not_found' },
    { title: 'a response that is not an event', event: null, code: 'upstream_failed' },
  ])('is refused before anything is written: $title', async ({ event, code }) => {
    const { sent, outcome } = await run({}, [event]);
    expect(outcome).toMatchObject({ code });
    expect(sent).toEqual([get]);
  });

  test('is repeated with the current event after a concurrent change', async () => {
    const newer = { ...stored, etag: '"2"', attendees: [host, own] };
    const { sent, outcome } = await run({}, [stored, lostRace, newer, { id: 'responded' }]);
    expect(outcome).toEqual({ id: 'responded' });
    expect(sent[3]).toMatchObject({ headers: { 'If-Match': '"2"' }, body: { attendees: [host, accepted] } });
  });
});
