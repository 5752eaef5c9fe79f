import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../../scripts/free-port.ts';
import type { Bench } from '../part.ts';
import { type Program, startProgram } from '../start-program.ts';
import { peerEnvironment } from './settings.ts';

/** Proxy to which the benchmark compares the service. */
export interface Peer extends Program {
  readonly port: number;
  readonly token: string;
}

/**
 * Starts a Node.js program in this folder as a proxy for an upstream. `origin`: origin of the upstream. Default: the
 * one that sends small responses.
 */
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
