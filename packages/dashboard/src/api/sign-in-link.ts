import { signal } from '@preact/signals';

const PATH = '/dashboard/sign-in';

/** The token of a one-time link. It leaves the address at once, so that neither the history nor a look over the shoulder has it. */
function takeToken(): string | undefined {
  const { pathname, hash } = location;
  if (pathname !== PATH) return undefined;
  history.replaceState(null, '', '/dashboard');
  return hash.length > 1 ? hash.slice(1) : undefined;
}

/** The one-time link that this page was opened by, until it was used or put away. */
export const linkToken = signal(takeToken());
