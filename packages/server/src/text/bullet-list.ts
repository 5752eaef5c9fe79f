/** Writes each sentence as a line of a list. */
export const bulletList = (sentences: readonly string[]): string =>
  sentences.map((sentence) => `  - ${sentence}`).join('\n');
