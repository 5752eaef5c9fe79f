import { loadCatalog } from '@svc/catalog';
import { expect, test } from 'vitest';
import { createPlanRequest } from './plan-request.js';

const { connectors } = loadCatalog();

test('a dry run accepts encoded slashes where the connector allows them, as the call does', () => {
  const calendar = connectors.get('calendar');
  if (calendar === undefined) throw new Error('There is no calendar.');
  const encodedSlashes = ['/calendar/v3/calendars/{}'];
  const planRequest = createPlanRequest({
    connectors: new Map([['calendar', { ...calendar, encodedSlashes }]]),
  });
  const account = { connector: 'calendar', baseUrl: calendar.baseUrl } as never;
  const plan = (path: string) => planRequest(account, { method: 'GET', path });
  expect(plan('/calendar/v3/calendars/a%2Fb').path).toBe('/calendar/v3/calendars/a%2Fb');
  expect(() => plan('/calendar/v3/users/a%2Fb')).toThrow('encoded slash');
});
