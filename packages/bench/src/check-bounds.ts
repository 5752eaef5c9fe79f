import bounds from './bounds.json' with { type: 'json' };
import type { Result } from './part.ts';

interface Bound {
  readonly row: string;
  readonly figure: string;
  readonly unit: string;
  /** Limit for the measured figure: its maximum, or its minimum if `isLeast` is set. */
  readonly must: number;
  readonly aim?: number;
  readonly isLeast?: boolean;
}

export interface Verdict extends Bound {
  readonly measured: number;
  readonly outcome: 'met' | 'NOT MET' | 'NOT VALID';
}

export interface BoundsCheck {
  /**
   * Results of comparing the figures of this run with their limits in bounds.json. Limits of benchmark parts that did
   * not run are omitted.
   */
  readonly verdicts: readonly Verdict[];
  /** Reasons why benchmark parts of this run are not valid. */
  readonly invalid: readonly string[];
  /** Exit code of the benchmark: 2 if a part is not valid, 1 if `--check` is set and a limit is missed, 0 otherwise. */
  readonly exitCode: 0 | 1 | 2;
}

function toVerdict(bound: Bound, { figures, invalid }: Result): Verdict[] {
  const measured = figures[bound.figure];
  if (measured === undefined) return [];
  const isMet = bound.isLeast ? measured >= bound.must : measured <= bound.must;
  const outcome = isMet ? 'met' : 'NOT MET';
  return [{ ...bound, measured, outcome: invalid === undefined ? outcome : 'NOT VALID' }];
}

/** Compares the measured figures of a benchmark run with their limits in bounds.json. */
export function checkBounds(results: readonly Result[], options: { readonly check: boolean }): BoundsCheck {
  const verdicts = (bounds as readonly Bound[]).flatMap((bound) =>
    results.flatMap((result) => toVerdict(bound, result)),
  );
  const invalid = results.flatMap((result) => result.invalid ?? []);
  const isMissed = options.check && verdicts.some(({ outcome }) => outcome === 'NOT MET');
  if (invalid.length > 0) return { verdicts, invalid, exitCode: 2 };
  return { verdicts, invalid, exitCode: isMissed ? 1 : 0 };
}
