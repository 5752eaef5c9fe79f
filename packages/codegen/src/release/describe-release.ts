import type { Catalog, Connector, Tool, ToolVersion } from '@svc/catalog';
import { shapesHash } from './compare-shapes.js';
import { describeTriggers } from './compare-triggers.js';
import { describeUpstream } from './compare-upstream.js';
import { jsonHash } from './json-hash.js';
import type { ReleasedConnector, ReleasedEntry, ReleasedTool, ReleaseFile } from './release-file.js';
import { schemaShape, withoutDefinitions } from './schema-shape.js';

/** Name and version of a connector's npm package. */
export interface PackageVersion {
  readonly package: string;
  readonly version: string;
}

/**
 * Describes what a release of the catalogue promises to callers, for `released.json`. A tool version of an earlier
 * release keeps its `since`, the package version that first contained it.
 */
export function describeRelease(
  catalog: Catalog,
  packageOf: (connector: Connector) => PackageVersion,
  earlier: ReleaseFile = { connectors: {} },
): ReleaseFile {
  const connectors = [...catalog.connectors.values()].map((connector): [string, ReleasedConnector] => {
    const released = packageOf(connector);
    const known = earlier.connectors[connector.id]?.tools ?? {};
    const types = Object.entries(connector.types).map(([name, type]) => [name, schemaShape(type)]);
    const tools = connector.tools.map((tool): [string, ReleasedTool] => [
      tool.name,
      releasedTool(catalog, tool, { released, known: known[tool.name] }),
    ]);
    const facts = {
      hash: connectorHash(connector),
      upstream: describeUpstream(connector),
      shapes: shapesHash(catalog, connector),
      ...(connector.webhooks && { triggers: describeTriggers(catalog, connector) }),
    };
    const parts = { types: Object.fromEntries(types), tools: Object.fromEntries(tools) };
    return [connector.id, { ...released, ...facts, ...parts }];
  });
  return { connectors: Object.fromEntries(connectors) };
}

/** Returns a hash of a connector.json, to detect changes since the last release. */
export function connectorHash({ types: _types, tools: _tools, ...file }: Connector): string {
  return jsonHash(file);
}

/** Returns a hash of a tool file, to detect changes since the last release. */
export const toolHash = (tool: Tool): string => jsonHash(tool);

function releasedTool(
  catalog: Catalog,
  tool: Tool,
  { released, known }: { readonly released: PackageVersion; readonly known: ReleasedTool | undefined },
): ReleasedTool {
  return {
    hash: toolHash(tool),
    hints: tool.hints,
    scopes: tool.scopes,
    versionInputs: tool.versionInputs,
    ...(tool.bodyBytes !== undefined && { bodyBytes: tool.bodyBytes }),
    entries: tool.versions.map((version) => {
      const before = known?.entries.find((entry) => isSameEntry(entry, version));
      return { since: before?.since ?? released.version, ...describeEntry(catalog, tool, version) };
    }),
    examples: tool.examples,
  };
}

/** Checks whether two versions of a tool are one released version: equal `schema_version` and equal `tool_version`. */
export function isSameEntry(a: VersionPair, b: VersionPair): boolean {
  return a.schema_version === b.schema_version && a.tool_version === b.tool_version;
}

export type VersionPair = Pick<ToolVersion, 'schema_version' | 'tool_version'>;

/** Describes a tool version as `released.json` records it. A recorded version must not change later. */
export function describeEntry(
  catalog: Catalog,
  tool: Tool,
  version: ToolVersion,
): Omit<ReleasedEntry, 'since'> {
  const { schema_version, tool_version, status, paging, input: _input, output: _output, ...rest } = version;
  // The watch (the settings for polling the tool) is no part of `way` and of the hash, because a released tool may get
  // one later.
  const { watch, ...way } = rest;
  const shape = {
    input: withoutDefinitions(schemaShape(catalog.plainInputSchemaOf(tool, version))),
    output: withoutDefinitions(schemaShape(catalog.outputSchemaOf(tool, version))),
    ...(paging === undefined ? {} : { paging }),
    way,
  };
  const isWatched = watch !== undefined && { isWatched: true };
  return { schema_version, tool_version, status, hash: jsonHash(shape), ...isWatched, ...shape };
}
