import { effect, signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { session, sessionEnd } from '../api/session.ts';
import { showToast } from './toast.tsx';

/** Changed form whose values are lost when its page closes. */
interface OpenForm {
  readonly path: string;
  /** Query string of the page's URL. `undefined` if the form stays open when the query changes. */
  readonly query: string | undefined;
}

/**
 * Changed form values that are kept after the session expired, until the same operator has signed in again. They never
 * contain secrets.
 */
interface Kept {
  readonly operator: string | undefined;
  readonly values: Readonly<Record<string, unknown>>;
}

const changedForms = new Set<OpenForm>();
const kept = new Map<string, Kept>();

effect(() => {
  if (sessionEnd.value === 'signed out') kept.clear();
});

const confirmUnload = (event: BeforeUnloadEvent): void => event.preventDefault();

/** Marks a form as changed until the returned function is called. Browsers ask before they close its window. */
function markChanged(form: OpenForm): () => void {
  changedForms.add(form);
  addEventListener('beforeunload', confirmUnload);
  return () => {
    changedForms.delete(form);
    if (changedForms.size === 0) removeEventListener('beforeunload', confirmUnload);
  };
}

/** Returns true if changes would be lost when the page at `target`, a path with a query, replaces the current page. */
export function losesChanges(target: string): boolean {
  const { pathname, search } = new URL(target, location.origin);
  return [...changedForms].some(
    ({ path, query }) => path !== pathname || (query !== undefined && query !== search),
  );
}

/** Action that waits until the operator decides whether to discard unsaved changes. A dialog asks the operator. */
export const pendingLeave = signal<(() => void) | undefined>();

/** Runs `go`, which closes the current page. Asks first if the page has unsaved changes. */
export function leave(go: () => void): void {
  if (changedForms.size === 0) go();
  else pendingLeave.value = go;
}

/** Discards the unsaved changes, so that the operator is not asked again. */
export function discardChanges(): void {
  changedForms.clear();
  removeEventListener('beforeunload', confirmUnload);
}

type Values = Readonly<Record<string, unknown>>;

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Returns the form values that differ from `initial`, without secrets. */
function changesOf<Value extends object>(value: Value, initial: Value, secrets: readonly string[]): Values {
  const before = new Map(Object.entries(initial));
  const changed = Object.entries(value).filter(
    ([name, each]) => !secrets.includes(name) && !isSame(each, before.get(name)),
  );
  return Object.fromEntries(changed);
}

/** Returns the changed form values that were kept when the session of the same operator expired, and removes them. */
function takeKept(key: string): Values | undefined {
  const found = kept.get(key);
  if (found === undefined || found.operator !== session.value?.name) return undefined;
  kept.delete(key);
  return found.values;
}

interface DraftOptions<Value> {
  /** Name of the form, which is unique on its page. */
  readonly form: string;
  /** Values that the form shows first. */
  readonly initial: Value;
  /** Names of the form values that are secret, so that they are never kept after the session has expired. */
  readonly secrets?: readonly (keyof Value & string)[];
  /** True if the form closes when the query of the URL changes. */
  readonly closesWithQuery?: boolean;
}

/** Form value that differs from the stored value. */
export interface Difference {
  readonly name: string;
  readonly mine: unknown;
  readonly theirs: unknown;
}

export interface EditedDraft {
  /** Form values that differ from the stored values, without secrets. */
  readonly differences: readonly Difference[];
  /** Replaces the form values by the stored values. */
  readonly discard: () => void;
}

export interface Draft<Value> extends EditedDraft {
  readonly value: Value;
  readonly change: (change: Partial<Value>) => void;
  /** Marks the form values as saved. If `saved` is given, it replaces the form values. */
  readonly reset: (saved?: Value) => void;
}

/**
 * Holds the values of a form. If `initial` changes, the form shows the new values except where the operator has typed
 * another value. The dashboard asks before it closes the form with unsaved changes. If the session ends, the form shows
 * the changes again after the same operator has signed in.
 */
export function useDraft<Value extends object>(options: DraftOptions<Value>): Draft<Value> {
  const { form, initial, secrets = [], closesWithQuery = false } = options;
  const key = useRef(`${location.pathname} ${form}`).current;
  const [restored] = useState(() => takeKept(key));
  const [saved, setSaved] = useState<Value>(initial);
  const [value, setValue] = useState<Value>(() => ({ ...initial, ...restored }));
  useEffect(() => {
    if (isSame(saved, initial)) return;
    setSaved(initial);
    setValue({ ...initial, ...changesOf(value, saved, []) });
  }, [JSON.stringify(initial)]);
  const operator = useRef(session.value?.name).current;
  const changes = useRef<Values>({});
  changes.current = changesOf(value, saved, secrets);
  const isChanged = !isSame(value, saved);
  // A layout effect runs before the browser paints. The browser then asks even if the page is reloaded right after a
  // key press.
  useLayoutEffect(() => {
    if (!isChanged) return undefined;
    return markChanged({ path: location.pathname, query: closesWithQuery ? location.search : undefined });
  }, [isChanged]);
  useEffect(() => {
    if (restored) showToast('Your unsaved changes were restored. Enter passwords and secrets again.');
    return () => {
      const hasChanges = Object.keys(changes.current).length > 0;
      if (sessionEnd.value === 'expired' && hasChanges) kept.set(key, { operator, values: changes.current });
    };
  }, []);
  return {
    value,
    change: (change) => setValue((before) => ({ ...before, ...change })),
    differences: Object.entries(changes.current).map(([name, mine]) => ({
      name,
      mine,
      theirs: new Map(Object.entries(saved)).get(name),
    })),
    discard: () => setValue(saved),
    reset: (next) => {
      setSaved(next ?? value);
      if (next !== undefined) setValue(next);
    },
  };
}
