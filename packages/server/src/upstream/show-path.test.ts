import { loadCatalog } from '@svc/catalog';
import { expect, test } from 'vitest';
import { createShowPath } from './show-path.js';

const showPath = createShowPath(loadCatalog({ now: () => new Date('2026-11-20T12:00:00Z') }));

test.each([
  ['calendar', '/calendar/v3/users/me/calendarList', '/calendar/v3/users/me/calendarList'],
  ['calendar', '/calendar/v3/calendars/ada%40example.com/events', '/calendar/v3/calendars/{id}/events'],
  ['calendar', '/calendar/v3/calendars/ada@example.com/events', '/calendar/v3/calendars/{id}/events'],
  [
    'calendar',
    '/calendar/v3/calendars/primary/events/4tdq0c7rm1k2',
    '/calendar/v3/calendars/primary/events/{id}',
  ],
  ['calendar', '/calendar/v3/freeBusy', '/calendar/v3/freeBusy'],
  ['video', '/youtube/v3/playlistItems', '/youtube/v3/playlistItems'],
  ['video', '/youtube/v3/captions/AUieDaZ8Fw', '/youtube/v3/captions/{id}'],
  ['workspace', '/v1/pages/59833787-2cf9-4fdf-8782-e53db20768a5/markdown', '/v1/pages/{id}/markdown'],
  ['workspace', '/v1/data_sources/2a9d6c31/query', '/v1/data_sources/{id}/query'],
  ['filesite', '/v1.0/drives/b!7iw0/items/01TEX/createLink', '/v1.0/drives/{id}/items/{id}/createLink'],
  [
    'filesite',
    '/v1.0/sites/root/drive/root:/reports/salary:/content',
    '/v1.0/sites/root/drive/root:/{id}/{id}/content',
  ],
  ['network', '/v2/acts/harvestapi~linkedin-profile/run-sync', '/v2/acts/{id}/run-sync'],
  ['convintel', '/getActivities', '/getActivities'],
  ['convintel', '/webhooks/9d8c7b6a-5f4e-4d3c-8b2a-1f0e9d8c7b6a', '/webhooks/{id}'],
  ['notesmcp', '/mcp', '/mcp'],
  ['scrapermcp', '/', '/'],
])('%s: the path %s is shown as %s', (connector, path, shown) => {
  expect(showPath(path, connector)).toBe(shown);
});

test.each([
  ['/users/12345', '/users/{id}'],
  ['/users/AdaLovelace', '/users/{id}'],
  ['/tokens/ya29.a0ARrdaM9sK2q', '/tokens/{id}'],
  ['/tokens/abcdefghijklmnopqrstuvwxyz', '/tokens/{id}'],
  ['/a/../b', '/a/{id}/b'],
  ['/%2e%2e/x', '/{id}/x'],
  ['/https:/api.example/x', '/https:/{id}/{id}'],
  ['/it\u202es/\u0000', '/{id}/{id}'],
  ['/Ü', '/{id}'],
  ['//x', '//x'],
  ['/me?token=1', '/{id}'],
  [`/${'a/'.repeat(3000)}`, '/a/a/a/a/a/a/a/a/a/a/a/a/…'],
  [`/${'9'.repeat(8000)}`, '/{id}'],
])('the hostile path %j is shown as %s', (path, shown) => {
  expect(showPath(path, undefined)).toBe(shown);
});
