import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { totalWords } from '../words/numbers.ts';
import { ExportRows } from './export-link.tsx';
import { Show, useLoaded, useRefresh } from './loaded.tsx';
import { type Column, Table } from './table.tsx';
import { useSorted } from './whole-table.tsx';

export interface PageQuery {
  /** Token of the page to load. `undefined` for the first page. */
  readonly pageToken?: string;
}

interface PageOf<Row> {
  readonly items: readonly Row[];
  readonly nextPageToken?: string;
}

/** Number of rows of a list. */
export interface RowCount {
  readonly count: number;
  /** True if the list has more rows than `count`. */
  readonly more: boolean;
}

interface TotalProps {
  readonly of: string;
  readonly loadCount: (signal: AbortSignal) => Promise<RowCount>;
  readonly countWords: ((counted: RowCount) => string) | undefined;
  /** True if the list changes while the page is open. */
  readonly isLive: boolean;
}

const COUNT_REFRESH_MS = 15_000;

/** Shows how many rows the list has. Shows nothing before the number is loaded, because the list works without it. */
function Total({ of, loadCount, countWords = totalWords, isLive }: TotalProps) {
  const loaded = useLoaded(of, loadCount);
  useRefresh(loaded, isLive ? COUNT_REFRESH_MS : undefined);
  return loaded.value === undefined ? null : <p class="soft">{countWords(loaded.value)}</p>;
}

interface PagedTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** Key of the list, which includes its filters. If the key changes, the table shows the first page again. */
  readonly of: string;
  readonly load: (page: PageQuery, signal: AbortSignal) => Promise<PageOf<Row>>;
  readonly empty: ComponentChildren;
  /** Loads the number of rows of all pages. */
  readonly loadCount: (signal: AbortSignal) => Promise<RowCount>;
  /** Describes the number of rows. Default: `totalWords`. */
  readonly countWords?: (counted: RowCount) => string;
  /** Name of the CSV file without the extension. Only for a list that the service itself cannot export. */
  readonly csvName?: string;
  /** Interval between reloads of the first page, in milliseconds. `undefined` disables the reloads. */
  readonly refreshMs?: number | undefined;
}

interface PagerProps {
  readonly number: number;
  readonly next: string | undefined;
  readonly onMove: (to: 'previous' | 'next') => void;
}

const Pager = ({ number, next, onMove }: PagerProps) => (
  <nav class="pager" aria-label="Pages">
    <button type="button" class="small" disabled={number === 1} onClick={() => onMove('previous')}>
      Previous
    </button>
    <span class="soft" role="status">
      Page {number}
    </span>
    <button type="button" class="small" disabled={next === undefined} onClick={() => onMove('next')}>
      Next
    </button>
  </nav>
);

const NO_ABORT = new AbortController().signal;

async function loadAll<Row>(load: PagedTableProps<Row>['load']): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let page: PageQuery | undefined = {};
  while (page !== undefined) {
    const { items, nextPageToken }: PageOf<Row> = await load(page, NO_ABORT);
    rows.push(...items);
    page = nextPageToken === undefined ? undefined : { pageToken: nextPageToken };
  }
  return rows;
}

interface RowsProps<Row> extends Pick<PagedTableProps<Row>, 'caption' | 'columns' | 'keyOf'> {
  readonly rows: readonly Row[];
  /** True if the page has all rows of the list. */
  readonly isWhole: boolean;
}

/** Shows the rows of one page. Sorts them in the browser by the columns that have a `value`. */
function Rows<Row>({ columns, rows, isWhole, ...table }: RowsProps<Row>) {
  const sorted = useSorted({ columns, rows });
  const isSortedHere = columns.some(({ value }) => value !== undefined);
  return (
    <>
      {isSortedHere && !isWhole && (
        <p class="soft">Sorting applies only to the {rows.length} rows on this page.</p>
      )}
      <Table {...table} {...sorted} />
    </>
  );
}

export function PagedTable<Row>(props: PagedTableProps<Row>) {
  const { of, load, loadCount, countWords, empty, refreshMs, csvName, ...table } = props;
  const { tokens, moveTo } = usePageTokens(table.caption, of);
  const token = tokens.at(-1);
  const loaded = useLoaded(JSON.stringify([of, token]), (signal) =>
    load(token === undefined ? {} : { pageToken: token }, signal),
  );
  useRefresh(loaded, tokens.length === 0 ? refreshMs : undefined);
  const next = loaded.value?.nextPageToken;
  const isWhole = tokens.length === 0 && next === undefined;
  const move = (to: 'previous' | 'next') => {
    if (to === 'previous') moveTo(tokens.slice(0, -1));
    else if (next !== undefined) moveTo([...tokens, next]);
  };
  return (
    <Show of={loaded}>
      {({ items }) => (
        <div class="stack">
          {refreshMs !== undefined && <NewRows keys={items.map(table.keyOf)} />}
          {items.length === 0 && isWhole ? (
            empty
          ) : (
            <>
              <div class="row">
                <Total
                  of={of}
                  loadCount={loadCount}
                  countWords={countWords}
                  isLive={refreshMs !== undefined}
                />
                {csvName && (
                  <ExportRows name={csvName} columns={table.columns} loadRows={() => loadAll(load)} />
                )}
              </div>
              <Rows {...table} rows={items} isWhole={isWhole} />
            </>
          )}
          {(tokens.length > 0 || next !== undefined) && (
            <Pager number={tokens.length + 1} next={next} onMove={move} />
          )}
        </div>
      )}
    </Show>
  );
}

interface Position {
  readonly of: string;
  /** Tokens of all pages from the second to the current one. Empty on the first page. */
  readonly tokens: readonly string[];
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isText = (value: unknown): value is string => typeof value === 'string';

const historyState = (): Readonly<Record<string, unknown>> => (isRecord(history.state) ? history.state : {});

function readPosition(list: string, of: string): Position {
  const stored = historyState()[list];
  const tokens = isRecord(stored) && stored['of'] === of ? stored['tokens'] : [];
  return { of, tokens: Array.isArray(tokens) ? tokens.filter(isText) : [] };
}

/**
 * Remembers the current page of a list. The browser history stores the page tokens, so that Back and a reload show this
 * page again.
 */
function usePageTokens(list: string, of: string) {
  const [position, setPosition] = useState(() => readPosition(list, of));
  const moveTo = (tokens: readonly string[]) => {
    history.replaceState({ ...historyState(), [list]: { of, tokens } }, '');
    setPosition({ of, tokens });
  };
  return { tokens: position.of === of ? position.tokens : [], moveTo };
}

const ANNOUNCE_INTERVAL_MS = 10_000;

/** Announces new table rows to screen readers. */
function NewRows({ keys }: { readonly keys: readonly string[] }) {
  const [message, setMessage] = useState('');
  const announced = useRef({ at: Date.now(), keys: new Set(keys) });
  useEffect(() => {
    const now = Date.now();
    if (now - announced.current.at < ANNOUNCE_INTERVAL_MS) return;
    const count = keys.filter((key) => !announced.current.keys.has(key)).length;
    announced.current = { at: now, keys: new Set(keys) };
    setMessage(count === 0 ? '' : count === 1 ? 'One new row' : `${count} new rows`);
  }, [keys.join()]);
  return (
    <p class="hidden" role="status">
      {message}
    </p>
  );
}
