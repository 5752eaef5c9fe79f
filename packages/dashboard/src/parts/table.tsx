import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
  /** Order of the rows by this column. Absent if the service cannot sort by it, or sorts by another column. */
  readonly order?: ColumnOrder;
}

interface ColumnOrder {
  readonly isDescending: boolean;
  /** Reverses the order. */
  readonly flip: () => void;
}

interface TableProps<Row> {
  /** Title of the table, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

function Head({ title, isNumber, order }: Pick<Column<never>, 'title' | 'isNumber' | 'order'>) {
  const look = { scope: 'col', class: isNumber ? 'number' : undefined } as const;
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
export const Table = <Row,>({ caption, columns, rows, keyOf }: TableProps<Row>) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
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
            {columns.map(({ title, cell, isNumber }) => (
              <td key={title} data-label={title} class={isNumber ? 'number' : undefined}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
