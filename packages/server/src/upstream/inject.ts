import type { Inject } from '@svc/catalog';
import type { Secret } from '../secret.js';

const CREDENTIAL = '{credential}';

/**
 * Upstream request to which the service adds a credential. `path` includes the query. `headers` contains alternating
 * names and values.
 */
interface Outgoing {
  readonly path: string;
  readonly headers: readonly string[];
}

/** Creates the function that adds a credential to an upstream request, either in a header or in the query. */
export function createInject(inject: Inject) {
  if ('query' in inject) return intoQuery(inject.query);
  const { header, toValue } =
    'basic' in inject ? asBasic(inject.basic) : inHeader(inject.header, inject.value);
  return ({ path, headers }: Outgoing, credential: Secret) => ({
    path,
    headers: [...headers, header, toValue(credential.reveal())],
  });
}

/**
 * Returns the lower-case name of the header that carries the credential, or `undefined` if a query parameter carries
 * it.
 */
export const keyHeaderOf = (inject: Inject): string | undefined => {
  if ('query' in inject) return undefined;
  return 'basic' in inject ? 'authorization' : inject.header.toLowerCase();
};

/**
 * Creates a function that inserts a credential into a template. It joins strings, because `String.replace` would
 * interpret a "$" in the credential.
 */
function createFill(template: string) {
  const parts = template.split(CREDENTIAL);
  return (credential: string): string => parts.join(credential);
}

const inHeader = (header: string, value: string) => ({ header, toValue: createFill(value) });

function asBasic(template: string) {
  const toPair = createFill(template);
  const toValue = (credential: string) => `Basic ${Buffer.from(toPair(credential)).toString('base64')}`;
  return { header: 'authorization', toValue };
}

// Returns a function that adds the credential as query parameter `name`, and removes the caller's parameters of that
// name. It runs last before sending, so that no log or error contains the credential.
function intoQuery(name: string) {
  const isOfCaller = (pair: string) => nameOf(pair) === name;
  return ({ path, headers }: Outgoing, credential: Secret) => {
    const mark = path.indexOf('?');
    const [start, query] = mark === -1 ? [path, ''] : [path.slice(0, mark), path.slice(mark + 1)];
    const others = query.split('&').filter((pair) => pair !== '' && !isOfCaller(pair));
    const own = `${name}=${encodeURIComponent(credential.reveal())}`;
    return { path: `${start}?${[...others, own].join('&')}`, headers: [...headers] };
  };
}

function nameOf(pair: string): string {
  const [name = ''] = pair.replaceAll('+', ' ').split('=', 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
