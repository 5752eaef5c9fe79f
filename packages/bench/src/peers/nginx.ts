import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../../../../scripts/free-port.ts';
import type { Bench } from '../part.ts';
import { startProgram } from '../start-program.ts';
import type { Peer } from './start-peer.ts';

const configuration = (port: number, upstream: string, folder: string): string => `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream bench { server ${new URL(upstream).host}; keepalive 64; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://bench;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
    }
  }
}
`;

/**
 * Starts nginx as a plain reverse proxy with a single worker process. Returns `undefined` if nginx is not installed.
 */
export async function startNginx({ folder, upstream, defer }: Bench): Promise<Peer | undefined> {
  if (spawnSync('nginx', ['-v']).status !== 0) return undefined;
  const [port, own] = [await freePort(), path.join(folder, 'nginx')];
  mkdirSync(own);
  const file = path.join(own, 'nginx.conf');
  writeFileSync(file, configuration(port, upstream.small, own));
  const program = await startProgram({
    command: 'nginx',
    args: ['-c', file, '-p', own],
    readyUrl: `http://127.0.0.1:${port}/`,
    folder,
  });
  defer(program.stop);
  return { ...program, port, token: '' };
}
