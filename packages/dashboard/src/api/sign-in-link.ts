import { signal } from '@preact/signals';

const PATH = '/dashboard/sign-in';

/** Reads the token of a one-time link and removes it from the URL, so that the history does not contain it. */
function takeToken(): string | undefined {
  const { pathname, hash } = location;
  if (pathname !== PATH) return undefined;
  history.replaceState(null, '', '/dashboard');
  return hash.length > 1 ? hash.slice(1) : undefined;
}

/** The token of the one-time link that opened this page, until it is used or dismissed. */
export const linkToken = signal(takeToken());
