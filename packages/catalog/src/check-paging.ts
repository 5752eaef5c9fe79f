import { isWorkedOut } from './binding/play.js';
import { type Report, reportWithin } from './file-report.js';
import { type JsonSchema, propertiesOf, resolved } from './json-schema.js';
import type { Paging, ToolVersion } from './tool.js';

/** Input and output schema of a tool version, without external references. */
interface Schemas {
  readonly input: JsonSchema;
  readonly output: JsonSchema;
}

/** Checks that the tool inputs and output fields exist to which the paging of a tool version refers. */
export function checkPaging(
  { paging, handler }: ToolVersion,
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
  checkTaken(paging, { input, output }, report);
  if (!isWorkedOut(paging)) return;
  if (handler) report([], 'a handler returns the next page in its data; delete page, offset and link');
  if (paging.output.includes('/'))
    report(['output'], 'the service writes this field at the top level of data; give a name without "/"');
}

const notAnInput = (name: string): string => `"${name}" is not an input of this tool; name one of its inputs`;

const notAField = (path: string): string => `"${path}" is not a field of the output; name one of its fields`;

const NUMBERS = ['integer', 'number'];

function checkNumber(name: string, input: JsonSchema, report: Report): void {
  const schema = input.properties?.[name];
  if (schema === undefined) report([], notAnInput(name));
  else if (!mayBe(resolved(schema, input), NUMBERS))
    report([], `"${name}" is not a number; name an input of type integer or number`);
}

/** Checks that the value that requests the next page has a type that the paging input of the tool accepts. */
function checkTaken({ input: name, output: path }: Paging, { input, output }: Schemas, report: Report): void {
  const given = fieldOf(output, path);
  const schema = name === undefined ? undefined : input.properties?.[name];
  if (given === undefined || schema === undefined) return;
  const types = [given.type].flat().filter((type) => type !== undefined && type !== 'null');
  if (types.length === 0 || mayBe(resolved(schema, input), types.flatMap(alsoNumber))) return;
  report(
    ['output'],
    `"${path}" has the type ${types.join(' or ')}, which the input "${name}" does not accept; change one of them`,
  );
}

const alsoNumber = (type: string | undefined): readonly string[] =>
  type === undefined ? [] : NUMBERS.includes(type) ? NUMBERS : [type];

/** Returns whether a schema allows a value of one of these types. */
const mayBe = ({ type }: JsonSchema, types: readonly string[]): boolean =>
  type === undefined || [type].flat().some((each) => types.includes(each));

const hasField = (output: JsonSchema, path: string): boolean => fieldOf(output, path) !== undefined;

function fieldOf(output: JsonSchema, path: string): JsonSchema | undefined {
  const defs = output.$defs ?? {};
  const field = path
    .split('/')
    .reduce<JsonSchema | undefined>(
      (schema, step) => (schema === undefined ? undefined : propertiesOf(schema, defs)[step]),
      output,
    );
  return field === undefined ? undefined : resolved(field, output);
}
