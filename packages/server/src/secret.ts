import { inspect } from 'node:util';

const REDACTED = '[secret]';

/** A secret in plain text. Printing it in any form gives `[secret]`. */
export interface Secret {
  /** Returns the plain text. Call it only to send or to encrypt the secret. */
  readonly reveal: () => string;
  /** Length in characters, by which caches estimate their size. */
  readonly length: number;
  readonly toString: () => string;
  readonly toJSON: () => string;
  readonly [inspect.custom]: () => string;
}

export const secret = (value: string): Secret => ({
  reveal: () => value,
  length: value.length,
  toString: () => REDACTED,
  toJSON: () => REDACTED,
  [inspect.custom]: () => REDACTED,
});
