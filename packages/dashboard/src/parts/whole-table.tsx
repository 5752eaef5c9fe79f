import { useState } from 'preact/hooks';
import { compareValues } from '../words/compare-values.ts';
import { totalWords } from '../words/numbers.ts';
import { ExportRows } from './export-link.tsx';
import { type Column, Table, type TableProps } from './table.tsx';

interface Sorted<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}

/** Lets the user sort rows by each column that has a `value`. Keeps the given order until the user chooses a column. */
export function useSorted<Row>({ columns, rows }: Sorted<Row>): Sorted<Row> {
  const [by, setBy] = useState<{ readonly title: string; readonly isDescending: boolean }>();
  const readValue = columns.find(({ title }) => title === by?.title)?.value;
  const sign = by?.isDescending ? -1 : 1;
  const sortable = columns.map((column): Column<Row> => {
    const { title, value } = column;
    if (value === undefined) return column;
    const isDescending = by?.title === title ? by.isDescending : undefined;
    return {
      ...column,
      order: { isDescending, sort: (descending) => setBy({ title, isDescending: descending }) },
    };
  });
  if (readValue === undefined) return { columns: sortable, rows };
  return {
    columns: sortable,
    rows: rows.toSorted((one, other) => sign * compareValues(readValue(one), readValue(other))),
  };
}

interface WholeTableProps<Row> extends TableProps<Row> {
  /** Name of the CSV file, without the extension. */
  readonly csvName: string;
}

/** Table with all rows of a short list. It shows their number, sorts them in the browser, and exports them as CSV. */
export function WholeTable<Row>({ csvName, columns, rows, ...table }: WholeTableProps<Row>) {
  const sorted = useSorted({ columns, rows });
  return (
    <>
      <div class="row">
        <p class="soft">{totalWords({ count: rows.length, more: false })}</p>
        <ExportRows name={csvName} columns={columns} loadRows={async () => sorted.rows} />
      </div>
      <Table {...table} {...sorted} />
    </>
  );
}
