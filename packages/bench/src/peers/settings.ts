/** Account that the compared proxies serve, as path segments: connection name and user identifier. */
export const PEER_ACCOUNT = 'own/user_42';

export interface PeerSettings {
  readonly port: number;
  /** Origin of the upstream to which the proxy forwards requests. */
  readonly upstream: string;
  /** Bearer token that callers must present. */
  readonly token: string;
  /** Credential that the proxy adds to requests to the upstream. */
  readonly credential: string;
}

const VARIABLE = 'BENCH_PEER';

export const peerEnvironment = (settings: PeerSettings): NodeJS.ProcessEnv => ({
  [VARIABLE]: JSON.stringify(settings),
});

/** Parses the settings of a compared proxy from the environment variable that `peerEnvironment` sets. */
export const readPeerSettings = (): PeerSettings => JSON.parse(process.env[VARIABLE] ?? '{}');
