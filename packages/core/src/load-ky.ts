import ky, { type KyInstance } from 'ky';

/** Returns ky in browsers, workers and their bundles, where `fetch` is loaded already. */
export async function loadKy(): Promise<KyInstance> {
  return ky;
}
