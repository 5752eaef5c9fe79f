import { globSync, readFileSync } from 'node:fs';
import { parseAst } from 'vitest/node';

/** Regular expression in a source file or a schema. */
export interface Expression {
  readonly source: string;
  readonly flags: string;
  /** File and line of the regular expression, such as `scripts/run.ts:12`. */
  readonly location: string;
}

export interface Expressions {
  readonly expressions: readonly Expression[];
  /** Files and lines where code builds a regular expression from a text that is known only at run time. */
  readonly dynamic: readonly string[];
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

type Make = (source: unknown, flags: unknown, node: Node) => void;

// String methods that convert their argument to a regular expression.
const MATCHING = ['match', 'matchAll', 'search'];
// Flags with which JSON Schema validators compile a pattern.
const PATTERN_FLAGS = 'u';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const isNode = (value: unknown): value is Node => isObject(value) && typeof value['type'] === 'string';

/** Returns the text of a string literal in a syntax tree. Undefined for other nodes. */
function textOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node['expressions'])) return undefined;
  const [part] = Array.isArray(node['quasis']) ? node['quasis'] : [];
  return node['expressions'].length === 0 && isObject(part?.value) ? String(part.value['cooked']) : undefined;
}

function visitNodes(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) for (const child of value) visitNodes(child, visit);
  if (!isNode(value)) return;
  visit(value);
  for (const child of Object.values(value)) if (isObject(child)) visitNodes(child, visit);
}

function readCall(node: Node, make: Make): void {
  const { callee } = node;
  const [first, second] = Array.isArray(node['arguments']) ? node['arguments'] : [];
  if (!isNode(callee)) return;
  if (callee['name'] === 'RegExp') make(textOf(first), second === undefined ? '' : textOf(second), node);
  const { property } = callee;
  const isMatching = isNode(property) && MATCHING.includes(String(property['name']));
  const text = isMatching ? textOf(first) : undefined;
  if (text !== undefined) make(text, '', node);
}

function readNode(node: Node, make: Make): void {
  const { regex, key, value } = node;
  if (node.type === 'Literal' && isObject(regex)) make(regex['pattern'], regex['flags'], node);
  if (node.type === 'NewExpression' || node.type === 'CallExpression') readCall(node, make);
  const isPattern =
    node.type === 'Property' && isNode(key) && [key['name'], key['value']].includes('pattern');
  const pattern = isPattern ? textOf(value) : undefined;
  if (pattern !== undefined) make(pattern, PATTERN_FLAGS, node);
}

/** Finds the regular expressions in TypeScript source: literals, calls of `RegExp`, and patterns in schemas. */
export function expressionsIn(text: string, file: string): Expressions {
  const expressions: Expression[] = [];
  const dynamic: string[] = [];
  const make: Make = (source, flags, { start }) => {
    const location = `${file}:${text.slice(0, start).split('\n').length}`;
    if (typeof source === 'string' && typeof flags === 'string')
      expressions.push({ source, flags, location });
    else dynamic.push(location);
  };
  visitNodes(parseAst(text, { lang: 'ts' }), (node) => readNode(node, make));
  return { expressions, dynamic };
}

function* patternsOf(value: unknown): Generator<string> {
  if (!isObject(value)) return;
  const { pattern, patternProperties } = value;
  if (typeof pattern === 'string') yield pattern;
  if (isObject(patternProperties)) yield* Object.keys(patternProperties);
  for (const child of Object.values(value)) yield* patternsOf(child);
}

/** Finds the regular expressions (`pattern` and `patternProperties`) in a JSON file with JSON Schemas. */
export function patternsIn(text: string, file: string): readonly Expression[] {
  const lines = text.split('\n');
  return [...patternsOf(JSON.parse(text))].map((source) => {
    const line = lines.findIndex((each) => each.includes(JSON.stringify(source))) + 1;
    return { source, flags: PATTERN_FLAGS, location: `${file}:${line}` };
  });
}

// Source files whose regular expressions are checked. Tests are left out, because their expressions match only texts of
// the tests.
const SOURCES = ['packages/*/src/**/*.ts', 'packages/connectors/*/src/**/*.ts', 'scripts/**/*.ts'];
const isTest = (file: string): boolean => file.endsWith('.test.ts');

/** Finds every regular expression in the repository that may be applied to a text from a caller or an upstream. */
export function findExpressions(): Expressions {
  const read = (file: string) => readFileSync(file, 'utf8');
  const sources = globSync(SOURCES).filter((file) => !isTest(file));
  const results = sources.map((file) => expressionsIn(read(file), file));
  const schemas = globSync('schemas/**/*.json').flatMap((file) => patternsIn(read(file), file));
  return {
    expressions: [...results.flatMap(({ expressions }) => expressions), ...schemas],
    dynamic: results.flatMap(({ dynamic }) => dynamic),
  };
}
