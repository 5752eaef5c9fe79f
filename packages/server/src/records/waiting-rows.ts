/** Rows of many applications that wait for the database. */
export interface WaitingRows<Row> {
  /** Whether there was room. */
  add(row: Row): boolean;
  /** The first ones; they stay until they are removed. */
  first(count: number): readonly Row[];
  removeFirst(count: number): void;
  size(): number;
}

/**
 * Room for so many rows. An application takes up as much as is left free and no more: one alone can fill half of it, and
 * however many fill theirs, there is room for the next.
 */
export function createWaitingRows<Row extends { readonly applicationId: string }>(
  most: number,
): WaitingRows<Row> {
  const rows: Row[] = [];
  const counts = new Map<string, number>();

  function count({ applicationId }: Row, change: number): void {
    const changed = (counts.get(applicationId) ?? 0) + change;
    if (changed === 0) counts.delete(applicationId);
    else counts.set(applicationId, changed);
  }

  return {
    add: (row) => {
      if ((counts.get(row.applicationId) ?? 0) >= most - rows.length) return false;
      rows.push(row);
      count(row, 1);
      return true;
    },
    first: (count) => rows.slice(0, count),
    removeFirst: (removed) => {
      for (const row of rows.splice(0, removed)) count(row, -1);
    },
    size: () => rows.length,
  };
}
