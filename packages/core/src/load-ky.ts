import ky, { type KyInstance } from 'ky';

/** Returns ky in browsers and workers. It is imported statically, because `fetch` is already loaded there. */
export async function loadKy(): Promise<KyInstance> {
  return ky;
}
