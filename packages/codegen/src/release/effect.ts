import type { JsonSchema } from '@svc/catalog';
import type { Direction } from '../print-type.js';
import type { Level } from './change.js';

/** `narrower` refuses what was accepted, `wider` accepts what was refused, `changed` does both. */
export type Effect = 'narrower' | 'wider' | 'changed';

/** Effect of a keyword's change on the values of a schema, or its level, where the direction alone decides. */
export interface Finding {
  readonly effect: Effect | Level;
  readonly path: readonly string[];
  readonly reason: string;
}

/** Position of two schemas under comparison. `compare` compares schemas inside them. */
export interface Place {
  readonly direction: Direction;
  readonly path: readonly string[];
  readonly before: Definitions;
  readonly after: Definitions;
  /** Pairs of which at least one is a reference, and which were compared already. */
  readonly seen: Set<string>;
  /** Pairs compared in a negated position, where a finding has the opposite effect. */
  readonly seenNegated: Set<string>;
  readonly compare: Compare<JsonSchema | boolean>;
}

export type Definitions = Readonly<Record<string, JsonSchema>>;

/** Compares two schemas, or one side of them. */
export type Compare<Schema = JsonSchema> = (
  before: Schema,
  after: Schema,
  place: Place,
) => readonly Finding[];

/** Callers send less and less of what they may: an input that refuses more breaks them, and so does an output that holds more. */
const MEANING: Readonly<Record<Direction, Readonly<Record<Effect, Level>>>> = {
  input: { narrower: 'breaking', wider: 'additive', changed: 'breaking' },
  output: { narrower: 'additive', wider: 'breaking', changed: 'breaking' },
};

const isEffect = (effect: Effect | Level): effect is Effect => effect in MEANING.input;

export const levelOf = (effect: Effect | Level, direction: Direction): Level =>
  isEffect(effect) ? MEANING[direction][effect] : effect;

export const finding = (place: Place, effect: Effect | Level, reason: string): Finding => ({
  effect,
  path: place.path,
  reason,
});

export const within = (place: Place, ...steps: readonly string[]): Place => ({
  ...place,
  path: [...place.path, ...steps],
});

const OPPOSITE = { narrower: 'wider', wider: 'narrower' } as const;

/** Converts a finding inside a negation to its effect outside. */
export const opposite = (found: Finding): Finding =>
  found.effect === 'narrower' || found.effect === 'wider'
    ? { ...found, effect: OPPOSITE[found.effect] }
    : found;
