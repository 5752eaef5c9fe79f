import { expect, test } from 'vitest';
import { findChanges } from './find-changes.js';

const MINUTE_MS = 60_000;
const WATCH = { id: 'id', items: 'pages', time: 'edited', resolution: 60, newestFirst: { overlap: 600 } };
const ASKED_AT = Date.parse('2026-11-20T10:00:05Z');

/** Returns the changes that a watch reports for a new item whose time the upstream has rounded down to this minute. */
function changesAt(minute: string): readonly string[] {
  const at = Date.parse(minute);
  const version = { version: 'v1', versionDigest: 'd1' };
  const item = { id: 'a', key: 'k', ...version, at, createdAt: undefined, isDeleted: false, data: {} };
  const since = ASKED_AT - 10 * MINUTE_MS;
  const state = { known: new Map(), since, newSince: since, isFull: false, askedAt: ASKED_AT };
  return findChanges(WATCH, [item], state).changes.map(({ type }) => type);
}

test.each([
  { title: 'that has not ended', minute: '2026-11-20T10:00:00Z', changes: [] },
  { title: 'that ended 5 s before the request', minute: '2026-11-20T09:59:00Z', changes: [] },
  {
    title: 'that has ended on a slow clock too',
    minute: '2026-11-20T09:58:00Z',
    changes: ['watch.item_created'],
  },
])('an item of a minute $title is reported once no second edit can get its time', ({ minute, changes }) => {
  expect(changesAt(minute)).toEqual(changes);
});
