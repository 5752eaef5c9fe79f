import type { ComponentChildren } from 'preact';
import { useLoaded } from '../api/use-loaded.ts';
import { useListPlace } from './list-place.ts';
import { News } from './news.tsx';
import { Show } from './show.tsx';
import { type Column, Table } from './table.tsx';
import { useRefresh } from './use-refresh.ts';

interface PageOf<Row> {
  readonly items: readonly Row[];
  readonly nextPageToken?: string;
}

interface PagedTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** What is listed and how it is filtered: another one begins at the first page. */
  readonly of: string;
  readonly load: (pageToken: string | undefined, signal: AbortSignal) => Promise<PageOf<Row>>;
  /** Shown in place of a table without a row. */
  readonly empty: ComponentChildren;
  /** How often the first page is loaded anew; absent: only when asked for. */
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

/** A list of any length, a page at a time: forth by the token of the page before, and back by those that were used. */
export function PagedTable<Row>({ of, load, empty, refreshMs, ...table }: PagedTableProps<Row>) {
  const { tokens, moveTo } = useListPlace(table.caption, of);
  const token = tokens.at(-1);
  const loaded = useLoaded(JSON.stringify([of, token]), (signal) => load(token, signal));
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
