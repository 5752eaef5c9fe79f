import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Dials } from '../../../src/dials.js';

/** Returns a value that an earlier operation stored: `id('page')` returns the value of `keeps: { page: 'id' }`. */
export type SavedValue = (name: string) => string;

/** Changes dials of the emulated service, for example to cause errors. */
export type SetDials = (changes: Partial<Dials>) => Promise<unknown>;

/** An operation of a vendor's client, with the expected result or error. */
export interface Operation<Client> {
  readonly name: string;
  readonly call: (client: Client, id: SavedValue, setDials: SetDials) => Promise<unknown>;
  /** Expected part of the result. */
  readonly gives?: unknown;
  /** Expected part of the error that the client throws. */
  readonly throws?: unknown;
  /** Values of the result that later operations need, as paths such as `items.0.id`. */
  readonly saves?: Readonly<Record<string, string>>;
}

/** A client that reaches the upstream, and the function that stops it. */
export interface Way<Client> {
  readonly client: Client;
  readonly setDials: SetDials;
  readonly stop?: () => Promise<void>;
}

export interface Battery<Client> {
  /** Opens a client that calls its own emulated service directly. */
  readonly direct: () => Promise<Way<Client>>;
  /** Opens the client at the proxy of the service. */
  readonly throughService: () => Promise<Way<Client>>;
  readonly operations: readonly Operation<Client>[];
  /** Operations that do not work through the service yet, each with the reason. */
  readonly waiting?: Readonly<Record<string, string>>;
}

const KINDS: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'undefined']);

/** Returns the structure of a value with types instead of values. The structure must be equal on both ways. */
function shapeOf(value: unknown): unknown {
  if (value === null || KINDS.has(typeof value)) return value === null ? 'null' : typeof value;
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
}

export function partOf(value: unknown, path: string): string {
  const member = path
    .split(/(?<!\\)\./)
    .reduce<unknown>((inner, key) => Reflect.get(Object(inner), key.replaceAll('\\', '')), value);
  if (typeof member !== 'string') throw new Error(`There is no text at ${path} of ${JSON.stringify(value)}.`);
  return member;
}

async function outcomeOf<Client>(
  { call, throws }: Operation<Client>,
  { client, setDials }: Way<Client>,
  saved: SavedValue,
) {
  if (throws === undefined) return call(client, saved, setDials);
  return call(client, saved, setDials).then(
    (result) => expect.fail(`no error, but ${JSON.stringify(result)}`),
    (error: unknown) => error,
  );
}

/** Runs all operations once per way and in order, because later operations use objects of earlier ones. */
export function runBattery<Client>(
  title: string,
  { direct, throughService, operations, waiting = {} }: Battery<Client>,
): void {
  const shapes = new Map<string, unknown>();
  const ways = { directly: direct, 'through the service': throughService };
  describe.each(Object.entries(ways))(`${title} %s`, (wayName, open) => {
    const memory = new Map<string, string>();
    let way: Way<Client>;
    beforeAll(async () => {
      way = await open();
    });
    afterAll(async () => way?.stop?.());
    const saved: SavedValue = (name) => {
      const value = memory.get(name);
      if (value === undefined) throw new Error(`Nothing was saved as "${name}".`);
      return value;
    };
    const run = async (operation: Operation<Client>) => {
      const outcome = await outcomeOf(operation, way, saved);
      if (operation.throws !== undefined) return expect(outcome).toMatchObject(Object(operation.throws));
      if (operation.gives !== undefined) expect(outcome).toEqual(partly(operation.gives));
      for (const [name, path] of Object.entries(operation.saves ?? {}))
        memory.set(name, partOf(outcome, path));
      const shape = shapeOf(outcome);
      if (wayName === 'directly') shapes.set(operation.name, shape);
      else expect(shape, 'the shape of the direct response').toEqual(shapes.get(operation.name));
    };
    for (const operation of operations) {
      const waits = wayName !== 'directly' && waiting[operation.name] !== undefined;
      // An operation in `waiting` is expected to fail. If it succeeds, the test fails until its entry is removed.
      test(operation.name, { fails: waits }, () => run(operation));
    }
  });
  test(`${title}: no name twice, and none waits that does not exist`, () => {
    const names = operations.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(Object.keys(waiting).filter((name) => !names.includes(name))).toEqual([]);
  });
}

/** Builds a partial matcher. Objects may have additional fields, but lists must have equally many items. */
function partly(wanted: unknown): unknown {
  if (Array.isArray(wanted)) return wanted.map(partly);
  const isPlain =
    typeof wanted === 'object' && wanted !== null && Object.getPrototypeOf(wanted) === Object.prototype;
  if (!isPlain) return wanted;
  return expect.objectContaining(
    Object.fromEntries(Object.entries(wanted).map(([key, value]) => [key, partly(value)])),
  );
}
