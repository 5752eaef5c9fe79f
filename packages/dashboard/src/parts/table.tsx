import type { ComponentChildren } from 'preact';
import { totalWords } from '../words/numbers.ts';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
  /** True for a narrow column with one control, such as a checkbox. */
  readonly isControl?: boolean;
  /** Sort order of the rows by this column. Absent if the rows are not sorted by this column. */
  readonly order?: ColumnOrder;
}

interface ColumnOrder {
  readonly isDescending: boolean;
  /** Reverses the sort order of the rows. */
  readonly flip: () => void;
}

interface TableProps<Row> {
  /** Title of the table, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** True for a table with all rows of a list. The number of rows is shown above it. */
  readonly showsCount?: boolean;
}

type Look = Pick<Column<never>, 'isNumber' | 'isControl'>;

const classOf = ({ isNumber, isControl }: Look): string | undefined =>
  (isNumber && 'number') || (isControl && 'control') || undefined;

function Head({ title, order, ...column }: Look & Pick<Column<never>, 'title' | 'order'>) {
  const look = { scope: 'col', class: classOf(column) } as const;
  if (order === undefined) return <th {...look}>{title}</th>;
  return (
    <th {...look} aria-sort={order.isDescending ? 'descending' : 'ascending'}>
      <button type="button" class="sort" onClick={order.flip}>
        {title} <span aria-hidden="true">{order.isDescending ? '↓' : '↑'}</span>
      </button>
    </th>
  );
}

/** Table with one row per item. Narrow windows show each row as a card, in which every cell has its column title. */
export const Table = <Row,>({ caption, columns, rows, keyOf, showsCount }: TableProps<Row>) => (
  <>
    {showsCount && <p class="soft">{totalWords({ count: rows.length, more: false })}</p>}
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
    <section class="table" tabIndex={0} aria-label={caption}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <Head key={column.title} {...column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.title} data-label={column.title} class={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </>
);
