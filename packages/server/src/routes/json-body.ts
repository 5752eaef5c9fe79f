import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.js';
import { isPlainText } from '../plain-text.js';
import { JSON_BODY } from './body-limits.js';

export const MAX_DEPTH = 32;

const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const refuse = (message: string): never => {
  throw new ServiceError('invalid_request', message);
};

const notJson = (): never => refuse('The body is not valid JSON in UTF-8.');

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return notJson();
  }
}

// Bytes that are UTF-8 hold neither; only an escape can bring them in.
function assertPlainText(text: string, value: unknown): unknown {
  if (!/\\u(0000|d[89a-f])/i.test(text)) return value;
  const texts = [value];
  while (texts.length > 0) {
    const next = texts.pop();
    if (typeof next === 'string' && !isPlainText(next))
      refuse('The body holds a NUL character or half a surrogate pair, which is no text.');
    if (typeof next === 'object' && next !== null) {
      for (const [key, child] of Object.entries(next)) texts.push(key, child);
    }
  }
  return value;
}

function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) return index;
    if (code === BACKSLASH) index += 1;
  }
  return text.length;
}

// Escapes are read first: "\u005f_proto__" is the same key.
function addKey(keys: Set<string>, literal: string): void {
  const key = literal.includes('\\') ? String(parse(literal)) : literal.slice(1, -1);
  if (PROTOTYPE_KEYS.has(key)) refuse(`The key "${key}" may not be used in a body.`);
  if (keys.has(key)) refuse('The body holds the same key twice in one object.');
  keys.add(key);
}

/** What JSON.parse lets pass: depth, double keys and keys of the prototype. One pass, also over text that is no JSON. */
function assertPlain(text: string): void {
  const open: (Set<string> | undefined)[] = [];
  let isKeyNext = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      const end = endOfString(text, index);
      const keys = open.at(-1);
      if (isKeyNext && keys) addKey(keys, text.slice(index, end + 1));
      isKeyNext = false;
      index = end;
    } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      if (open.length === MAX_DEPTH) refuse(`The body is nested deeper than ${MAX_DEPTH} levels.`);
      isKeyNext = code === OPEN_OBJECT;
      open.push(isKeyNext ? new Set() : undefined);
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      open.pop();
      isKeyNext = false;
    } else if (code === COMMA) {
      isKeyNext = open.at(-1) !== undefined;
    }
  }
}

/** Parses a body, and refuses what two parsers could read differently (rules A10 and A11). */
export function parseJsonBody(bytes: Buffer): unknown {
  const text = decode(bytes);
  assertPlain(text);
  return assertPlainText(text, parse(text));
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return notJson();
  }
}

/** Makes JSON the only body that the routes of `app` take; an empty one is `undefined`. */
export function addJsonBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: JSON_BODY },
    async (_request: FastifyRequest, body: Buffer) => (body.length === 0 ? undefined : parseJsonBody(body)),
  );
}
