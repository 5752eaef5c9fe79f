import { setTimeout as wait } from 'node:timers/promises';

/** Longer than the database itself lets a statement run: then its answer is not late, but lost with its connection. */
export const ANSWER_TIMEOUT_MS = 10_000;

export interface AnswerOptions {
  readonly waitMs?: number;
  /** So long for what has arrived, but was not looked at yet, because the process stood still. */
  readonly lookMs?: number;
  /** Told when no answer came: nothing else can be asked on that connection. */
  readonly onLost?: () => void;
}

/** A host that is gone says nothing, and its connection would wait for it for many minutes. */
export async function answered<T>(
  answer: Promise<T>,
  { waitMs = ANSWER_TIMEOUT_MS, lookMs = 1000, onLost }: AnswerOptions = {},
): Promise<T> {
  const over = new AbortController();
  const { signal } = over;
  const late = async (): Promise<never> => {
    await wait(waitMs, undefined, { signal });
    await wait(lookMs, undefined, { signal });
    onLost?.();
    throw new Error('the connection gave no answer');
  };
  try {
    return await Promise.race([answer, late()]);
  } finally {
    over.abort();
  }
}
