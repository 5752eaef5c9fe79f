import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Collects what nobody holds any more: what is young, or all of it. */
export type Collect = (options: { readonly type: 'minor' | 'major' }) => void;

/** V8's own, which Node gives to a new context alone. */
export function findCollector(): Collect {
  setFlagsFromString('--expose-gc');
  const collect: Collect = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return collect;
}
