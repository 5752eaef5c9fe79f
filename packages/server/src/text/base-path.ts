/** Returns the path of a base URL without a trailing slash. Empty when the URL has no path. */
export const basePathOf = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/$/, '');
