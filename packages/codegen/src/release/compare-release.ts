import { type Catalog, type Connector, compareVersions, type Tool } from '@svc/catalog';
import { type Change, change } from './change.js';
import { compareContracts, numberProblem } from './compare-entries.js';
import { compareShapes, shapesHash } from './compare-shapes.js';
import { compareTraits } from './compare-tools.js';
import { compareTriggers } from './compare-triggers.js';
import { compareUpstream } from './compare-upstream.js';
import { connectorHash, describeEntry, isSameEntry, toolHash, type VersionPair } from './describe-release.js';
import { isSameJson } from './json-hash.js';
import type { ReleasedConnector, ReleasedEntry, ReleasedTool, ReleaseFile } from './release-file.js';

/** Change of a connector since the last release. */
export interface ReleaseChange extends Change {
  /** Reason why the change must not be released: it breaks a promise of an earlier release of the connector. */
  readonly broken?: string;
}

/** Changes of a connector since its last release. `released` is undefined for a new connector. */
export interface ConnectorChanges {
  readonly id: string;
  readonly released: { readonly package: string; readonly version: string } | undefined;
  readonly changes: readonly ReleaseChange[];
}

const NEW_ENTRY = 'a released version must not change; restore it, and add the change as a new version';

/**
 * Creates a change that makes a released tool version uncallable. A release must not contain it, because callers rely
 * on released versions.
 */
const taken = (where: string, reason: string): ReleaseChange => ({
  ...change('breaking', where, reason),
  broken: 'a released version must stay callable; restore it',
});

/** Compares the connectors of a catalogue with the last release. Leaves out unchanged connectors. */
export function compareRelease(
  { connectors: released }: ReleaseFile,
  catalog: Catalog,
): readonly ConnectorChanges[] {
  const removed = Object.keys(released).filter((id) => !catalog.connectors.has(id));
  return [
    ...[...catalog.connectors.values()].map((connector) =>
      compareConnector(catalog, connector, released[connector.id]),
    ),
    ...removed.map((id) => ({
      id,
      released: released[id],
      changes: [taken(id, 'the connector was removed')],
    })),
  ].filter(({ changes }) => changes.length > 0);
}

function compareConnector(
  catalog: Catalog,
  connector: Connector,
  released: ReleasedConnector | undefined,
): ConnectorChanges {
  const { id } = connector;
  if (released === undefined)
    return { id, released, changes: [change('additive', id, 'the connector is new')] };
  const names = new Set(connector.tools.map(({ name }) => name));
  const removed = Object.keys(released.tools).filter((name) => !names.has(name));
  const changes = [
    ...compareFile(connector, released),
    ...compareTriggers(catalog, connector, released),
    ...compareShapes(catalog, connector, released),
    ...removed.map((name) => taken(name, 'the tool was removed')),
    ...connector.tools.flatMap((tool) => compareTool({ catalog, connector, tool, released })),
  ];
  const isInOtherWords =
    changes.length === 0 &&
    released.shapes !== undefined &&
    released.shapes !== shapesHash(catalog, connector);
  const words = change('internal', 'types', 'descriptions of shapes changed');
  return { id, released, changes: isInOtherWords ? [words] : changes };
}

/** Compares the content of a connector.json with the released content. */
function compareFile(connector: Connector, { hash, upstream }: ReleasedConnector): readonly ReleaseChange[] {
  if (connectorHash(connector) === hash) return [];
  const changes = upstream === undefined ? [] : compareUpstream(upstream, connector);
  if (changes.length > 0) return changes;
  return [change('internal', connector.id, 'connector.json changed')];
}

interface Both {
  readonly catalog: Catalog;
  readonly connector: Connector;
  readonly tool: Tool;
  readonly released: ReleasedConnector;
}

function compareTool(both: Both): readonly ReleaseChange[] {
  const { tool, released } = both;
  const before = released.tools[tool.name];
  if (before === undefined) return [change('additive', tool.name, 'the tool is new')];
  const changes = [
    ...compareEntries(both, before),
    ...compareCurrent(both, before),
    ...compareTraits(before, tool),
  ].map(within(tool.name));
  if (changes.length > 0 || before.hash === toolHash(tool)) return changes;
  return [change('internal', tool.name, 'the texts or the examples of the tool changed')];
}

function within<Each extends Change>(where: string): (each: Each) => Each {
  return (each) => ({ ...each, where: `${where} ${each.where}` });
}

function compareEntries(both: Both, before: ReleasedTool): readonly ReleaseChange[] {
  const { catalog, tool } = both;
  const removed = before.entries.filter(
    (entry) => !tool.versions.some((version) => isSameEntry(entry, version)),
  );
  const present = tool.versions.map((version) => describeEntry(catalog, tool, version));
  return [
    ...removed.map((entry) => taken(nameOf(entry), 'the version was removed')),
    ...present.flatMap((entry) => {
      const old = before.entries.find((each) => isSameEntry(each, entry));
      return old === undefined ? newEntry(both, before, entry) : releasedEntry(both, old, entry);
    }),
  ];
}

type Entry = Omit<ReleasedEntry, 'since'>;

const nameOf = ({ schema_version, tool_version }: VersionPair): string =>
  schema_version === tool_version ? schema_version : `${schema_version} (${tool_version})`;

function contractsOf({ connector, released }: Both, before: Entry, after: Entry) {
  return compareContracts({ ...before, types: released.types }, { ...after, types: connector.types });
}

function releasedEntry(both: Both, before: ReleasedEntry, after: Entry): readonly ReleaseChange[] {
  const where = nameOf(after);
  const changes = contractsOf(both, before, after)
    .map(within(where))
    .map((each) => (each.level === 'internal' ? each : { ...each, broken: NEW_ENTRY }));
  const watch = compareWatch(before, after).map(within(where));
  const isSameWay = isSameJson([before.way, before.paging], [after.way, after.paging]);
  const way = { ...change('internal', where, 'the implementation changed'), broken: NEW_ENTRY };
  return [...changes, ...watch, ...(isSameWay ? [] : [way])];
}

function compareWatch({ isWatched: was }: ReleasedEntry, { isWatched: is }: Entry): readonly ReleaseChange[] {
  if (was === is) return [];
  return is
    ? [change('additive', 'watch', 'the tool can now be watched')]
    : [taken('watch', 'the watch was removed')];
}

/**
 * Compares a new version of a tool with the released versions. A new `tool_version` must keep the input and output of
 * its `schema_version`. A new `schema_version` needs a number that fits the change.
 */
function newEntry(both: Both, before: ReleasedTool, entry: Entry): readonly ReleaseChange[] {
  const added = change('additive', nameOf(entry), 'the version is new');
  const older = before.entries
    .filter(({ schema_version }) => compareVersions(schema_version, entry.schema_version) <= 0)
    .sort((a, b) => compareVersions(b.schema_version, a.schema_version))[0];
  if (older === undefined) return [added];
  const changes = contractsOf(both, older, entry);
  if (older.schema_version !== entry.schema_version) {
    const problem = numberProblem(older.schema_version, entry.schema_version, changes);
    return [problem === undefined ? added : { ...added, broken: problem }];
  }
  const broken = 'the contract differs from the released one; give it another schema_version';
  const seen = changes.filter(({ level }) => level !== 'internal').map(within(nameOf(entry)));
  return [added, ...seen.map((each) => ({ ...each, broken }))];
}

/**
 * Compares the current version of a tool with the released current version, because callers that name no version get
 * it.
 */
function compareCurrent(both: Both, before: ReleasedTool): readonly ReleaseChange[] {
  const { catalog, tool } = both;
  const isCurrent = ({ status }: { readonly status: string }) => status === 'current';
  const was = before.entries.find(isCurrent);
  const version = tool.versions.find(isCurrent);
  const moved = statusChanges(both, before);
  if (was === undefined || version === undefined || isSameEntry(was, version)) return moved;
  const is = describeEntry(catalog, tool, version);
  const current = change(
    'internal',
    'current',
    `the current version changed from ${nameOf(was)} to ${nameOf(is)}`,
  );
  return [...moved, current, ...contractsOf(both, was, is).map(within('current'))];
}

function statusChanges({ tool }: Both, before: ReleasedTool): readonly ReleaseChange[] {
  return tool.versions.flatMap((version) => {
    const old = before.entries.find((entry) => isSameEntry(entry, version));
    if (old === undefined || old.status === version.status) return [];
    const level = version.status === 'deprecated' ? 'additive' : 'internal';
    return [change(level, nameOf(version), `the status changed from ${old.status} to ${version.status}`)];
  });
}
