import { randomUUID } from 'node:crypto';

/** Values that must be found nowhere, by their names. */
export interface Secrets {
  readonly names: () => readonly string[];
  readonly add: (name: string, value: string) => void;
  /** Makes a value that nobody else can have written. */
  readonly canary: (name: string) => string;
  /** The names of those that stand in the bytes, as they are or encoded. */
  readonly foundIn: (bytes: Buffer) => readonly string[];
}

const SHORTEST = 16;

function formsOf(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  return [
    value,
    encodeURIComponent(value),
    JSON.stringify(value).slice(1, -1),
    bytes.toString('hex'),
    // The last group depends on what follows.
    bytes.toString('base64').replace(/.{0,4}$/, ''),
    bytes.toString('base64url').replace(/.{0,4}$/, ''),
  ];
}

export function createSecrets(): Secrets {
  const values: (readonly [name: string, value: string])[] = [];
  const add = (name: string, value: string) => {
    if (value.length < SHORTEST) throw new Error(`"${name}" is too short to be looked for.`);
    values.push([name, value]);
  };
  return {
    names: () => values.map(([name]) => name),
    add,
    canary(name) {
      const value = `canary-${randomUUID()}`;
      add(name, value);
      return value;
    },
    foundIn: (bytes) =>
      values.flatMap(([name, value]) => (formsOf(value).some((form) => bytes.includes(form)) ? [name] : [])),
  };
}
