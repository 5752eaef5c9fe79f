/** The service runs in two regions that know nothing of each other. */
export type Region = 'us' | 'eu';

export interface RegionPath {
  readonly region: Region;
  readonly prefix: string;
}

export const REGIONS: readonly RegionPath[] = [
  { region: 'us', prefix: '' },
  { region: 'eu', prefix: '/eu' },
];

/** The region that a key was made in: `sandbox-eu…` in the European one, all others in the other. */
export const regionOf = (key: string): Region => (/^sandbox-eu(-|$)/.test(key) ? 'eu' : 'us');
