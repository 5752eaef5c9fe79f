/** Returns whether SQLite and PostgreSQL can store a text. PostgreSQL rejects NUL and unpaired surrogates. */
export const isPlainText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Returns whether SQLite and PostgreSQL can store every string among the decoded parameters of a request. */
export const hasPlainText = (parameters: unknown): boolean =>
  Object.values(parameters ?? {}).every((value) => typeof value !== 'string' || isPlainText(value));
