import { downloadCsv } from './download.ts';
import { Form } from './form.tsx';
import type { Column } from './table.tsx';

interface ExportLinkProps {
  readonly href: string;
}

/** Link that downloads a list with its filters as a CSV file. */
export const ExportLink = ({ href }: ExportLinkProps) => (
  <a class="button" href={href} download>
    Export CSV
  </a>
);

interface ExportRowsProps<Row> {
  /** Name of the file, without the extension. */
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly loadRows: () => Promise<readonly Row[]>;
}

/** Button that downloads the rows of a short list as a CSV file. The file contains the columns that have a `value`. */
export function ExportRows<Row>({ name, columns, loadRows }: ExportRowsProps<Row>) {
  const exported = columns.filter(({ value }) => value !== undefined);
  const download = async () => {
    const rows = await loadRows();
    const cells = rows.map((row) => exported.map(({ value }) => String(value?.(row) ?? '')));
    downloadCsv(`${name}.csv`, [exported.map(({ title }) => title), ...cells]);
  };
  return <Form submit="Export CSV" tone="secondary" onSubmit={download} />;
}
