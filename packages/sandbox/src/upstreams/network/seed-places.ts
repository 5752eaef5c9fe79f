export interface Place {
  readonly geoId: string;
  readonly title: string;
  readonly countryCode: string;
}

export const PLACES: readonly [Place, ...Place[]] = [
  { geoId: '90009496', title: 'London, England, United Kingdom', countryCode: 'GB' },
  { geoId: '106967730', title: 'Berlin, Germany', countryCode: 'DE' },
  { geoId: '105080838', title: 'New York, United States', countryCode: 'US' },
  { geoId: '90000084', title: 'San Francisco Bay Area', countryCode: 'US' },
];

/** Further places that can be found, where nobody of the seeded world lives. */
export const OTHER_PLACES: readonly Place[] = [
  { geoId: '100493616', title: 'London, Ontario, Canada', countryCode: 'CA' },
  { geoId: '105015875', title: 'France', countryCode: 'FR' },
];
