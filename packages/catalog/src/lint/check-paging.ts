import { isWorkedOut } from '../binding/play.js';
import { type JsonSchema, propertiesOf, resolved } from '../json-schema.js';
import type { Paging, ToolVersion } from '../tool.js';
import { type Report, reportWithin } from './file-report.js';

/** Input and output schema of a tool version, without references to other files. */
export interface Schemas {
  readonly input: JsonSchema;
  readonly output: JsonSchema;
}

/** Checks that the tool inputs and output fields exist to which the paging of a tool version refers. */
export function checkPaging(
  { paging, handler, mcp }: ToolVersion,
  { input, output }: Schemas,
  report: Report,
): void {
  if (paging === undefined) return;
  const isInput = (name: string) => input.properties?.[name] !== undefined;
  if (paging.input !== undefined && !isInput(paging.input)) report(['input'], notAnInput(paging.input));
  for (const [name, path] of Object.entries(paging.also ?? {})) {
    if (!isInput(name)) report(['also', name], notAnInput(name));
    if (!hasField(output, path)) report(['also', name], notAField(path));
  }
  for (const key of ['output', 'items'] as const) {
    if (!hasField(output, paging[key])) report([key], notAField(paging[key]));
  }
  const list = fieldOf(output, paging.items);
  if (list !== undefined && !mayBe(list, ['array']))
    report(['items'], `"${paging.items}" is not an array; name the output field that lists the items`);
  for (const kind of ['page', 'offset'] as const) {
    const size = paging[kind]?.size;
    if (size !== undefined) checkNumber(size, input, reportWithin(report, kind, 'size'));
    if (paging[kind] !== undefined && paging.input !== undefined && isInput(paging.input))
      checkNumber(paging.input, input, reportWithin(report, 'input'));
  }
  checkMore(paging, output, report);
  checkLast(paging, { input, output }, report);
  checkTaken(
    paging,
    { input, path: paging.output, field: fieldOf(output, paging.output) },
    reportWithin(report, 'output'),
  );
  if (!isWorkedOut(paging)) return;
  if (handler)
    report([], 'a handler returns the next page in its data; delete "page", "offset", "link" and "last"');
  if (mcp)
    report([], 'an MCP tool returns the next page in its data; delete "page", "offset", "link" and "last"');
  if (paging.output.includes('/'))
    report(['output'], 'the service writes this field at the top level of "data"; give a name without "/"');
}

export const notAnInput = (name: string): string =>
  `"${name}" is not an input of this tool; name one of its inputs`;

export const notAField = (path: string): string =>
  `"${path}" is not a field of the output; name one of its fields`;

const NUMBERS = ['integer', 'number'];

function checkNumber(name: string, input: JsonSchema, report: Report): void {
  const schema = input.properties?.[name];
  if (schema === undefined) report([], notAnInput(name));
  else if (!mayBe(resolved(schema, input), NUMBERS))
    report([], `"${name}" is not a number; name an input of the type "integer" or "number"`);
}

function checkMore({ more }: Paging, output: JsonSchema, report: Report): void {
  const flag = more === undefined ? undefined : fieldOf(output, more);
  if (more !== undefined && flag === undefined) report(['more'], notAField(more));
  else if (flag !== undefined && !mayBe(flag, ['boolean']))
    report(['more'], `"${more}" is not a boolean; name the output field that is false on the last page`);
}

/** Checks that the items of a page have the field whose value requests the next page. */
function checkLast(paging: Paging, { input, output }: Schemas, report: Report): void {
  const { last, items } = paging;
  if (last === undefined) return;
  const list = fieldOf(output, items)?.items;
  const item: JsonSchema = typeof list === 'object' ? resolved(list, output) : {};
  const field = fieldOf({ ...item, $defs: output.$defs ?? {} }, last);
  if (field === undefined)
    report(['last'], `"${last}" is not a field of the items in "${items}"; name one of their fields`);
  checkTaken(paging, { input, path: last, field }, reportWithin(report, 'last'));
}

interface Taken {
  readonly input: JsonSchema;
  /** Path and schema of the value that requests the next page. */
  readonly path: string;
  readonly field: JsonSchema | undefined;
}

/** Checks that the paging input of the tool accepts the type of the value that requests the next page. */
function checkTaken({ input: name }: Paging, { input, path, field }: Taken, report: Report): void {
  const schema = name === undefined ? undefined : input.properties?.[name];
  if (field === undefined || schema === undefined) return;
  const types = [field.type].flat().filter((type) => type !== undefined && type !== 'null');
  if (types.length === 0 || mayBe(resolved(schema, input), types.flatMap(alsoNumber))) return;
  report(
    [],
    `"${path}" has the type ${types.join(' or ')}, which the input "${name}" does not accept; change one of them`,
  );
}

const alsoNumber = (type: string | undefined): readonly string[] =>
  type === undefined ? [] : NUMBERS.includes(type) ? NUMBERS : [type];

/** Returns whether a schema allows a value of one of these types. */
const mayBe = ({ type }: JsonSchema, types: readonly string[]): boolean =>
  type === undefined || [type].flat().some((each) => types.includes(each));

export const hasField = (output: JsonSchema, path: string): boolean => fieldOf(output, path) !== undefined;

/** Returns the schema at a path of the output; undefined for a field that the schema does not have. */
export function fieldOf(output: JsonSchema, path: string): JsonSchema | undefined {
  const defs = output.$defs ?? {};
  const field = path
    .split('/')
    .reduce<JsonSchema | undefined>(
      (schema, step) => (schema === undefined ? undefined : propertiesOf(schema, defs)[step]),
      output,
    );
  return field === undefined ? undefined : resolved(field, output);
}
