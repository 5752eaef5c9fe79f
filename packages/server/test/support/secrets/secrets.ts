import { randomUUID } from 'node:crypto';

/** Named secrets that must not leak. */
export interface Secrets {
  readonly names: () => readonly string[];
  readonly add: (name: string, value: string) => void;
  /** Adds a key, which could leak as raw bytes or as encoded text. */
  readonly addBytes: (name: string, value: Buffer) => void;
  /** Creates a unique random secret and adds it. */
  readonly canary: (name: string) => string;
  /** Returns the names of the secrets that occur in these bytes, in plain or encoded form. */
  readonly findIn: (bytes: Buffer) => readonly string[];
}

const SHORTEST = 16;

const encodingsOf = (bytes: Buffer): readonly string[] => [
  bytes.toString('hex'),
  // Cuts off the last base64 group, because it depends on the bytes that follow the secret.
  bytes.toString('base64').replace(/.{0,4}$/, ''),
  bytes.toString('base64url').replace(/.{0,4}$/, ''),
];

const formsOf = (value: string): readonly string[] => [
  value,
  encodeURIComponent(value),
  JSON.stringify(value).slice(1, -1),
  ...encodingsOf(Buffer.from(value)),
];

export function createSecrets(): Secrets {
  const values: (readonly [name: string, forms: readonly (string | Buffer)[]])[] = [];
  const note = (name: string, length: number, forms: readonly (string | Buffer)[]) => {
    if (length < SHORTEST) throw new Error(`"${name}" is too short to be looked for.`);
    values.push([name, forms]);
  };
  const add = (name: string, value: string) => note(name, value.length, formsOf(value));
  return {
    names: () => values.map(([name]) => name),
    add,
    addBytes: (name, value) => note(name, value.length, [value, ...encodingsOf(value)]),
    canary(name) {
      const value = `canary-${randomUUID()}`;
      add(name, value);
      return value;
    },
    findIn: (bytes) =>
      values.flatMap(([name, forms]) => (forms.some((form) => bytes.includes(form)) ? [name] : [])),
  };
}
