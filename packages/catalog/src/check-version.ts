import { bindingNames, pathNames } from './binding-names.js';
import { checkInputSchema, checkSchema } from './check-schema.js';
import { type Report, reportWithin } from './file-report.js';
import { isJsonObject, type JsonSchema } from './json-schema.js';
import { propertiesOf } from './properties-of.js';
import { bundle, type ReferenceScope } from './references.js';
import type { Tool, ToolVersion } from './tool.js';

const SECRET_IN_URL = 'a secret has no place in a URL, which is logged on its way';

/** Checks one version of a tool: its schemas, its binding and its paging. */
export function checkVersion(tool: Tool, version: ToolVersion, scope: ReferenceScope, report: Report): void {
  checkInputSchema(version.input, scope, reportWithin(report, 'input'));
  if (typeof version.output !== 'boolean') checkSchema(version.output, scope, reportWithin(report, 'output'));
  const input = tryBundle(version.input, scope, reportWithin(report, 'input'));
  const output = tryBundle(version.output, scope, reportWithin(report, 'output'));
  if (input === undefined || output === undefined) return;
  checkInput(tool, input, reportWithin(report, 'input'));
  checkBinding(version, input, report);
  checkPaging(version, input, output, reportWithin(report, 'paging'));
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
  const clashing = ['schema_version', 'tool_version'].filter(
    (name) => input.properties?.[name] !== undefined,
  );
  if (tool.versionInputs && clashing.length > 0) {
    report(['properties', ...clashing.slice(0, 1)], 'versionInputs adds it; leave it out here');
  }
}

function checkBinding(version: ToolVersion, input: JsonSchema, report: Report): void {
  const properties = input.properties ?? {};
  const { request, mcp } = version;
  const { path = '', query, headers, body } = request ?? {};
  for (const { name, steps, isMixed } of bindingNames({
    request: { query, headers, body },
    mcp: { arguments: mcp?.arguments },
  })) {
    if (properties[name] === undefined) report(steps, `{${name}} is not an input`);
    else if (properties[name].writeOnly && steps.includes('query')) report(steps, SECRET_IN_URL);
    else if (isMixed) report(steps, `only path mixes text and names; {${name}} must be the whole string`);
  }
  for (const name of pathNames(path)) {
    const schema = properties[name];
    const isAlwaysThere = input.required?.includes(name) || schema?.default !== undefined;
    if (schema === undefined) report(['request', 'path'], `{${name}} is not an input`);
    else if (schema.writeOnly) report(['request', 'path'], SECRET_IN_URL);
    else if (!isAlwaysThere)
      report(['request', 'path'], `{${name}} must be a required input or one with a default`);
  }
}

function checkPaging({ paging }: ToolVersion, input: JsonSchema, output: JsonSchema, report: Report): void {
  if (paging === undefined) return;
  const results = propertiesOf(output);
  if (input.properties?.[paging.input] === undefined) report(['input'], `"${paging.input}" is not an input`);
  for (const key of ['output', 'items'] as const) {
    if (results[paging[key]] === undefined) report([key], `"${paging[key]}" is not a field of the output`);
  }
}
