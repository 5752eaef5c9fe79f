/** Region of the service. The two regions share no data and no API keys. */
export type Region = 'us' | 'eu';

export interface RegionPath {
  readonly region: Region;
  readonly prefix: string;
}

export const REGIONS: readonly RegionPath[] = [
  { region: 'us', prefix: '' },
  { region: 'eu', prefix: '/eu' },
];

/** Returns the region of an API key: `eu` for keys that begin with `sandbox-eu`, otherwise `us`. */
export const regionOf = (key: string): Region => (/^sandbox-eu(-|$)/.test(key) ? 'eu' : 'us');
