import type { JsonSchema } from '@svc/catalog';
import type { Direction } from '../print-type.js';
import type { Level } from './change.js';

/**
 * Effect of a schema change on the accepted values. `narrower` rejects formerly accepted values, `wider` accepts
 * formerly rejected ones, `changed` does both.
 */
export type Effect = 'narrower' | 'wider' | 'changed';

/**
 * Difference between two schemas. `effect` is the effect on the accepted values, or a level if the difference has the
 * same level for inputs and outputs.
 */
export interface Finding {
  readonly effect: Effect | Level;
  readonly path: readonly string[];
  readonly reason: string;
}

/** Context of a comparison of two schemas. The function `compare` compares their subschemas. */
export interface Comparison {
  readonly direction: Direction;
  readonly path: readonly string[];
  readonly before: Definitions;
  readonly after: Definitions;
  /** Pairs of already compared `$ref` schemas, so that recursive schemas are compared only once. */
  readonly seen: Set<string>;
  /** Pairs of schemas already compared inside `not`, where a difference has the opposite effect. */
  readonly seenNegated: Set<string>;
  readonly compare: Compare<JsonSchema | boolean>;
}

export type Definitions = Readonly<Record<string, JsonSchema>>;

/** Function that compares two schemas, or one aspect of them, and returns the differences. */
export type Compare<Schema = JsonSchema> = (
  before: Schema,
  after: Schema,
  context: Comparison,
) => readonly Finding[];

/**
 * Level of each effect for inputs and outputs. A narrower input breaks callers that send a rejected value. A wider
 * output breaks callers that do not expect the new values.
 */
const MEANING: Readonly<Record<Direction, Readonly<Record<Effect, Level>>>> = {
  input: { narrower: 'breaking', wider: 'additive', changed: 'breaking' },
  output: { narrower: 'additive', wider: 'breaking', changed: 'breaking' },
};

const isEffect = (effect: Effect | Level): effect is Effect => effect in MEANING.input;

export const levelOf = (effect: Effect | Level, direction: Direction): Level =>
  isEffect(effect) ? MEANING[direction][effect] : effect;

export const finding = (context: Comparison, effect: Effect | Level, reason: string): Finding => ({
  effect,
  path: context.path,
  reason,
});

export const within = (context: Comparison, ...steps: readonly string[]): Comparison => ({
  ...context,
  path: [...context.path, ...steps],
});

const OPPOSITE = { narrower: 'wider', wider: 'narrower' } as const;

/** Converts a difference inside a `not` schema to its effect on the whole schema. */
export const opposite = (inner: Finding): Finding =>
  inner.effect === 'narrower' || inner.effect === 'wider'
    ? { ...inner, effect: OPPOSITE[inner.effect] }
    : inner;
