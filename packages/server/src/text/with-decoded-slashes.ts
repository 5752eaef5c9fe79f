/** Decodes encoded slashes in a path, as some servers do before they split it. */
export const withDecodedSlashes = (path: string): string => path.replace(/%2f/gi, '/');
