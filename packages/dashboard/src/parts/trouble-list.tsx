import { type Column, Table } from './table.tsx';

interface Trouble {
  readonly applicationId: string;
  readonly id: string;
}

interface TroubleListProps<Row> {
  readonly title: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Returns the name of an application. Absent if all rows belong to the application of the page. */
  readonly nameOf: ((applicationId: string) => string) | undefined;
}

/** Lists objects that need attention. Shows nothing if there are none. */
export function TroubleList<Row extends Trouble>({ title, columns, rows, nameOf }: TroubleListProps<Row>) {
  if (rows.length === 0) return null;
  const [first, ...others] = columns;
  const application: Column<Row> | undefined = nameOf && {
    title: 'Application',
    cell: ({ applicationId }) => nameOf(applicationId),
  };
  return (
    <section class={nameOf ? 'stack' : 'panel'}>
      <h2>{title}</h2>
      <Table
        caption={title}
        columns={[first, application, ...others].filter((column) => column !== undefined)}
        rows={rows}
        keyOf={(row) => `${row.applicationId} ${row.id}`}
      />
    </section>
  );
}
