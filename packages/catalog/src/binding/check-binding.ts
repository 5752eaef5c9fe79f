import { type Report, reportWithin, type Step } from '../file-report.js';
import { isJsonObject, type JsonSchema } from '../json-schema.js';
import { type RequestBinding, requestsOf, type ToolVersion } from '../tool.js';
import { OPERATOR_FIELDS } from './bind-value.js';
import { bindingReferences, pathReferences } from './binding-references.js';

const SECRET_IN_URL = 'a secret has no place in a URL, which is logged on its way';

/** A part of a binding, where it stands, and whether an answer came before it. */
interface Part {
  readonly value: unknown;
  readonly steps: readonly Step[];
  readonly hasAnswer: boolean;
}

/** Checks what a version sends and answers: that its references lead somewhere, and that no input is forgotten. */
export function checkBinding(version: ToolVersion, input: JsonSchema, report: Report): void {
  if (version.handler) return;
  const used = new Set<string>();
  for (const part of partsOf(version)) {
    checkOperators(part.value, reportWithin(report, ...part.steps));
    for (const name of checkReferences(part, input, reportWithin(report, ...part.steps))) used.add(name);
  }
  for (const [index, request] of requestsOf(version).entries()) {
    const within = reportWithin(report, ...stepsTo(version, index));
    for (const name of checkPath(request, input, { hasAnswer: index > 0, report: within })) used.add(name);
    checkEncoding(request, within);
  }
  for (const name of Object.keys(input.properties ?? {})) {
    if (!used.has(name))
      report(['input', 'properties', name], 'nothing takes it: name it in the request, or leave it out');
  }
}

const stepsTo = ({ requests }: ToolVersion, index: number): readonly Step[] =>
  requests === undefined ? ['request'] : ['requests', index];

function partsOf(version: ToolVersion): readonly Part[] {
  const { mcp, answer } = version;
  return [
    ...requestsOf(version).map(({ query, headers, body }, index) => ({
      value: { query, headers, body },
      steps: stepsTo(version, index),
      hasAnswer: index > 0,
    })),
    { value: mcp?.arguments, steps: ['mcp', 'arguments'], hasAnswer: false },
    { value: answer?.data, steps: ['answer', 'data'], hasAnswer: true },
    ...(answer?.errors ?? []).map(({ data }, index) => ({
      value: data,
      steps: ['answer', 'errors', index, 'data'],
      hasAnswer: true,
    })),
  ];
}

/** The inputs that a part of a binding names. */
function checkReferences({ value, hasAnswer }: Part, input: JsonSchema, report: Report): readonly string[] {
  const properties = input.properties ?? {};
  return bindingReferences(value).flatMap(({ reference, steps, isMixed }) => {
    const told = `{${reference}}`;
    const [name = ''] = reference.split('/');
    const isPointer = name === '';
    if (isMixed) report(steps, `only path mixes text and names; ${told} must be the whole string`);
    else if (isPointer && !hasAnswer)
      report(steps, `${told} is a place in an answer, and there is none before`);
    else if (!isPointer && properties[name] === undefined) report(steps, `${told} is not an input`);
    else if (properties[name]?.writeOnly && steps.includes('query')) report(steps, SECRET_IN_URL);
    return isPointer ? [] : [name];
  });
}

function checkOperators(value: unknown, report: Report): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkOperators(item, reportWithin(report, index));
  } else if (isJsonObject(value)) {
    const [name] = Object.keys(value).filter((key) => Object.hasOwn(OPERATOR_FIELDS, key));
    const others = Object.keys(value).filter((key) => key !== name);
    const fields = name === undefined ? others : (OPERATOR_FIELDS[name] ?? []);
    for (const field of others.filter((key) => !fields.includes(key)))
      report([field], `it has no place beside ${name}`);
    for (const field of fields.filter((key) => !others.includes(key)))
      report([], `${name} needs "${field}" beside it`);
    for (const [key, member] of Object.entries(value)) checkOperators(member, reportWithin(report, key));
  }
}

function checkPath(
  { path }: RequestBinding,
  input: JsonSchema,
  { hasAnswer, report }: { readonly hasAnswer: boolean; readonly report: Report },
): readonly string[] {
  return pathReferences(path).flatMap((name) => {
    const schema = input.properties?.[name];
    const isAlwaysThere = input.required?.includes(name) || schema?.default !== undefined;
    if (name.startsWith('/')) {
      if (!hasAnswer) report(['path'], `{${name}} is a place in an answer, and there is none before`);
      return [];
    }
    if (schema === undefined) report(['path'], `{${name}} is not an input`);
    else if (schema.writeOnly) report(['path'], SECRET_IN_URL);
    else if (!isAlwaysThere) report(['path'], `{${name}} must be a required input or one with a default`);
    return [name];
  });
}

function checkEncoding({ encoding = 'json', body }: RequestBinding, report: Report): void {
  if (encoding === 'json') return;
  if (!isJsonObject(body)) report(['body'], `a body that travels as ${encoding} is an object of its fields`);
  for (const [name, value] of Object.entries(isJsonObject(body) ? body : {})) {
    const isFile = encoding === 'multipart' && isJsonObject(value) && value['$file'] !== undefined;
    const isNested =
      isJsonObject(value) && !Object.keys(value).some((key) => Object.hasOwn(OPERATOR_FIELDS, key));
    if (isNested && !isFile)
      report(['body', name], `a field of a body that travels as ${encoding} is no object`);
  }
}
