/** A text as the upstream takes it. */
export const richText = (content: string) => [{ type: 'text' as const, text: { content } }];

/** The properties of a page that has nothing but a title. */
export const titled = (content: string) => ({ title: { title: richText(content) } });
