import type { ComponentChildren } from 'preact';
import type { CellValue } from '../words/compare-values.ts';
import { SelectField } from './field.tsx';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean;
  /** True for a narrow column with one control, such as a checkbox. */
  readonly isControl?: boolean;
  /** Plain value of a cell in a short list. Rows are sorted by this value, and CSV files contain it. */
  readonly value?: (row: Row) => CellValue;
  /** Sort order of the rows by this column. Absent if the rows cannot be sorted by this column. */
  readonly order?: ColumnOrder;
}

export interface ColumnOrder {
  /** `undefined` if the rows are sorted by another column. */
  readonly isDescending: boolean | undefined;
  readonly sort: (isDescending: boolean) => void;
}

export interface TableProps<Row> {
  /** Title of the table, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}

type Look = Pick<Column<never>, 'isNumber' | 'isControl'>;

const classOf = ({ isNumber, isControl }: Look): string | undefined =>
  (isNumber && 'number') || (isControl && 'control') || undefined;

const ARIA_SORT = { true: 'descending', false: 'ascending', undefined: 'none' } as const;
const ARROWS = { true: '↓', false: '↑', undefined: '↕' } as const;

function Head({ title, order, ...column }: Look & Pick<Column<never>, 'title' | 'order'>) {
  const look = { scope: 'col', class: classOf(column) } as const;
  if (order === undefined) return <th {...look}>{title}</th>;
  const direction = `${order.isDescending}` as const;
  return (
    <th {...look} aria-sort={ARIA_SORT[direction]}>
      <button type="button" class="sort" onClick={() => order.sort(order.isDescending === false)}>
        {title} <span aria-hidden="true">{ARROWS[direction]}</span>
      </button>
      <span>{title}</span>
    </th>
  );
}

const UNSORTED = { value: '', title: 'Original order' };

/** Select field that sorts the cards in a narrow window, which hides the headers of the table. */
function SortField({ columns }: { readonly columns: readonly Pick<Column<never>, 'title' | 'order'>[] }) {
  const choices = columns.flatMap(({ title, order }) =>
    order === undefined
      ? []
      : [false, true].map((isDescending) => ({
          value: `${title} ${isDescending}`,
          title: `${title}, ${isDescending ? 'descending' : 'ascending'}`,
          isChosen: order.isDescending === isDescending,
          choose: () => order.sort(isDescending),
        })),
  );
  if (choices.length === 0) return null;
  const chosen = choices.find(({ isChosen }) => isChosen) ?? UNSORTED;
  return (
    <div class="sort-cards">
      <SelectField
        label="Sort by"
        value={chosen.value}
        choices={chosen === UNSORTED ? [UNSORTED, ...choices] : choices}
        onValue={(chosenValue) => choices.find(({ value }) => value === chosenValue)?.choose()}
      />
    </div>
  );
}

/** Table with one row per item. Narrow windows show each row as a card, in which every cell has its column title. */
export const Table = <Row,>({ caption, columns, rows, keyOf }: TableProps<Row>) => (
  <>
    {rows.length > 1 && <SortField columns={columns} />}
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
