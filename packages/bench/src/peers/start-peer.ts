import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../../scripts/free-port.ts';
import type { Bench } from '../part.ts';
import { type Program, startProgram } from '../start-program.ts';
import { peerEnvironment } from './settings.ts';

/** A proxy that the service is compared with. */
export interface Peer extends Program {
  readonly port: number;
  readonly token: string;
}

/** Starts a Node program of this folder in front of an upstream: the small one by default. */
export async function startPeer(
  { folder, upstream, defer }: Bench,
  file: string,
  origin = upstream.small,
): Promise<Peer> {
  const [port, token] = [await freePort(), randomBytes(32).toString('base64url')];
  const program = await startProgram({
    args: [fileURLToPath(new URL(file, import.meta.url))],
    env: peerEnvironment({ port, upstream: origin, token, credential: 'bench-credential' }),
    readyUrl: `http://127.0.0.1:${port}/`,
    folder,
  });
  defer(program.stop);
  return { ...program, port, token };
}
