import { sql } from 'kysely';
import type { Database } from '../../../src/storage/schema.js';
import { SEALED_COLUMNS, type SealedColumnName } from '../../../src/storage/sealed-columns.js';
import type { SecretLocation } from '../../../src/vault/vault.js';

/** Encrypted value in the database, with the table, column and row to which its encryption is bound. */
export interface SealedCell {
  readonly location: SecretLocation;
  readonly text: string;
}

interface Row {
  readonly applicationId: string;
  readonly rowId: string;
  readonly text: string;
}

function cellsOf(sealed: SealedColumnName, { applicationId, rowId, text }: Row): SealedCell[] {
  const row = { applicationId, rowId };
  if (sealed.holds === 'one') {
    const { table, column } = sealed;
    return [{ text, location: { ...row, table, column } as SecretLocation }];
  }
  const { table, column } = sealed;
  return Object.entries(JSON.parse(text)).map(([name, each]) => ({
    text: String(each),
    location: { ...row, table, column: `${column}.${name}` } as const,
  }));
}

/** Returns every encrypted value in the database, with its location. */
export async function sealedCells(database: Database): Promise<SealedCell[]> {
  const cells: SealedCell[] = [];
  for (const sealed of SEALED_COLUMNS) {
    const { rows } = await sql<Row>`
      select application_id, ${sql.ref(sealed.rowKey)} as row_id, ${sql.ref(sealed.column)} as text
      from ${sql.table(sealed.table)} where ${sql.ref(sealed.column)} is not null
      order by row_id`.execute(database);
    cells.push(...rows.flatMap((row) => cellsOf(sealed, row)));
  }
  return cells;
}
