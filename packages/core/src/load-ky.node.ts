import type { KyInstance } from 'ky';

/** Gives ky on Node, where it loads all of fetch (30 ms, 14 MB): a process that makes no call does not pay. */
export const loadKy = async (): Promise<KyInstance> => (await import('ky')).default;
