/** Decodes `%2f` in a path to a slash, as some servers do before they split the path. */
export const withDecodedSlashes = (path: string): string => path.replace(/%2f/gi, '/');
