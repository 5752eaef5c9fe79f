/** Formats each sentence as a list item on its own line. */
export const bulletList = (sentences: readonly string[]): string =>
  sentences.map((sentence) => `  - ${sentence}`).join('\n');
