import type { Inject } from '@svc/catalog';
import type { Secret } from '../secret.js';

const CREDENTIAL = '{credential}';

/** Path with query as sent, and headers as names and values, alternating. */
interface Outgoing {
  readonly path: string;
  readonly headers: readonly string[];
}

/** Creates the function that adds a credential to a request. */
export function createInject(inject: Inject) {
  if ('query' in inject) return intoQuery(inject.query);
  const { header, toValue } =
    'basic' in inject ? asBasic(inject.basic) : inHeader(inject.header, inject.value);
  return ({ path, headers }: Outgoing, credential: Secret) => ({
    path,
    headers: [...headers, header, toValue(credential.reveal())],
  });
}

/** The header that carries a credential, in lower case; `undefined` for a query parameter. */
export const keyHeaderOf = (inject: Inject): string | undefined => {
  if ('query' in inject) return undefined;
  return 'basic' in inject ? 'authorization' : inject.header.toLowerCase();
};

/** Fills a credential into a template. Splits instead of replacing, where "$" in a credential would have a meaning. */
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

// Called last, so that no log or error of a request contains the credential. Drops parameters of this name that the caller sent.
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
