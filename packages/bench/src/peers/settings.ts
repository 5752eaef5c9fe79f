/** The one account of a peer, as the path names it: connection and identifier. */
export const PEER_ACCOUNT = 'own/user_42';

export interface PeerSettings {
  readonly port: number;
  /** Origin of the upstream. */
  readonly upstream: string;
  /** What callers bring. */
  readonly token: string;
  /** What the upstream gets. */
  readonly credential: string;
}

const VARIABLE = 'BENCH_PEER';

export const peerEnvironment = (settings: PeerSettings): NodeJS.ProcessEnv => ({
  [VARIABLE]: JSON.stringify(settings),
});

/** As the process that started this one has given them. */
export const peerSettings = (): PeerSettings => JSON.parse(process.env[VARIABLE] ?? '{}');
