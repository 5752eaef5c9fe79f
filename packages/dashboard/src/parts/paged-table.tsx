import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Show, useLoaded, useRefresh } from './loaded.tsx';
import { type Column, Table } from './table.tsx';

/** The part of a query that names a page. */
export interface PageQuery {
  /** Absent for the first page. */
  readonly pageToken?: string;
}

interface PageOf<Row> {
  readonly items: readonly Row[];
  readonly nextPageToken?: string;
}

interface PagedTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** The list and its filters. Another value begins at the first page. */
  readonly of: string;
  readonly load: (page: PageQuery, signal: AbortSignal) => Promise<PageOf<Row>>;
  readonly empty: ComponentChildren;
  /** Interval between reloads of the first page; absent: no reloads. */
  readonly refreshMs?: number | undefined;
}

interface PagerProps {
  readonly number: number;
  readonly next: string | undefined;
  readonly onMove: (to: 'back' | 'on') => void;
}

const Pager = ({ number, next, onMove }: PagerProps) => (
  <nav class="pager" aria-label="Pages">
    <button type="button" class="small" disabled={number === 1} onClick={() => onMove('back')}>
      Previous
    </button>
    <span class="soft" role="status">
      Page {number}
    </span>
    <button type="button" class="small" disabled={next === undefined} onClick={() => onMove('on')}>
      Next
    </button>
  </nav>
);

/** A list of any length, one page at a time. Previous uses the tokens of the pages before. */
export function PagedTable<Row>({ of, load, empty, refreshMs, ...table }: PagedTableProps<Row>) {
  const { tokens, moveTo } = useListPlace(table.caption, of);
  const token = tokens.at(-1);
  const loaded = useLoaded(JSON.stringify([of, token]), (signal) =>
    load(token === undefined ? {} : { pageToken: token }, signal),
  );
  useRefresh(loaded, tokens.length === 0 ? refreshMs : undefined);
  const next = loaded.value?.nextPageToken;
  const move = (to: 'back' | 'on') => {
    if (to === 'back') moveTo(tokens.slice(0, -1));
    else if (next !== undefined) moveTo([...tokens, next]);
  };
  return (
    <Show of={loaded}>
      {({ items }) => (
        <div class="stack">
          {refreshMs !== undefined && <News keys={items.map(table.keyOf)} />}
          {items.length === 0 && tokens.length === 0 && next === undefined ? (
            empty
          ) : (
            <Table {...table} rows={items} />
          )}
          {(tokens.length > 0 || next !== undefined) && (
            <Pager number={tokens.length + 1} next={next} onMove={move} />
          )}
        </div>
      )}
    </Show>
  );
}

interface ListPlace {
  /** The list and its filters. */
  readonly of: string;
  /** The tokens of the pages so far, the present one last; none for the first page. */
  readonly tokens: readonly string[];
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isText = (value: unknown): value is string => typeof value === 'string';

const stateNow = (): Readonly<Record<string, unknown>> => (isRecord(history.state) ? history.state : {});

function readPlace(list: string, of: string): ListPlace {
  const kept = stateNow()[list];
  const tokens = isRecord(kept) && kept['of'] === of ? kept['tokens'] : [];
  return { of, tokens: Array.isArray(tokens) ? tokens.filter(isText) : [] };
}

/** The current page of a list. The browser's history stores it, so that Back and a reload return to it. */
function useListPlace(list: string, of: string) {
  const [place, setPlace] = useState(() => readPlace(list, of));
  const moveTo = (tokens: readonly string[]) => {
    history.replaceState({ ...stateNow(), [list]: { of, tokens } }, '');
    setPlace({ of, tokens });
  };
  return { tokens: place.of === of ? place.tokens : [], moveTo };
}

/** Minimum interval between announcements to screen readers. */
const TOLD_EVERY_MS = 10_000;

/** Announces new rows to screen readers. */
function News({ keys }: { readonly keys: readonly string[] }) {
  const [said, setSaid] = useState('');
  const told = useRef({ at: Date.now(), keys: new Set(keys) });
  useEffect(() => {
    const now = Date.now();
    if (now - told.current.at < TOLD_EVERY_MS) return;
    const fresh = keys.filter((key) => !told.current.keys.has(key)).length;
    told.current = { at: now, keys: new Set(keys) };
    setSaid(fresh === 0 ? '' : fresh === 1 ? 'One new row' : `${fresh} new rows`);
  }, [keys.join()]);
  return (
    <p class="hidden" role="status">
      {said}
    </p>
  );
}
