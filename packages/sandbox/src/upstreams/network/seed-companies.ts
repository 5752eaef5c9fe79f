import { PLACES, type Place } from './seed-places.js';

export interface CompanyRecord {
  readonly id: string;
  readonly universalName: string;
  readonly name: string;
  readonly linkedinUrl: string;
  readonly size: string;
  readonly industry: { readonly id: string; readonly name: string };
  readonly place: Place;
  readonly followers: number;
}

const FIRST_WORDS = [
  'Analytical',
  'Difference',
  'Compiler',
  'Harbour',
  'Northern',
  'Quiet',
  'Bright',
  'Copper',
  'Silver',
  'Amber',
];
const LAST_WORDS = ['Engines', 'Works', 'Systems', 'Labs', 'Foods', 'Energy'];
const INDUSTRIES = [
  { id: '4', name: 'Software Development' },
  { id: '96', name: 'IT Services and IT Consulting' },
  { id: '43', name: 'Financial Services' },
  { id: '14', name: 'Hospitals and Health Care' },
] as const;

export const SIZES = [
  '1-10',
  '11-50',
  '51-200',
  '201-500',
  '501-1000',
  '1001-5000',
  '5001-10000',
  '10001+',
] as const;

const COUNT = 60;

/** An item of a list, around and around. */
export function around<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('An empty list has no items.');
  return item;
}

export function seededCompanies(): readonly CompanyRecord[] {
  return Array.from({ length: COUNT }, (_, index) => {
    const turn = Math.floor(index / FIRST_WORDS.length);
    const name = `${around(FIRST_WORDS, index)} ${around(LAST_WORDS, index + turn)}`;
    const universalName = name.toLowerCase().replace(' ', '-');
    return {
      id: String(1000 + index),
      universalName,
      name,
      linkedinUrl: `https://www.linkedin.com/company/${universalName}`,
      size: around(SIZES, index + 1),
      industry: around(INDUSTRIES, index),
      place: around(PLACES, index),
      followers: 12_000 - index * 100,
    };
  });
}
