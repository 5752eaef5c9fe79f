import { describe, expect, test } from 'vitest';
import { ada, at, EVENTS, get, insert, items, list, patch, reason, useCalendar } from './setup.js';

useCalendar();

describe('a recurring event', () => {
  const ZONE = 'Europe/London';
  const series = (recurrence: string[], start = '2027-03-22T09:00:00') => ({
    summary: 'Series',
    start: at(start, ZONE),
    end: at(start.replace('09:00', '09:30'), ZONE),
    recurrence,
  });
  const expand = async (query: Record<string, string> = {}) =>
    items(await list({ q: 'Series', singleEvents: 'true', orderBy: 'startTime', ...query }));
  const days = async (query?: Record<string, string>) =>
    (await expand(query)).map(({ start }) => (start.dateTime ?? start.date).slice(0, 10));

  test.each([
    {
      title: 'every day, three times',
      rule: 'FREQ=DAILY;COUNT=3',
      expected: ['2027-03-22', '2027-03-23', '2027-03-24'],
    },
    {
      title: 'every second day until a date',
      rule: 'FREQ=DAILY;INTERVAL=2;UNTIL=20270326',
      expected: ['2027-03-22', '2027-03-24', '2027-03-26'],
    },
    {
      title: 'until an instant before the last occurrence',
      rule: 'FREQ=DAILY;UNTIL=20270324T085959Z',
      expected: ['2027-03-22', '2027-03-23'],
    },
    {
      title: 'on several weekdays',
      rule: 'FREQ=WEEKLY;BYDAY=MO,WE,FR;COUNT=4',
      expected: ['2027-03-22', '2027-03-24', '2027-03-26', '2027-03-29'],
    },
    {
      title: 'every second week',
      rule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;COUNT=4',
      expected: ['2027-03-22', '2027-03-28', '2027-04-05', '2027-04-11'],
    },
    {
      title: 'every weekday',
      rule: 'FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR;COUNT=6',
      expected: ['2027-03-22', '2027-03-23', '2027-03-24', '2027-03-25', '2027-03-26', '2027-03-29'],
    },
    {
      title: 'every month on the same day',
      rule: 'FREQ=MONTHLY;COUNT=2',
      expected: ['2027-03-22', '2027-04-22'],
    },
    {
      title: 'the fourth Monday of the month',
      rule: 'FREQ=MONTHLY;BYDAY=4MO;COUNT=3',
      expected: ['2027-03-22', '2027-04-26', '2027-05-24'],
    },
    {
      title: 'on the last day of the month after the first occurrence',
      rule: 'FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3',
      expected: ['2027-03-22', '2027-03-31', '2027-04-30'],
    },
    {
      title: 'on the first Monday of the year after the first occurrence',
      rule: 'FREQ=YEARLY;BYDAY=1MO;COUNT=2',
      expected: ['2027-03-22', '2028-01-03'],
    },
    {
      title: 'on a day of every month with FREQ=YEARLY',
      rule: 'FREQ=YEARLY;BYMONTHDAY=22;COUNT=2',
      expected: ['2027-03-22', '2027-04-22'],
    },
    {
      title: 'on a weekday of some months',
      rule: 'FREQ=YEARLY;BYMONTH=3,5;BYDAY=4MO;COUNT=3',
      expected: ['2027-03-22', '2027-05-24', '2028-03-27'],
    },
    { title: 'every year', rule: 'FREQ=YEARLY;COUNT=2', expected: ['2027-03-22', '2028-03-22'] },
  ])('repeats $title', async ({ rule, expected }) => {
    expect((await insert(series([`RRULE:${rule}`]))).status).toBe(200);
    expect(await days({ timeMax: '2029-01-01T00:00:00Z' })).toEqual(expected);
  });

  test('omits EXDATE days and adds RDATE days', async () => {
    await insert(
      series(['RRULE:FREQ=DAILY;COUNT=3', `EXDATE;TZID=${ZONE}:20270323T090000`, 'RDATE:20270401T080000Z']),
    );
    expect(await days()).toEqual(['2027-03-22', '2027-03-24', '2027-04-01']);
  });

  test.each([
    'FREQ=HOURLY',
    'FREQ=DAILY;COUNT=0',
    'FREQ=DAILY;COUNT=2;UNTIL=20270401',
    'INTERVAL=2',
    'FREQ=WEEKLY;BYDAY=XX',
    'FREQ=DAILY;BYLUCK=1',
  ])('refuses the rule %s', async (rule) => {
    expect(reason(await insert(series([`RRULE:${rule}`])))).toEqual([400, 'global', 'invalid']);
  });

  test('keeps its local time across daylight saving time, and derives the instance ids from UTC', async () => {
    const { body } = await insert(series(['RRULE:FREQ=WEEKLY;COUNT=2']));
    const [before, after] = await expand();
    expect([before.start.dateTime, after.start.dateTime]).toEqual([
      '2027-03-22T09:00:00Z',
      '2027-03-29T09:00:00+01:00',
    ]);
    expect(after).toMatchObject({
      id: `${body.id}_20270329T080000Z`,
      recurringEventId: body.id,
      originalStartTime: { dateTime: '2027-03-29T09:00:00+01:00' },
    });
    expect(after.recurrence).toBeUndefined();
    expect((await get(after.id)).body.id).toBe(after.id);
    expect((await get(`${body.id}_20270330T080000Z`)).status).toBe(404);
  });

  test('is one item if it is not expanded, and matches by any of its instances', async () => {
    const { body } = await insert(series(['RRULE:FREQ=WEEKLY']));
    const instances = items(
      await list({ q: 'Series', timeMin: '2028-01-01T00:00:00Z', timeMax: '2028-01-08T00:00:00Z' }),
    );
    expect(instances).toMatchObject([
      { id: body.id, recurrence: ['RRULE:FREQ=WEEKLY'], start: { dateTime: '2027-03-22T09:00:00Z' } },
    ]);
    expect(await days({ timeMin: '2028-01-01T00:00:00Z', timeMax: '2028-01-08T00:00:00Z' })).toEqual([
      '2028-01-03',
    ]);
  });

  test('keeps moved and cancelled instances as exceptions', async () => {
    const { body } = await insert(series(['RRULE:FREQ=DAILY;COUNT=3']));
    const [first, second] = await expand();
    await patch(first.id, {
      summary: 'Series moved',
      start: at('2027-03-22T15:00:00Z'),
      end: at('2027-03-22T16:00:00Z'),
    });
    expect((await ada.call('DELETE', `${EVENTS}/${second.id}`)).status).toBe(204);
    expect((await expand()).map(({ summary }) => summary)).toEqual(['Series moved', 'Series']);
    const all = items(await list({ iCalUID: `${body.id}@google.com` }));
    expect(all.filter(({ status }) => status === 'cancelled')).toEqual([
      {
        kind: 'calendar#event',
        etag: expect.any(String),
        id: second.id,
        status: 'cancelled',
        recurringEventId: body.id,
        originalStartTime: second.originalStartTime,
      },
    ]);
    const instances = await ada.call('GET', `${EVENTS}/${body.id}/instances?showDeleted=true`);
    expect(items(instances)).toHaveLength(3);
    expect((await patch(first.id, { recurrence: ['RRULE:FREQ=DAILY'] })).status).toBe(400);
  });

  test('is deleted with all instances', async () => {
    const { body } = await insert(series(['RRULE:FREQ=DAILY;COUNT=3']));
    const [first] = await expand();
    await patch(first.id, { summary: 'Series moved' });
    await ada.call('DELETE', `${EVENTS}/${body.id}`);
    expect(await expand()).toEqual([]);
    expect((await get(first.id)).body.status).toBe('cancelled');
  });

  test('expands whole days by date', async () => {
    const { body } = await insert({
      summary: 'Series',
      start: { date: '2027-03-27' },
      end: { date: '2027-03-28' },
      recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
    });
    expect((await expand()).map(({ id, start, end }) => [id, start.date, end.date])).toEqual([
      [`${body.id}_20270327`, '2027-03-27', '2027-03-28'],
      [`${body.id}_20270328`, '2027-03-28', '2027-03-29'],
      [`${body.id}_20270329`, '2027-03-29', '2027-03-30'],
    ]);
  });
});
