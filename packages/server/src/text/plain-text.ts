/** Whether a text is Unicode that every database keeps: PostgreSQL takes neither NUL nor half a surrogate pair. */
export const isPlainText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Whether all texts of decoded parameters are. */
export const hasPlainText = (parameters: unknown): boolean =>
  Object.values(parameters ?? {}).every((value) => typeof value !== 'string' || isPlainText(value));
