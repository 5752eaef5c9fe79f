import { type Loaded, Show } from '../../parts/loaded.tsx';
import { type Column, Table } from '../../parts/table.tsx';

interface RecordsProps<Row> {
  readonly title: string;
  readonly id: string;
  readonly loaded: Loaded<{ readonly items: readonly Row[]; readonly nextPageToken?: string }>;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** Text that replaces an empty list. */
  readonly none: string;
  /** URL of the page that shows the whole list. */
  readonly href: string;
  readonly all: string;
}

/** Shows a user's newest items of one kind, with their number and a link to the whole list. */
export const Records = <Row,>({ title, id, loaded, columns, keyOf, none, href, all }: RecordsProps<Row>) => (
  <section class="panel" aria-labelledby={id}>
    <h2 id={id}>
      {title}
      {loaded.value && ` (${countOf(loaded.value)})`}
    </h2>
    <Show of={loaded}>
      {({ items }) =>
        items.length === 0 ? (
          <p class="soft">{none}</p>
        ) : (
          <>
            <Table caption={title} columns={columns} rows={items} keyOf={keyOf} />
            <p>
              <a href={href}>{all}</a>
            </p>
          </>
        )
      }
    </Show>
  </section>
);

const countOf = ({ items, nextPageToken }: { items: readonly unknown[]; nextPageToken?: string }): string =>
  nextPageToken === undefined ? String(items.length) : `more than ${items.length}`;
