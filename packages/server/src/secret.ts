import { inspect } from 'node:util';

const REDACTED = '[secret]';

/** Wrapper of a secret. Its string, JSON and inspect forms are `[secret]`, so that a log cannot contain the secret. */
export interface Secret {
  /** Returns the secret itself. Call it only to send or to encrypt the secret. */
  readonly reveal: () => string;
  /** Length in characters. Caches use it to estimate their memory. */
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
