import { createServer } from 'node:net';

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Tests whether the service can listen at an address. Rejects with the operating system's error if it cannot. */
export const probeAddress = ({ host, port }: ListenAddress): Promise<void> =>
  new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()));
  });
