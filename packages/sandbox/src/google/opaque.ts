import { isObject, parseJson } from '../json.js';

/** A token that means something to the service alone. */
export function writeOpaque(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** What a token holds; empty when the service did not make it. */
export function readOpaque(token: string): Record<string, unknown> {
  const value = parseJson(Buffer.from(token, 'base64url').toString('utf8'));
  return isObject(value) ? value : {};
}
