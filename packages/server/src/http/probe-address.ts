import { createServer } from 'node:net';

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Rejects with the system's error when the service cannot listen at the address. */
export const probeAddress = ({ host, port }: ListenAddress): Promise<void> =>
  new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()));
  });
