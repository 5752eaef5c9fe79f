import { checkBinding } from './binding/check-binding.js';
import { checkDescriptions } from './check-names.js';
import { checkPaging } from './check-paging.js';
import { checkInputSchema, checkSchema } from './check-schema.js';
import { type Report, reportWithin } from './file-report.js';
import { isJsonObject, type JsonSchema } from './json-schema.js';
import { bundle, type ReferenceScope } from './references.js';
import type { Tool, ToolVersion } from './tool.js';

/** Checks one version of a tool: its schemas, its binding and its paging. */
export function checkVersion(tool: Tool, version: ToolVersion, scope: ReferenceScope, report: Report): void {
  checkInputSchema(version.input, scope, reportWithin(report, 'input'));
  if (typeof version.output !== 'boolean') checkSchema(version.output, scope, reportWithin(report, 'output'));
  const input = tryBundle(version.input, scope, reportWithin(report, 'input'));
  const output = tryBundle(version.output, scope, reportWithin(report, 'output'));
  if (input === undefined || output === undefined) return;
  checkInput(tool, input, reportWithin(report, 'input'));
  checkBinding(version, input, report);
  checkPaging(version, { input, output }, reportWithin(report, 'paging'));
}

function tryBundle(
  schema: JsonSchema | boolean,
  scope: ReferenceScope,
  report: Report,
): JsonSchema | undefined {
  if (!isJsonObject(schema)) return {};
  try {
    return bundle(schema, scope);
  } catch (error) {
    report([], error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

function checkInput(tool: Tool, input: JsonSchema, report: Report): void {
  if (input.type !== 'object' || input.additionalProperties !== false) {
    report([], 'an input is a closed object: type "object" and additionalProperties false');
  }
  checkDescriptions(input, report);
  const clashing = ['schema_version', 'tool_version'].filter(
    (name) => input.properties?.[name] !== undefined,
  );
  if (tool.versionInputs && clashing.length > 0) {
    report(['properties', ...clashing.slice(0, 1)], 'versionInputs adds it; leave it out here');
  }
}
