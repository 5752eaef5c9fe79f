import ky, { type KyInstance } from 'ky';

/**
 * Returns ky, the HTTP client, in browsers and workers. ky is imported statically, because these runtimes have already
 * loaded `fetch`.
 */
export async function loadKy(): Promise<KyInstance> {
  return ky;
}
