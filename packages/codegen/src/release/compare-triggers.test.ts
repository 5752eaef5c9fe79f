import { loadCatalog } from '@svc/catalog';
import { expect, test } from 'vitest';
import { compareRelease } from './compare-release.js';
import { describeRelease } from './describe-release.js';
import type { ReleasedConnector, ReleasedEntry } from './release-file.js';

const builtIn = loadCatalog();

/** Compares a built-in connector with a release in which the connector was different. */
function changesOf(id: string, was: (released: ReleasedConnector) => Partial<ReleasedConnector>) {
  const catalog = {
    ...builtIn,
    connectors: new Map([...builtIn.connectors].filter(([name]) => name === id)),
  };
  const { connectors } = describeRelease(catalog, () => ({ package: `@svc/${id}`, version: '1.0.0' }));
  const released = connectors[id];
  if (released === undefined) throw new Error(`There is no connector ${id}.`);
  return compareRelease({ connectors: { [id]: { ...released, ...was(released) } } }, catalog)
    .flatMap(({ changes }) => changes)
    .map(({ level, broken, where }) => ({ level, isBroken: broken !== undefined, where }));
}

const payload = { type: 'object', properties: { trigger: { type: 'string' } } };
const name = 'coaching_feedback_completed';

test.each([
  {
    title: 'was removed',
    was: { old: payload },
    change: { level: 'breaking', where: 'webhooks.triggers.old' },
  },
  {
    title: 'is new',
    was: { [name]: undefined },
    change: { level: 'additive', where: `webhooks.triggers.${name}` },
  },
  {
    title: 'lost a field of its payload',
    was: { [name]: { ...payload, required: ['trigger'] } },
    change: { level: 'breaking', where: expect.stringContaining(`webhooks.triggers.${name} output`) },
  },
])('a trigger of webhooks that $title is a change of the release', ({ was, change }) => {
  const changes = changesOf('convintel', ({ triggers }) => ({
    triggers: JSON.parse(JSON.stringify({ ...triggers, ...was })),
  }));
  expect(changes).toContainEqual({ isBroken: false, ...change });
});

const withWatch =
  (tool: string, edit: (entry: ReleasedEntry) => ReleasedEntry) =>
  ({ tools }: ReleasedConnector) => {
    const released = tools[tool];
    if (released === undefined) throw new Error(`There is no tool ${tool}.`);
    return { tools: { ...tools, [tool]: { ...released, entries: released.entries.map(edit) } } };
  };

test('a release must not remove the watch of a released tool', () => {
  const changes = changesOf(
    'calendar',
    withWatch('calendar_get_event_by_id', (entry) => ({ ...entry, isWatched: true })),
  );
  expect(changes).toMatchObject([{ level: 'breaking', isBroken: true }]);
});

test('a release may add a watch to a released tool', () => {
  const changes = changesOf(
    'calendar',
    withWatch('calendar_list_events', ({ isWatched: _, ...entry }) => entry),
  );
  expect(changes).toMatchObject([{ level: 'additive', isBroken: false }]);
});
