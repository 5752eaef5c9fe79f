import { sql } from 'kysely';

const MARK = '/* prepared */';

/**
 * SQL comment that marks a frequent statement for preparation. PostgreSQL then parses and plans the statement once per
 * connection and reuses the plan for other parameters. Use it only if the statement's text is always the same, the
 * columns of its result are named, and no parameter decides which index is best.
 */
export const PREPARED = sql`${sql.raw(MARK)}`;

/**
 * Creates the function that returns the name under which a statement is prepared, or `undefined` for a statement
 * without the mark.
 */
export function createStatementNames() {
  const names = new Map<string, string>();
  return function nameOf(text: string): string | undefined {
    if (!text.endsWith(MARK)) return undefined;
    const name = names.get(text) ?? `svc_${names.size}`;
    names.set(text, name);
    return name;
  };
}
