import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Dials } from '../../../src/dials.js';

/** Results of earlier operations of the same run: `id('page')` is the value that `keeps: { page: 'id' }` stored. */
export type Kept = (name: string) => string;

/** Turns dials of the emulated upstream that the client speaks to. */
export type Turn = (changes: Partial<Dials>) => Promise<unknown>;

/** One operation of a vendor's client: how it is called, and what must come back. */
export interface Operation<Client> {
  readonly name: string;
  readonly call: (client: Client, id: Kept, turn: Turn) => Promise<unknown>;
  /** Must be part of the answer. */
  readonly gives?: unknown;
  /** Must be part of the error that the client throws. */
  readonly throws?: unknown;
  /** Parts of the answer that later operations need, as paths such as `items.0.id`. */
  readonly keeps?: Readonly<Record<string, string>>;
}

/** A way to the upstream: a client at work, and how it is put away. */
export interface Way<Client> {
  readonly client: Client;
  readonly turn: Turn;
  readonly stop?: () => Promise<void>;
}

export interface Battery<Client> {
  /** A client that speaks to an emulated upstream of its own. */
  readonly direct: () => Promise<Way<Client>>;
  /** The same client, at the service's proxy. */
  readonly throughService: () => Promise<Way<Client>>;
  readonly operations: readonly Operation<Client>[];
  /** Operations that do not work through the service yet, each with what it waits for. */
  readonly waiting?: Readonly<Record<string, string>>;
}

const KINDS: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'undefined']);

/** Returns the structure of a value without its texts and numbers, which is equal on both ways. */
function shapeOf(value: unknown): unknown {
  if (value === null || KINDS.has(typeof value)) return value === null ? 'null' : typeof value;
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
}

export function partOf(value: unknown, path: string): string {
  const found = path
    .split(/(?<!\\)\./)
    .reduce<unknown>((inner, key) => Reflect.get(Object(inner), key.replaceAll('\\', '')), value);
  if (typeof found !== 'string') throw new Error(`There is no text at ${path} of ${JSON.stringify(value)}.`);
  return found;
}

async function outcomeOf<Client>(
  { call, throws }: Operation<Client>,
  { client, turn }: Way<Client>,
  kept: Kept,
) {
  if (throws === undefined) return call(client, kept, turn);
  return call(client, kept, turn).then(
    (answer) => expect.fail(`no error, but ${JSON.stringify(answer)}`),
    (error: unknown) => error,
  );
}

/** Runs each operation once in each way, in order, as those that follow work on what earlier ones made. */
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
    const kept: Kept = (name) => {
      const value = memory.get(name);
      if (value === undefined) throw new Error(`Nothing was kept as "${name}".`);
      return value;
    };
    const run = async (operation: Operation<Client>) => {
      const outcome = await outcomeOf(operation, way, kept);
      if (operation.throws !== undefined) return expect(outcome).toMatchObject(Object(operation.throws));
      if (operation.gives !== undefined) expect(outcome).toEqual(partly(operation.gives));
      for (const [name, path] of Object.entries(operation.keeps ?? {}))
        memory.set(name, partOf(outcome, path));
      const shape = shapeOf(outcome);
      if (wayName === 'directly') shapes.set(operation.name, shape);
      else expect(shape, 'the answer as it comes directly').toEqual(shapes.get(operation.name));
    };
    for (const operation of operations) {
      const waits = wayName !== 'directly' && waiting[operation.name] !== undefined;
      // A waiting one that works has waited long enough: its line goes.
      test(operation.name, { fails: waits }, () => run(operation));
    }
  });
  test(`${title}: no name twice, and none waits that does not exist`, () => {
    const names = operations.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(Object.keys(waiting).filter((name) => !names.includes(name))).toEqual([]);
  });
}

/** Objects fit when they have what is wanted, lists when they have as many items and each fits. */
function partly(wanted: unknown): unknown {
  if (Array.isArray(wanted)) return wanted.map(partly);
  const isPlain =
    typeof wanted === 'object' && wanted !== null && Object.getPrototypeOf(wanted) === Object.prototype;
  if (!isPlain) return wanted;
  return expect.objectContaining(
    Object.fromEntries(Object.entries(wanted).map(([key, value]) => [key, partly(value)])),
  );
}
