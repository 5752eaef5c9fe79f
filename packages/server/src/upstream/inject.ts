import type { Inject } from '@svc/catalog';
import type { Secret } from '../secret.js';

const CREDENTIAL = '{credential}';

/** What adds the credential to headers that hold none: names and values in turn. */
export function createInject({ header, value }: Inject) {
  // Not a replacement: a "$" of the credential would mean something there.
  const [before = '', ...rest] = value.split(CREDENTIAL);
  const after = rest.join(CREDENTIAL);
  return (headers: readonly string[], credential: Secret): string[] => [
    ...headers,
    header,
    before + credential.reveal() + after,
  ];
}
