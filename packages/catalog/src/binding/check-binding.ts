import { checkHeaders } from '../check-headers.js';
import { closestName } from '../closest-name.js';
import { type Report, reportWithin, type Step } from '../file-report.js';
import { isJsonObject, type JsonObject, type JsonSchema } from '../json-schema.js';
import { type RequestBinding, requestsOf, type ToolVersion } from '../tool.js';
import { isOperator, OPERATORS } from './bind-value.js';
import { inputAt, isAlwaysThere, isSegment, isSent, propertyOf } from './input-at.js';
import { bindingReferences, pathReferences } from './reference.js';

const NO_REFERENCE = 'names nothing: a name has letters, digits and _, and its parts stand behind slashes';
const SECRET_IN_URL = 'a secret has no place in a URL, which is logged on its way';

/**
 * Template of a request or of data in a tool version, the template's path in the file, and whether an upstream response
 * precedes it.
 */
interface Part {
  readonly value: unknown;
  readonly steps: readonly Step[];
  readonly hasAnswer: boolean;
  /** True if the request body is sent as a form, whose fields are texts. */
  readonly isForm?: boolean;
}

/** Checks the templates of a tool version: each reference must have a target, and each tool input must be used. */
export function checkBinding(version: ToolVersion, input: JsonSchema, report: Report): void {
  if (version.handler) return;
  const used = new Set<string>();
  for (const part of partsOf(version)) {
    checkOperators(part.value, reportWithin(report, ...part.steps));
    for (const name of checkReferences(part, input, reportWithin(report, ...part.steps))) used.add(name);
  }
  for (const [index, request] of requestsOf(version).entries()) {
    const within = reportWithin(report, ...stepsToRequest(version, index));
    for (const name of checkPath(request, input, { hasAnswer: index > 0, report: within })) used.add(name);
    checkEncoding(request, within);
    checkHeaders(request.headers ?? {}, reportWithin(within, 'headers'));
    checkNeeds(request, input, within);
  }
  for (const name of Object.keys(input.properties ?? {})) {
    if (used.has(name)) continue;
    const isNameable = /^[A-Za-z_]\w*$/.test(name);
    const reason = isNameable
      ? 'nothing takes it: name it in the request, or leave it out'
      : 'no request can name it: an input has letters, digits and _, whatever the upstream calls it';
    report(['input', 'properties', name], reason);
  }
}

/** Returns the path of a request template in the tool file, such as `requests[1]`. */
export const stepsToRequest = ({ requests }: ToolVersion, index: number): readonly Step[] =>
  requests === undefined ? ['request'] : ['requests', index];

function partsOf(version: ToolVersion): readonly Part[] {
  const { mcp, answer } = version;
  return [
    ...requestsOf(version).map(({ query, headers, body, encoding = 'json' }, index) => ({
      value: { query, headers, body },
      isForm: encoding !== 'json',
      steps: stepsToRequest(version, index),
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

/** Checks the references in a template. Returns the names of the tool inputs to which they refer. */
function checkReferences(
  { value, hasAnswer, isForm = false }: Part,
  input: JsonSchema,
  report: Report,
): readonly string[] {
  return bindingReferences(value).flatMap(({ reference, steps, isMixed }) => {
    const told = `{${reference}}`;
    const [name = ''] = reference.split('/');
    const isPointer = name === '';
    if (isMixed) report(steps, `only path mixes text and names; ${told} must be the whole string`);
    else if (isPointer && !hasAnswer)
      report(steps, `${told} is a place in an answer, and there is none before`);
    else if (!isPointer) checkInput(reference, { steps, input, isForm }, report);
    return isPointer ? [] : [name];
  });
}

/** Checks that the tool input in a reference exists, and that its value fits into this part of the upstream request. */
function checkInput(reference: string, { steps, input, isForm }: SentInput, report: Report): void {
  const schema = inputAt(reference, input);
  const [name = ''] = reference.split('/');
  const [part] = steps;
  const isText = part === 'query' || part === 'headers' || (part === 'body' && isForm);
  if (schema === undefined)
    report(steps, `{${reference}} is not an input${reference === name ? '' : ', nor a part of one'}`);
  else if (part === 'query' && propertyOf(input, name)?.writeOnly) report(steps, SECRET_IN_URL);
  else if (isText && !steps.includes('$with') && !isSent(schema, input))
    report(
      steps,
      `{${reference}} has parts of its own; name the one that is meant, such as {${reference}/id}`,
    );
}

interface SentInput {
  readonly steps: readonly Step[];
  readonly input: JsonSchema;
  readonly isForm: boolean;
}

function checkOperators(value: unknown, report: Report): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkOperators(item, reportWithin(report, index));
  } else if (isJsonObject(value)) {
    checkOperatorForm(value, report);
    const name = Object.keys(value).find(isOperator);
    const others = Object.keys(value).filter((key) => key !== name);
    const fields: readonly string[] = name === undefined ? others : OPERATORS[name].fields;
    for (const field of others.filter((key) => !fields.includes(key)))
      report([field], `it has no place beside ${name}`);
    for (const field of fields.filter((key) => !others.includes(key)))
      report([], `${name} needs "${field}" beside it`);
    for (const [key, member] of Object.entries(value)) checkOperators(member, reportWithin(report, key));
  }
}

const OPERATOR_NAMES = [...Object.keys(OPERATORS), '$file'];

function checkOperatorForm(value: JsonObject, report: Report): void {
  for (const key of Object.keys(value).filter((each) => each.startsWith('$'))) {
    const meant = OPERATOR_NAMES.includes(key) ? undefined : closestName(key, OPERATOR_NAMES);
    if (meant !== undefined) report([key], `there is no such operator; did you mean "${meant}"?`);
  }
  if (value['$first'] !== undefined && !Array.isArray(value['$first']))
    report(['$first'], 'it is a list of what may be there');
  if (value['$table'] !== undefined && 'values' in value && !isJsonObject(value['values']))
    report(['values'], 'it is an object of the values to send, by those that are given');
}

function checkPath(
  { path }: RequestBinding,
  input: JsonSchema,
  { hasAnswer, report }: { readonly hasAnswer: boolean; readonly report: Report },
): readonly string[] {
  const rest = path.replaceAll(/\{[^{}]*\}/g, '');
  const strange = [...path.matchAll(/\{([^{}]*)\}/g)].find(([told]) => pathReferences(told).length === 0);
  if (/[{}]/.test(rest)) report(['path'], 'a brace has no other half');
  if (strange !== undefined) report(['path'], `${strange[0]} ${NO_REFERENCE}`);
  return pathReferences(path).flatMap((reference) => {
    const [name = ''] = reference.split('/');
    if (name === '') {
      if (!hasAnswer) report(['path'], `{${reference}} is a place in an answer, and there is none before`);
      return [];
    }
    const schema = inputAt(reference, input);
    if (schema === undefined) report(['path'], `{${reference}} is not an input`);
    else if (propertyOf(input, name)?.writeOnly) report(['path'], SECRET_IN_URL);
    else if (!isAlwaysThere(reference, input))
      report(['path'], `{${reference}} must be a required input or one with a default`);
    else if (!isSegment(schema))
      report(['path'], `{${reference}} must be a text or a number to be part of a path`);
    return [name];
  });
}

function checkNeeds({ needs = [] }: RequestBinding, input: JsonSchema, report: Report): void {
  for (const [index, { message = '' }] of needs.entries()) {
    for (const [told, name = ''] of message.matchAll(/\{(\w+)\}/g))
      if (propertyOf(input, name) === undefined)
        report(['needs', index, 'message'], `${told} is not an input`);
  }
}

function checkEncoding({ encoding = 'json', body }: RequestBinding, report: Report): void {
  if (encoding === 'json') return;
  if (encoding === 'file') {
    if (!isJsonObject(body) || body['$file'] === undefined)
      report(['body'], 'a body that travels as file has "$file"');
    return;
  }
  if (!isJsonObject(body)) report(['body'], `a body that travels as ${encoding} is an object of its fields`);
  for (const [name, value] of Object.entries(isJsonObject(body) ? body : {})) {
    const isFile = encoding === 'multipart' && isJsonObject(value) && value['$file'] !== undefined;
    const isNested = isJsonObject(value) && !Object.keys(value).some(isOperator);
    if (isNested && !isFile)
      report(['body', name], `a field of a body that travels as ${encoding} is no object`);
  }
}
