/** The path as a server reads it that decodes slashes before it splits the path. */
export const withDecodedSlashes = (path: string): string => path.replace(/%2f/gi, '/');
