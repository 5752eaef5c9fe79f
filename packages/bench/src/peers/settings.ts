/** The connected account of a peer as it stands in the path: connection and identifier. */
export const PEER_ACCOUNT = 'own/user_42';

export interface PeerSettings {
  readonly port: number;
  /** The origin of the upstream. */
  readonly upstream: string;
  /** The bearer token of callers. */
  readonly token: string;
  /** The credential that the upstream receives. */
  readonly credential: string;
}

const VARIABLE = 'BENCH_PEER';

export const peerEnvironment = (settings: PeerSettings): NodeJS.ProcessEnv => ({
  [VARIABLE]: JSON.stringify(settings),
});

/** Reads what `peerEnvironment` wrote. */
export const readPeerSettings = (): PeerSettings => JSON.parse(process.env[VARIABLE] ?? '{}');
