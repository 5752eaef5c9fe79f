import { createServer } from 'node:net';

/** Reserved free port of this machine. No other program can listen on it until it is released. */
export interface ReservedPort {
  readonly port: number;
  readonly release: () => Promise<void>;
}

/** Reserves a free port whose number is needed before listening. */
export function reservePort(): Promise<ReservedPort> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string')
        return reject(new Error('The operating system returned no free port. Run the test again.'));
      resolve({ port: address.port, release: () => new Promise((done) => server.close(() => done())) });
    });
  });
}
