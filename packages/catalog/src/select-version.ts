import { cutText } from './cut-text.js';
import { type BrokenRule, InvalidInputError, UnknownVersionError } from './errors.js';
import { isJsonObject, kindOf } from './json-schema.js';
import type { Tool, ToolVersion } from './tool.js';

/** Version that a caller requests. Without both fields, the current version is selected. */
export interface WantedVersion {
  readonly schemaVersion?: string | undefined;
  readonly toolVersion?: string | undefined;
}

/**
 * Selects a version of a tool. Without a request it is the current version; with one requested field, the newest that
 * matches. Otherwise it is exactly the requested pair of `schema_version` and `tool_version`. Throws
 * `UnknownVersionError`.
 */
export function selectVersion(tool: Tool, wanted: WantedVersion = {}): ToolVersion {
  const { schemaVersion, toolVersion } = wanted;
  const isAny = schemaVersion === undefined && toolVersion === undefined;
  const [chosen] = tool.versions
    .filter((version) => !isAny || version.status === 'current')
    .filter((version) => schemaVersion === undefined || version.schema_version === schemaVersion)
    .filter((version) => toolVersion === undefined || version.tool_version === toolVersion)
    .sort(newestFirst);
  if (chosen !== undefined) return chosen;
  throw new UnknownVersionError(unknownVersionMessage(tool, wanted), tool.versions.map(availableVersion));
}

function newestFirst(a: ToolVersion, b: ToolVersion): number {
  return (
    compareVersions(b.schema_version, a.schema_version) || compareVersions(b.tool_version, a.tool_version)
  );
}

/** Compares two versions such as `1.2.3`, for sorting. Negative if the first is older. */
export function compareVersions(a: string, b: string): number {
  const left = a.split('.').map(Number);
  const right = b.split('.').map(Number);
  const index = left.findIndex((number, position) => number !== right[position]);
  return (left[index] ?? 0) - (right[index] ?? 0);
}

function unknownVersionMessage(tool: Tool, { schemaVersion, toolVersion }: WantedVersion): string {
  const wanted = [
    schemaVersion === undefined ? [] : `schema version ${printable(schemaVersion)}`,
    toolVersion === undefined ? [] : `tool version ${printable(toolVersion)}`,
  ].flat();
  const existing = tool.versions.map(
    (version) => `schema version ${version.schema_version} with tool version ${version.tool_version}`,
  );
  return `The tool "${tool.name}" has no ${wanted.join(' with ')}. Use one of these: ${existing.join(', ')}.`;
}

function printable(version: string): string {
  return JSON.stringify(cutText(version, 40));
}

function availableVersion(version: ToolVersion) {
  return { schemaVersion: version.schema_version, toolVersion: version.tool_version, status: version.status };
}

/**
 * Splits a tool's input into the inputs `schema_version` and `tool_version` and the rest. Only tools with
 * `versionInputs: true` have these two inputs. Throws `InvalidInputError` if they are not strings or contradict the
 * call's own options.
 */
export function splitVersions(
  tool: Tool,
  { toolInput, schemaVersion, toolVersion }: WantedVersion & { readonly toolInput: unknown },
): { readonly input: unknown; readonly wanted: WantedVersion } {
  if (!tool.versionInputs || !isJsonObject(toolInput))
    return { input: toolInput, wanted: { schemaVersion, toolVersion } };
  const { schema_version, tool_version, ...input } = toolInput;
  const errors = [
    ...versionProblems('schema_version', schema_version, { option: 'schemaVersion', wanted: schemaVersion }),
    ...versionProblems('tool_version', tool_version, { option: 'toolVersion', wanted: toolVersion }),
  ];
  if (errors.length > 0) throw new InvalidInputError(errors);
  const wanted = {
    schemaVersion: chosen(schema_version, schemaVersion),
    toolVersion: chosen(tool_version, toolVersion),
  };
  return { input, wanted };
}

function chosen(value: unknown, option: string | undefined): string | undefined {
  return typeof value === 'string' ? value : option;
}

function versionProblems(
  field: string,
  value: unknown,
  { option, wanted }: { readonly option: string; readonly wanted: string | undefined },
): readonly BrokenRule[] {
  if (value === undefined) return [];
  const received = kindOf(value);
  if (typeof value !== 'string')
    return [{ field, rule: 'type', message: `"${field}" must be a string such as "1.0.0"`, received }];
  if (wanted === undefined || wanted === value) return [];
  const message = `"${field}" and ${option} name different versions; give only one of them`;
  return [{ field, rule: 'const', message, received }];
}
