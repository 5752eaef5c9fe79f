/** Path of a base URL without a slash at its end; empty when the URL has no path. */
export const basePathOf = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/$/, '');
