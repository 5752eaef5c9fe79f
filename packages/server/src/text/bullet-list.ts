/** A line for each sentence. */
export const bulletList = (sentences: readonly string[]): string =>
  sentences.map((sentence) => `  - ${sentence}`).join('\n');
