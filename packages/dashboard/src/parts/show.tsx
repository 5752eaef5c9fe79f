import type { ComponentChildren } from 'preact';
import type { Loaded } from '../api/use-loaded.ts';
import { ErrorNotice } from './notice.tsx';

interface ShowProps<Value> {
  readonly of: Loaded<Value>;
  readonly children: (value: Value) => ComponentChildren;
}

/** What was loaded, or why it was not, with a way to try again. */
export function Show<Value>({ of, children }: ShowProps<Value>) {
  if (of.error !== undefined) return <ErrorNotice error={of.error} retry={of.reload} />;
  if (of.value === undefined) return <div class="waiting" role="status" aria-label="Loading" />;
  return <>{children(of.value)}</>;
}
