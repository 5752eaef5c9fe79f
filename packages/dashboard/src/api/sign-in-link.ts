import { signal } from '@preact/signals';
import { PATHS } from '../paths.ts';

const PATH = `${PATHS.overview}/sign-in`;

/**
 * Reads the token of a one-time sign-in link, and removes it from the URL, so that the browser history does not contain
 * it.
 */
function takeToken(): string | undefined {
  const { pathname, hash } = location;
  if (pathname !== PATH) return undefined;
  history.replaceState(null, '', PATHS.overview);
  return hash.length > 1 ? hash.slice(1) : undefined;
}

/** Token of the one-time sign-in link that opened this page. `undefined` after the link was used or dismissed. */
export const linkToken = signal(takeToken());
