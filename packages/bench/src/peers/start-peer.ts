import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../../scripts/free-port.ts';
import { type Measured, startMeasured } from '../start-program.ts';
import { peerEnvironment } from './settings.ts';

export interface Peer extends Measured {
  readonly port: number;
  readonly token: string;
}

export interface PeerOptions {
  /** Origin of what it stands in front of. */
  readonly upstream: string;
  readonly folder: string;
}

/** Starts one of the programs of this folder. */
export async function startPeer(file: string, { upstream, folder }: PeerOptions): Promise<Peer> {
  const [port, token] = [await freePort(), randomBytes(32).toString('base64url')];
  const measured = await startMeasured({
    args: [fileURLToPath(new URL(file, import.meta.url))],
    env: peerEnvironment({ port, upstream, token, credential: 'bench-credential' }),
    readyUrl: `http://127.0.0.1:${port}/`,
    folder,
  });
  return { ...measured, port, token };
}
