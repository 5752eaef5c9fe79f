import { expect, inject } from 'vitest';
import { connectSandbox, type Sandbox, startSandbox } from '../../../src/index.js';
import { credentialHash } from '../../../src/recorder.js';
import { connect } from '../../authorized.js';
import type { Turn, Way } from './battery.js';
import { IDENTIFIER } from './identifier.js';

export interface Address {
  /** What the vendor's own address is replaced by. */
  readonly baseUrl: string;
  readonly token: string;
}

interface ConnectorWays {
  /** Of the authorization request. */
  readonly params?: Record<string, string>;
  /** What opens an upstream that takes keys. */
  readonly key?: string;
  /** How a token is come by where it is not as elsewhere. */
  readonly connect?: (sandbox: Sandbox) => Promise<string>;
  /** A further host of the upstream, which the proxy reaches by its paths. */
  readonly host?: string;
}

/** Both ways of a client to an upstream whose users approve. */
export function waysTo<Client>(
  connector: string,
  create: (address: Address) => Client,
  { params, host, key, connect: connectOwn }: ConnectorWays = {},
) {
  return {
    direct: async (): Promise<Way<Client>> => {
      const sandbox = await startSandbox({ connectors: [connector] });
      const token =
        key ??
        (await connectOwn?.(sandbox)) ??
        (await connect(sandbox, connector, params && { params })).token;
      const { baseUrl: main, hosts } = sandbox.upstream(connector);
      const baseUrl = host === undefined ? main : (hosts?.[host] ?? '');
      const turn: Turn = (changes) => sandbox.dials(connector, changes);
      return { client: create({ baseUrl, token }), turn, stop: sandbox.stop };
    },
    throughService: (): Promise<Way<Client>> => {
      const { url, token } = inject('stage');
      return wayThrough(connector, create, { baseUrl: `${url}/v1/proxy/${connector}/${IDENTIFIER}`, token });
    },
    /** By an origin and a token: the token alone says where a request goes. */
    atSecondAddress: async (): Promise<Way<Client>> => {
      const address = { baseUrl: inject('stage').proxyUrl, token: await tokenFor(connector) };
      return wayThrough(connector, create, address);
    },
  };
}

async function wayThrough<Client>(
  connector: string,
  create: (address: Address) => Client,
  address: Address,
): Promise<Way<Client>> {
  const sandbox = await connectSandbox(inject('stage').sandboxUrl);
  const stop = async () => {
    const own = credentialHash(`Bearer ${address.token}`);
    const leaked = (await sandbox.requests(connector)).filter((request) => request.authorizationHash === own);
    expect(leaked, "requests that bring the service's token to the upstream").toEqual([]);
  };
  return { client: create(address), turn: (changes) => sandbox.dials(connector, changes), stop };
}

/** A token for the account of one connection. */
async function tokenFor(connector: string): Promise<string> {
  const { url, token } = inject('stage');
  const response = await fetch(`${url}/v1/account-tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ identifier: IDENTIFIER, connections: [connector], expiresIn: 3600 }),
  });
  return ((await response.json()) as { readonly token: string }).token;
}
