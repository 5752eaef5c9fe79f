/** Checks that every database can store a text: PostgreSQL takes neither NUL nor half a surrogate pair. */
export const isPlainText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Checks that every database can store all decoded parameters. */
export const hasPlainText = (parameters: unknown): boolean =>
  Object.values(parameters ?? {}).every((value) => typeof value !== 'string' || isPlainText(value));
