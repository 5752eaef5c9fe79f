import { expect, inject } from 'vitest';
import { connectSandbox, type Sandbox, startSandbox } from '../../../src/index.js';
import { credentialHash } from '../../../src/recorder.js';
import { connect } from '../../authorized.js';
import type { SetDials, Way } from './battery.js';
import { IDENTIFIER } from './identifier.js';
import type { Stage } from './stage.js';

export interface Address {
  /** URL that replaces the vendor's own. */
  readonly baseUrl: string;
  readonly token: string;
}

interface ConnectorWays {
  /** Additional parameters of the authorization request. */
  readonly params?: Record<string, string>;
  /** API key, for an upstream that accepts keys. */
  readonly key?: string;
  /** User identifier of the connected account at the service. */
  readonly identifier?: string;
  /** Function that gets an access token, if the upstream does not support the usual authorization. */
  readonly connect?: (sandbox: Sandbox) => Promise<string>;
  /** Additional host of the upstream. The proxy selects it by the request path. */
  readonly host?: string;
  /** Separate stage, for batteries that must not share accounts with others. Default: the shared stage. */
  readonly stage?: () => Stage;
}

/** Returns both ways of a client: directly to the upstream, and through the service. */
export function waysTo<Client>(
  connector: string,
  create: (address: Address) => Client,
  { params, host, key, identifier = IDENTIFIER, connect: connectOwn, stage: open }: ConnectorWays = {},
) {
  return {
    direct: async (): Promise<Way<Client>> => {
      const sandbox = await startSandbox({ connectors: [connector], rateLimits: false });
      const token =
        key ??
        (await connectOwn?.(sandbox)) ??
        (await connect(sandbox, connector, params && { params })).token;
      const { baseUrl: main, hosts } = sandbox.upstream(connector);
      const baseUrl = host === undefined ? main : (hosts?.[host] ?? '');
      const setDials: SetDials = (changes) => sandbox.dials(connector, changes);
      return { client: create({ baseUrl, token }), setDials, stop: sandbox.stop };
    },
    throughService: (): Promise<Way<Client>> => {
      const stage = open?.() ?? inject('stage');
      const baseUrl = `${stage.url}/v1/proxy/${connector}/${identifier}`;
      return wayThrough(stage, connector, {
        client: create({ baseUrl, token: stage.token }),
        token: stage.token,
      });
    },
  };
}

interface Made<Client> {
  readonly client: Client;
  /** Token of the service, which must never reach an upstream. */
  readonly token: string;
}

/** Wraps an existing client that uses the service, and checks at the end that its token did not reach the upstream. */
export async function wayThrough<Client>(
  { sandboxUrl }: Pick<Stage, 'sandboxUrl'>,
  connector: string,
  { client, token }: Made<Client>,
): Promise<Way<Client>> {
  const sandbox = await connectSandbox(sandboxUrl);
  const stop = async () => {
    const own = credentialHash(`Bearer ${token}`);
    const leaked = (await sandbox.requests(connector)).filter((request) => request.authorizationHash === own);
    expect(leaked, "requests that bring the service's token to the upstream").toEqual([]);
  };
  return { client, setDials: (changes) => sandbox.dials(connector, changes), stop };
}
