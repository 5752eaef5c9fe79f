import { around, type CompanyRecord } from './seed-companies.js';
import { PLACES, type Place } from './seed-places.js';

export interface PersonRecord {
  readonly id: string;
  readonly publicIdentifier: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly linkedinUrl: string;
  readonly title: string;
  readonly pastTitle: string;
  readonly company: CompanyRecord;
  readonly pastCompany: CompanyRecord;
  readonly place: Place;
  readonly email: string;
  readonly seniorityId: string;
  readonly yearsOfExperienceId: string;
  readonly hasChangedJobs: boolean;
  /** Shown to nobody: what asks for it fails, though with status 200. */
  readonly isPrivate: boolean;
}

const FIRST_NAMES = [
  'Ada',
  'Grace',
  'Alan',
  'Edsger',
  'Barbara',
  'Donald',
  'Margaret',
  'Niklaus',
  'Radia',
  'Tim',
];
const LAST_NAMES = ['Lovelace', 'Hopper', 'Turing', 'Dijkstra', 'Liskov', 'Knuth'];
const TITLES = ['Software Engineer', 'Engineering Manager', 'Data Scientist', 'Product Manager', 'Recruiter'];
const SENIORITY_IDS = ['110', '120', '210', '220', '310'];
const EXPERIENCE_IDS = ['1', '2', '3', '4', '5'];

const COUNT = 60;
const EMPLOYERS = 6;
const PRIVATE = 59;

export function seededPeople(companies: readonly CompanyRecord[]): readonly PersonRecord[] {
  return Array.from({ length: COUNT }, (_, index) => {
    const turn = Math.floor(index / FIRST_NAMES.length);
    const firstName = around(FIRST_NAMES, index);
    const lastName = around(LAST_NAMES, index + turn);
    const publicIdentifier = `${firstName}-${lastName}`.toLowerCase();
    const company = around(companies, index % EMPLOYERS);
    return {
      id: `ACoAAA${String(index).padStart(4, '0')}`,
      publicIdentifier,
      firstName,
      lastName,
      linkedinUrl: `https://www.linkedin.com/in/${publicIdentifier}`,
      title: around(TITLES, index + turn),
      pastTitle: around(TITLES, index + turn + 1),
      company,
      pastCompany: around(companies, (index + 1) % EMPLOYERS),
      place: around(PLACES, index),
      email: `${firstName}.${lastName}@${company.universalName}.example`.toLowerCase(),
      seniorityId: around(SENIORITY_IDS, index),
      yearsOfExperienceId: around(EXPERIENCE_IDS, index + turn),
      hasChangedJobs: index % 7 === 0,
      isPrivate: index === PRIVATE,
    };
  });
}
