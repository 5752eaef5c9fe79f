import type { Inject } from '@svc/catalog';
import type { Secret } from '../secret.js';

/** Adds the credential to headers that hold none: names and values in turn. */
export const inject = (
  headers: readonly string[],
  { header, value }: Inject,
  credential: Secret,
): string[] => [
  ...headers,
  header,
  // A function, because a "$" in a plain replacement means something.
  value.replace('{credential}', () => credential.reveal()),
];
