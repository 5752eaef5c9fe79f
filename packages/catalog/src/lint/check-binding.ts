import { isOperator, OPERATORS } from '../binding/bind-value.js';
import { inputAt, isAlwaysThere, isSegment, isSent, propertyOf } from '../binding/input-at.js';
import { bindingReferences, pathReferences } from '../binding/reference.js';
import { closestName } from '../closest-name.js';
import { cutText } from '../cut-text.js';
import { isJsonObject, type JsonObject, type JsonSchema } from '../json-schema.js';
import { type RequestBinding, requestsOf, type ToolVersion } from '../tool.js';
import { checkHeaders } from './check-headers.js';
import { type Report, reportWithin, type Step } from './file-report.js';

const NO_REFERENCE = 'is not a reference; use letters, digits and _, and / before a part, as in {item/id}';
const SECRET_IN_URL =
  'a URL must not contain a secret, because URLs are logged; send it in a header or the body';

const noResponse = (reference: string): string =>
  `${reference} refers to a previous response, but there is none; refer to an input`;

/**
 * Templates in one object of a tool file, such as `request` or `response`. `steps`: path of the object in the file.
 * `hasResponse`: the templates may refer to a previous upstream response.
 */
interface Part {
  readonly value: Readonly<JsonObject>;
  readonly steps: readonly Step[];
  readonly hasResponse: boolean;
  /** True if the request body is a form without nested values, so that all its fields must be texts. */
  readonly isForm?: boolean;
}

/** Checks the templates of a tool version: each reference must have a target, and each tool input must be used. */
export function checkBinding(version: ToolVersion, input: JsonSchema, report: Report): void {
  if (version.handler) return;
  const used = new Set<string>();
  for (const part of partsOf(version)) {
    checkTemplates(part.value, reportWithin(report, ...part.steps));
    for (const name of checkReferences(part, input, reportWithin(report, ...part.steps))) used.add(name);
  }
  for (const [index, request] of requestsOf(version).entries()) {
    const within = reportWithin(report, ...stepsToRequest(version, index));
    for (const name of checkPath(request, input, { hasResponse: index > 0, report: within })) used.add(name);
    checkEncoding(request, within);
    checkIdempotency(request, within);
    checkHeaders(request.headers ?? {}, reportWithin(within, 'headers'));
    checkNeeds(request, input, within);
  }
  for (const name of Object.keys(input.properties ?? {})) {
    if (used.has(name)) continue;
    const isNameable = /^[A-Za-z_]\w*$/.test(name);
    const reason = isNameable
      ? 'no request uses this input; use it in the request, or delete it'
      : 'a request cannot refer to this name; rename the input with letters, digits and _';
    report(['input', 'properties', name], reason);
  }
}

/** Returns the path of a request template in the tool file, such as `requests[1]`. */
export const stepsToRequest = ({ requests }: ToolVersion, index: number): readonly Step[] =>
  requests === undefined ? ['request'] : ['requests', index];

function partsOf(version: ToolVersion): readonly Part[] {
  const { mcp, response } = version;
  return [
    ...requestsOf(version).map(({ query, headers, body, encoding = 'json', nested }, index) => ({
      value: { query, headers, body },
      isForm: encoding !== 'json' && nested === undefined,
      steps: stepsToRequest(version, index),
      hasResponse: index > 0,
    })),
    { value: { arguments: mcp?.arguments }, steps: ['mcp'], hasResponse: false },
    { value: { data: response?.data }, steps: ['response'], hasResponse: true },
    ...(response?.errors ?? []).map(({ data }, index) => ({
      value: { data },
      steps: ['response', 'errors', index],
      hasResponse: true,
    })),
  ];
}

/** Checks the references in a template. Returns the names of the tool inputs to which they refer. */
function checkReferences(
  { value, hasResponse, isForm = false }: Part,
  input: JsonSchema,
  report: Report,
): readonly string[] {
  return bindingReferences(value).flatMap(({ reference, steps, isMixed }) => {
    const placeholder = `{${reference}}`;
    const [name = ''] = reference.split('/');
    const isPointer = name === '';
    if (isMixed)
      report(steps, `${placeholder} must be the whole string, because only "path" mixes text and references`);
    else if (isPointer && !hasResponse) report(steps, noResponse(placeholder));
    else if (!isPointer) checkInput(reference, { steps, input, isForm }, report);
    return isPointer ? [] : [name];
  });
}

/**
 * Checks that the tool input to which a template refers exists, and that its value fits into this part of the upstream
 * request.
 */
function checkInput(reference: string, { steps, input, isForm }: SentInput, report: Report): void {
  const schema = inputAt(reference, input);
  const [name = ''] = reference.split('/');
  const [part] = steps;
  const isText = part === 'query' || part === 'headers' || (part === 'body' && isForm);
  if (schema === undefined)
    report(
      steps,
      `{${reference}} is not an input${reference === name ? '' : ' or a part of one'}; declare it, or correct the name`,
    );
  else if (part === 'query' && propertyOf(input, name)?.writeOnly) report(steps, SECRET_IN_URL);
  else if (isText && !steps.includes('$with') && !isSent(schema, input))
    report(
      steps,
      `{${reference}} is an object or a list; refer to one of its parts, such as {${reference}/id}${part === 'body' ? ', or add "nested": "brackets" to a form' : ''}`,
    );
}

interface SentInput {
  readonly steps: readonly Step[];
  readonly input: JsonSchema;
  readonly isForm: boolean;
}

const OPERATOR_NAMES = [...Object.keys(OPERATORS), '$file'];

/** Templates whose keys are names of parameters, headers or arguments. Such a key may begin with "$", as in OData. */
const NAMED = ['query', 'headers', 'arguments', 'input'];

/** Checks that every operator in the templates exists and has the fields that it needs. */
export function checkTemplates(templates: Readonly<JsonObject>, report: Report): void {
  for (const [part, template] of Object.entries(templates)) {
    const within = reportWithin(report, part);
    if (isJsonObject(template) && NAMED.includes(part)) checkNamed(template, within);
    else checkOperators(template, within);
  }
}

function checkNamed(template: JsonObject, report: Report): void {
  for (const [name, value] of Object.entries(template)) {
    if (isOperator(name))
      report(
        [name],
        `"${name}" is not the name of a parameter; write it as the value of one: {"<parameter>": {"${name}": …}}`,
      );
    else checkOperators(value, reportWithin(report, name));
  }
}

function checkOperators(value: unknown, report: Report): void {
  if (typeof value === 'string') checkText(value, report);
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkOperators(item, reportWithin(report, index));
  } else if (isJsonObject(value)) {
    checkOperatorForm(value, report);
    const name = Object.keys(value).find(isOperator);
    const others = Object.keys(value).filter((key) => key !== name);
    const fields: readonly string[] = name === undefined ? others : OPERATORS[name].fields;
    for (const field of others.filter((key) => !fields.includes(key)))
      report([field], `"${field}" is not allowed next to "${name}"; delete it`);
    for (const field of fields.filter((key) => !others.includes(key)))
      report([], `"${name}" needs "${field}" next to it; add "${field}"`);
    for (const [key, member] of Object.entries(value)) {
      const isLiteral = name === '$table' && key === 'values';
      if (!isLiteral) checkOperators(member, reportWithin(report, key));
    }
  }
}

/** Reports a text such as "{$now}". Its author expects an operator, but the upstream would receive the text itself. */
function checkText(text: string, report: Report): void {
  const [, name] = /^\{(\$\w*)/.exec(text) ?? [];
  if (name === undefined) return;
  report(
    [],
    `"${cutText(text, 40)}" is neither a reference nor an operator; write a reference as "{name}" or "{/path}", and an operator as an object, such as {"${OPERATOR_NAMES[0]}": …}. ${knownOperators(name)}`,
  );
}

/** Returns a sentence that lists the template operators, and suggests the one closest to a misspelled name. */
function knownOperators(name: string): string {
  const meant = closestName(name, OPERATOR_NAMES);
  const list = `The operators are ${OPERATOR_NAMES.join(', ')}`;
  return meant === undefined ? list : `${list}; did you mean "${meant}"?`;
}

function checkOperatorForm(value: JsonObject, report: Report): void {
  for (const key of Object.keys(value)) {
    const isPlain = !key.startsWith('$') || key.startsWith('$$') || OPERATOR_NAMES.includes(key);
    if (isPlain) continue;
    report(
      [key],
      `"${key}" is not an operator; write "$${key}" for a property of this name. ${knownOperators(key)}`,
    );
  }
  if (value['$first'] !== undefined && !Array.isArray(value['$first']))
    report(['$first'], '"$first" must be a list of alternatives');
  if (value['$table'] !== undefined && 'values' in value && !isJsonObject(value['values']))
    report(['values'], '"values" must be an object that maps each given value to the value to send');
}

/** Reports a brace of a path that belongs to no reference, because the upstream would receive the brace. */
export function checkBraces(path: string, report: Report): void {
  const rest = path.replaceAll(/\{[^{}]*\}/g, '');
  const strange = [...path.matchAll(/\{([^{}]*)\}/g)].find(
    ([placeholder]) => pathReferences(placeholder).length === 0,
  );
  if (/[{}]/.test(rest)) report(['path'], 'a brace is not closed or not opened; add the other one');
  if (strange !== undefined) report(['path'], `${strange[0]} ${NO_REFERENCE}`);
}

function checkPath(
  { path }: RequestBinding,
  input: JsonSchema,
  { hasResponse, report }: { readonly hasResponse: boolean; readonly report: Report },
): readonly string[] {
  checkBraces(path, report);
  return pathReferences(path).flatMap((reference) => {
    const [name = ''] = reference.split('/');
    if (name === '') {
      if (!hasResponse) report(['path'], noResponse(`{${reference}}`));
      return [];
    }
    const schema = inputAt(reference, input);
    if (schema === undefined)
      report(['path'], `{${reference}} is not an input; declare it, or correct the name`);
    else if (propertyOf(input, name)?.writeOnly) report(['path'], SECRET_IN_URL);
    else if (!isAlwaysThere(reference, input))
      report(['path'], `{${reference}} may be absent; make the input required, or give it a default`);
    else if (!isSegment(schema))
      report(['path'], `{${reference}} is part of a path; give it the type "string", "number" or "integer"`);
    return [name];
  });
}

function checkNeeds({ needs = [] }: RequestBinding, input: JsonSchema, report: Report): void {
  for (const [index, { message = '' }] of needs.entries()) {
    for (const [placeholder, name = ''] of message.matchAll(/\{(\$?\w+)\}/g))
      if (propertyOf(input, name) === undefined)
        report(
          ['needs', index, 'message'],
          `${placeholder} is not an input; declare it, or correct the name`,
        );
  }
}

function checkIdempotency(
  { idempotencyHeader: name, method, headers = {} }: RequestBinding,
  report: Report,
): void {
  if (name === undefined) return;
  if (method === 'GET' || method === 'HEAD')
    report(
      ['idempotencyHeader'],
      `${method} changes nothing and needs no idempotency key; delete "idempotencyHeader"`,
    );
  if (Object.keys(headers).some((header) => header.toLowerCase() === name.toLowerCase()))
    report(['idempotencyHeader'], `"headers" contains "${name}" too; delete one of them`);
}

function checkEncoding({ encoding = 'json', body, nested }: RequestBinding, report: Report): void {
  if (nested !== undefined && encoding !== 'form')
    report(['nested'], '"nested" needs the encoding "form"; set "encoding" to "form", or delete "nested"');
  if (encoding === 'json') return;
  if (encoding === 'file') {
    if (!isJsonObject(body) || body['$file'] === undefined)
      report(['body'], 'a body with the encoding "file" needs "$file"; add it');
    return;
  }
  if (!isJsonObject(body))
    report(['body'], `a body with the encoding "${encoding}" must be an object of fields`);
  for (const [name, value] of Object.entries(isJsonObject(body) ? body : {})) {
    const isFile = encoding === 'multipart' && isJsonObject(value) && value['$file'] !== undefined;
    const isNested = isJsonObject(value) && !Object.keys(value).some(isOperator);
    if (isNested && !isFile && nested === undefined)
      report(
        ['body', name],
        `a field of a body with the encoding "${encoding}" must not be an object; a form with "nested": "brackets" may have objects`,
      );
  }
}
