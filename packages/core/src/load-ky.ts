import ky, { type KyInstance } from 'ky';

/** Gives ky where loading it costs nothing: in browsers and workers, and in what is bundled for them. */
export const loadKy = async (): Promise<KyInstance> => ky;
