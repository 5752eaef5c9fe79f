import { createServer } from 'node:net';

/** Reserved free port of this machine. No other program can listen on it until it is released. */
export interface HeldPort {
  readonly port: number;
  readonly letGo: () => Promise<void>;
}

/** Reserves a free port whose number is needed before listening. */
export function holdPort(): Promise<HeldPort> {
  return new Promise((resolve, reject) => {
    const holder = createServer().on('error', reject);
    holder.listen(0, '127.0.0.1', () => {
      const address = holder.address();
      if (address === null || typeof address === 'string')
        return reject(new Error('The operating system returned no free port. Run the test again.'));
      resolve({ port: address.port, letGo: () => new Promise((done) => holder.close(() => done())) });
    });
  });
}
