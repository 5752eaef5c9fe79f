import { describe, expect, test } from 'vitest';
import { connect } from '../authorized.js';
import { ada, EVENTS, get, HOUR, insert, items, list, patch, reason, sandbox, useCalendar } from './setup.js';

useCalendar();

const CALENDAR = '/calendar/v3/calendars/primary';
const calendar = async () => (await ada.call('GET', CALENDAR)).body;
const change = (body: object, path = CALENDAR) => ada.call('PATCH', path, { body });
const LABEL = { id: 'aaaa', backgroundColor: '#33b679', name: 'Team' };

describe('event labels', () => {
  test('are replaced as a whole and kept if absent', async () => {
    expect((await calendar()).labelProperties.eventLabels).toHaveLength(1);
    await change({ labelProperties: { eventLabels: [LABEL] } });
    await change({ description: 'Other' });
    expect((await calendar()).labelProperties).toEqual({ eventLabels: [LABEL] });
  });

  test.each([
    { title: 'no id', label: { backgroundColor: '#33b679' } },
    { title: 'no color', label: { id: 'aaaa' } },
    { title: 'a color name', label: { id: 'aaaa', backgroundColor: 'green' } },
  ])('are refused if a label has $title', async ({ label }) => {
    const response = await change({ labelProperties: { eventLabels: [label] } });
    expect(reason(response)).toEqual([400, 'global', 'invalid']);
  });

  test('are limited to 200', async () => {
    const eventLabels = Array.from({ length: 201 }, (_, index) => ({ ...LABEL, id: `label${index}` }));
    expect((await change({ labelProperties: { eventLabels } })).status).toBe(400);
    expect((await change({ labelProperties: { eventLabels: eventLabels.slice(1) } })).status).toBe(200);
  });

  test('are accepted only with eventLabelVersion=1, which ignores colors', async () => {
    await change({ labelProperties: { eventLabels: [LABEL] } });
    const event = { ...HOUR, eventLabelId: LABEL.id, colorId: '5' };
    const old = (await insert(event)).body;
    expect([old.eventLabelId, old.colorId]).toEqual([undefined, '5']);
    const { body } = await insert(event, '?eventLabelVersion=1');
    expect([body.eventLabelId, body.colorId]).toEqual([LABEL.id, undefined]);
    expect((await patch(body.id, { eventLabelId: '' })).body.eventLabelId).toBe(LABEL.id);
    expect((await patch(body.id, { summary: 'New' }, '?eventLabelVersion=1')).body.eventLabelId).toBe(
      LABEL.id,
    );
    expect((await patch(old.id, { summary: 'New' })).body.colorId).toBe('5');
    await patch(body.id, { eventLabelId: '' }, '?eventLabelVersion=1');
    expect((await get(body.id)).body.eventLabelId).toBeUndefined();
  });

  test('are refused if the calendar does not have them', async () => {
    const response = await insert({ ...HOUR, eventLabelId: 'other' }, '?eventLabelVersion=1');
    expect(reason(response)).toEqual([400, 'global', 'invalid']);
  });
});

describe('working hours', () => {
  const hours = {
    workingHoursEnabled: true,
    availableTimes: [{ dayOfWeek: 'monday', periodStart: 540, periodEnd: 1020 }],
  };

  test('are replaced as a whole and kept if absent or empty', async () => {
    await change({ workingHours: hours });
    await change({ workingHours: {} });
    expect((await calendar()).workingHours).toEqual(hours);
    await change({ workingHours: { workingHoursEnabled: false } });
    expect((await calendar()).workingHours).toEqual({ workingHoursEnabled: false, availableTimes: [] });
  });

  test.each([
    { title: 'enabled hours without times', workingHours: { workingHoursEnabled: true } },
    {
      title: 'an unknown day',
      workingHours: { availableTimes: [{ dayOfWeek: 'Monday', periodStart: 0, periodEnd: 1 }] },
    },
    {
      title: 'an end before the start',
      workingHours: { availableTimes: [{ dayOfWeek: 'monday', periodStart: 2, periodEnd: 1 }] },
    },
  ])('are refused: $title', async ({ workingHours }) => {
    expect(reason(await change({ workingHours }))).toEqual([400, 'global', 'invalid']);
  });

  test('belong only to a primary calendar', async () => {
    const { body } = await ada.call('POST', '/calendar/v3/calendars', { body: { summary: 'Second' } });
    expect(body.workingHours).toBeUndefined();
    expect((await change({ workingHours: hours }, `/calendar/v3/calendars/${body.id}`)).status).toBe(400);
  });
});

test('the visibility of one instance applies to the whole series', async () => {
  const instances = async () => items(await ada.call('GET', `${EVENTS}/seedstandup/instances?maxResults=3`));
  const [first, second] = await instances();
  await patch(second.id, { summary: 'Exception' });
  await patch(first.id, { visibility: 'private', location: 'Here' });
  expect((await instances()).map(({ visibility }) => visibility)).toEqual(['private', 'private', 'private']);
  expect((await instances()).map(({ location }) => location)).toEqual(['Here', undefined, undefined]);
  expect((await get('seedstandup')).body.visibility).toBe('private');
  const [other] = items(await list({ q: 'Lunch' }));
  expect(other.visibility).toBeUndefined();
});

test('a change with attendeesOmitted applies only to the own attendee entry', async () => {
  const own = { email: 'ada@example.com', responseStatus: 'declined', comment: 'On leave' };
  const { body } = await patch('seedplanning', { attendeesOmitted: true, attendees: [own] });
  expect(body.attendees).toMatchObject([
    { email: 'charles@example.com', responseStatus: 'accepted' },
    { ...own, self: true },
  ]);
  const forged = {
    attendeesOmitted: true,
    attendees: [{ email: 'charles@example.com', responseStatus: 'declined' }],
  };
  expect((await patch('seedplanning', forged)).body.attendees).toEqual(body.attendees);
});

test.each([
  { scope: 'calendar.events.freebusy', method: 'POST', path: '/calendar/v3/freeBusy' },
  { scope: 'calendar.calendars.readonly', method: 'GET', path: CALENDAR },
] as const)('the scope $scope allows $path', async ({ scope, method, path }) => {
  const call = async (name: string) => {
    const scope = `https://www.googleapis.com/auth/${name}`;
    const application = await connect(sandbox, 'calendar', { user: 'ada', params: { scope } });
    const body = {
      timeMin: '2026-12-01T00:00:00Z',
      timeMax: '2026-12-02T00:00:00Z',
      items: [{ id: 'primary' }],
    };
    return (await application.call(method, path, method === 'GET' ? {} : { body })).status;
  };
  expect([await call(scope), await call('calendar.events')]).toEqual([200, 403]);
});
