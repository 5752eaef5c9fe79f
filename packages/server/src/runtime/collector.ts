import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

interface CollectOptions {
  readonly type: 'minor' | 'major';
  /** `last-resort` collects until nothing more comes of it, and gives the memory back. */
  readonly flavor?: 'regular' | 'last-resort';
}

/** Collects what nobody holds any more: what is young, or all of it. */
export type Collect = (options: CollectOptions) => void;

/** V8's own, which Node gives to a new context alone. */
export function findCollector(): Collect {
  setFlagsFromString('--expose-gc');
  const collect: Collect = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return collect;
}
