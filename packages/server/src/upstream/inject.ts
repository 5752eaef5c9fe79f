import type { Inject } from '@svc/catalog';
import type { Secret } from '../secret.js';

const CREDENTIAL = '{credential}';

/** What a request is sent with: path and query as they go on the wire, and names and values of headers in turn. */
interface Outgoing {
  readonly path: string;
  readonly headers: readonly string[];
}

/** What adds the credential to a request that holds none. */
export function createInject(inject: Inject) {
  if ('query' in inject) return intoQuery(inject.query);
  const { header, toValue } =
    'basic' in inject ? asBasic(inject.basic) : inHeader(inject.header, inject.value);
  return ({ path, headers }: Outgoing, credential: Secret) => ({
    path,
    headers: [...headers, header, toValue(credential.reveal())],
  });
}

/** The header that holds a credential, in lower case. */
export const keyHeaderOf = (inject: Inject): string | undefined => {
  if ('query' in inject) return undefined;
  return 'basic' in inject ? 'authorization' : inject.header.toLowerCase();
};

/** What puts a credential into a text. Not a replacement: a "$" of the credential would mean something there. */
function filling(template: string) {
  const parts = template.split(CREDENTIAL);
  return (credential: string): string => parts.join(credential);
}

const inHeader = (header: string, value: string) => ({ header, toValue: filling(value) });

function asBasic(template: string) {
  const toPair = filling(template);
  const toValue = (credential: string) => `Basic ${Buffer.from(toPair(credential)).toString('base64')}`;
  return { header: 'authorization', toValue };
}

// Here and not earlier, so that nothing that is told or logged of a request holds it. What a caller gave there goes.
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
