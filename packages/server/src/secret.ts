import { inspect } from 'node:util';

const REDACTED = '[secret]';

/** A plain secret on its way through the service. Printing it in any form gives `[secret]`. */
export interface Secret {
  /** The secret itself: call it only where it is put on the wire or encrypted. */
  readonly reveal: () => string;
  /** Of its characters, so that what holds it knows how much it holds. */
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
