/** Wraps a text as a rich text array, the format of the workspace upstream. */
export const richText = (content: string) => [{ type: 'text' as const, text: { content } }];

/** Page properties with only a title. */
export const titled = (content: string) => ({ title: { title: richText(content) } });
