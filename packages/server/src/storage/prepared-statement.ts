import { sql } from 'kysely';

const MARK = '/* prepared */';

/**
 * SQL comment at the end of a frequent statement. PostgreSQL then parses and plans the statement once per connection.
 * Use it only if the text is always the same, the columns of the result are named, and no parameter decides which index
 * is best: the plan is reused for other parameters.
 */
export const PREPARED = sql`${sql.raw(MARK)}`;

/** Creates the function that returns the name of a prepared statement, and `undefined` for other statements. */
export function createStatementNames() {
  const names = new Map<string, string>();
  return function nameOf(text: string): string | undefined {
    if (!text.endsWith(MARK)) return undefined;
    const name = names.get(text) ?? `svc_${names.size}`;
    names.set(text, name);
    return name;
  };
}
