import { inputAt } from '../binding/input-at.js';
import { bindingReferences, pathReferences } from '../binding/reference.js';
import { isJsonObject, type JsonSchema } from '../json-schema.js';
import { bundle } from '../load/references.js';
import type { ObjectLookup, Tool } from '../tool.js';
import { checkBraces, checkTemplates } from './check-binding.js';
import { type Report, reportWithin } from './file-report.js';

/** Tools and shared schemas of a connector. */
export interface ConnectorScope {
  readonly tools: readonly Tool[];
  readonly types: Readonly<Record<string, JsonSchema>>;
}

/**
 * Returns the current input or output schema of a tool, without references to other files. Returns an empty schema if
 * the schema is invalid, because another check reports that.
 */
export function schemaOf(
  tool: Tool,
  part: 'input' | 'output',
  { types }: Pick<ConnectorScope, 'types'>,
): JsonSchema {
  const schema = tool.versions.find(({ status }) => status === 'current')?.[part];
  try {
    return isJsonObject(schema) ? bundle(schema, { document: tool, types }) : {};
  } catch {
    return {};
  }
}

/** Returns the names of the tool inputs to which the templates of an object lookup refer. */
const referencesOf = ({ input, request }: ObjectLookup): readonly string[] => {
  const { path = '', query, headers, body } = request ?? {};
  return [
    ...pathReferences(path),
    ...bindingReferences({ input, query, headers, body }).map(({ reference }) => reference),
  ];
};

/**
 * Checks the lookup of an object's title and date: the inputs that it names exist, and it sends only read requests. The
 * output of its tool must contain the title and date.
 */
export function checkObject(tool: Tool, scope: ConnectorScope, report: Report): void {
  const { object } = tool;
  if (object === undefined) return;
  const input = schemaOf(tool, 'input', scope);
  if (inputAt(object.id, input) === undefined)
    report(['id'], `"${object.id}" is not an input of the current version; name one of its inputs`);
  for (const reference of referencesOf(object)) {
    if (reference.startsWith('/') || inputAt(reference, input) === undefined)
      report([], `{${reference}} is not an input of the current version; name one of its inputs`);
  }
  checkTemplates({ input: object.input }, report);
  if (object.request !== undefined) {
    const { path, query, headers, body } = object.request;
    const within = reportWithin(report, 'request');
    checkTemplates({ query, headers, body }, within);
    checkBraces(path, within);
  }
  if (object.request !== undefined && object.request.method !== 'GET')
    report(
      ['request', 'method'],
      `the lookup sends ${object.request.method}, but it must only read; send GET`,
    );
  if (object.tool !== undefined) checkLookupTool(object.tool, { object, scope, report });
}

interface LookupCheck {
  readonly object: ObjectLookup;
  readonly scope: ConnectorScope;
  readonly report: Report;
}

function checkLookupTool(name: string, { object, scope, report }: LookupCheck): void {
  const reader = scope.tools.find((tool) => tool.name === name);
  if (!reader?.hints.readOnly) {
    report(['tool'], `"${name}" is not a read-only tool of this connector; name one of its read-only tools`);
    return;
  }
  const input = schemaOf(reader, 'input', scope);
  for (const key of Object.keys(object.input ?? {})) {
    if (inputAt(key, input) === undefined)
      report(['input', key], `"${key}" is not an input of ${name}; name one of its inputs`);
  }
  const output = schemaOf(reader, 'output', scope);
  for (const part of ['title', 'date'] as const) {
    const paths = object[part] ?? [];
    for (const [index, path] of paths.entries()) checkPath(path, output, reportWithin(report, part, index));
  }
}

/**
 * Checks that a tool's output schema has a field at the path. A step `*` ends the check, because it stands for any
 * name.
 */
export function checkPath(path: string, output: JsonSchema, report: Report): void {
  const [before = ''] = path.split(/\/?\*/);
  if (before !== '' && inputAt(before, output) === undefined)
    report([], `"${path}" is not in the output of the tool; name a field of its data`);
}
