import { describe, expect, test } from 'vitest';
import { attendeesOf, eventFields, writeQuery } from './event-body.js';
import { readEvent } from './stored-event.js';

describe('eventFields', () => {
  test('maps every field to its name in the calendar API', () => {
    const fields = eventFields({
      summary: 'Review',
      description: '<b>Agenda</b>',
      location: 'Room 4',
      recurrence: ['RRULE:FREQ=DAILY'],
      visibility: 'private',
      guests_can_invite_others: false,
      guests_can_modify: true,
      guests_can_see_other_guests: false,
    });
    expect(fields).toStrictEqual({
      summary: 'Review',
      description: '<b>Agenda</b>',
      location: 'Room 4',
      recurrence: ['RRULE:FREQ=DAILY'],
      visibility: 'private',
      guestsCanInviteOthers: false,
      guestsCanModify: true,
      guestsCanSeeOtherGuests: false,
    });
  });

  test('omits missing fields and keeps empty ones', () => {
    expect(eventFields({ summary: '', recurrence: [] })).toStrictEqual({ summary: '', recurrence: [] });
  });

  test.each([
    { given: 'free', sent: 'transparent' },
    { given: 'busy', sent: 'opaque' },
    { given: 'transparent', sent: 'transparent' },
    { given: 'opaque', sent: 'opaque' },
  ] as const)('maps the transparency $given to $sent', ({ given, sent }) => {
    expect(eventFields({ transparency: given })).toStrictEqual({ transparency: sent });
  });
});

describe('attendeesOf', () => {
  const ada = { email: 'ada@example.com', self: true, responseStatus: 'accepted', comment: 'On my way' };
  const grace = {
    email: 'Grace@Example.com',
    displayName: 'Grace',
    optional: true,
    responseStatus: 'declined',
  };
  const nameless = { id: '42', responseStatus: 'accepted' };
  const stored = readEvent({ id: 'a', attendees: [ada, grace, nameless] });

  test.each([
    { title: 'keeps all data of a remaining attendee', emails: ['ada@example.com'], attendees: [ada] },
    { title: 'compares addresses case-insensitively', emails: ['grace@example.com'], attendees: [grace] },
    {
      title: 'adds a new address at its position',
      emails: ['new@example.com', 'ada@example.com'],
      attendees: [{ email: 'new@example.com' }, ada],
    },
    {
      title: 'adds no duplicate',
      emails: ['new@example.com', 'NEW@example.com'],
      attendees: [{ email: 'new@example.com' }],
    },
    { title: 'removes all attendees with an empty list', emails: [], attendees: [] },
  ])('$title', ({ emails, attendees }) => {
    expect(attendeesOf(emails, stored)).toStrictEqual(attendees);
  });
});

test.each([
  { title: 'no parameter by default', sendUpdates: undefined, body: {}, sent: {} },
  { title: 'all for true', sendUpdates: true, body: {}, sent: { query: { sendUpdates: 'all' } } },
  { title: 'none for false', sendUpdates: false, body: {}, sent: { query: { sendUpdates: 'none' } } },
  {
    title: 'the conference version with a meeting room',
    sendUpdates: undefined,
    body: { conferenceData: {} },
    sent: { query: { conferenceDataVersion: 1 } },
  },
])('the query of a write contains $title', ({ sendUpdates, body, sent }) => {
  expect(writeQuery(sendUpdates, body)).toStrictEqual(sent);
});
