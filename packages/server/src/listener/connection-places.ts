import { createIsIn, networkOf } from './networks.js';

export interface PlacesOptions {
  /** Connections that one address may have. */
  readonly perAddress: number;
  /** They stand for all who come through them. */
  readonly trustedProxies: readonly string[];
}

/** Takes a place for a connection from this address and gives what frees it; `undefined` when there are too many already. */
export type TakePlace = (address: string) => (() => void) | undefined;

export function createPlaces({ perAddress, trustedProxies }: PlacesOptions): TakePlace {
  const isTrusted = createIsIn(trustedProxies);
  const taken = new Map<string, number>();
  const add = (network: string, difference: number) => {
    const count = (taken.get(network) ?? 0) + difference;
    if (count === 0) taken.delete(network);
    else taken.set(network, count);
  };
  return (address) => {
    if (isTrusted(address)) return () => undefined;
    const network = networkOf(address);
    if ((taken.get(network) ?? 0) >= perAddress) return undefined;
    add(network, 1);
    return () => add(network, -1);
  };
}
