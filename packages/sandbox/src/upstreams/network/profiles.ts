import { invalid, notFound } from './api-error.js';
import type { Endpoint, Output } from './endpoint.js';
import { type Query, slugOf } from './query.js';
import type { PersonRecord } from './seed.js';
import type { World } from './world.js';

export const profileEndpoints: readonly Endpoint[] = [
  [
    '/linkedin/profile',
    'url publicIdentifier profileId main includeAboutProfile findEmail skipSmtp',
    getProfile,
  ],
];

export const personByUrl = ({ people }: World, url: string): PersonRecord | undefined => {
  const slug = slugOf(url);
  return people.find(({ publicIdentifier, id }) => publicIdentifier === slug || id === slug);
};

function getProfile(query: Query, world: World): Output {
  const names = [query.text('url'), query.text('publicIdentifier'), query.text('profileId')];
  const name = names.find((one) => one !== undefined);
  if (name === undefined) throw invalid('One of url, publicIdentifier and profileId is required');
  const person = personByUrl(world, name);
  if (person === undefined) throw notFound('Profile');
  if (person.isPrivate) return { error: 'Profile is private or not available' };
  const findsEmail = query.isOn('findEmail');
  return {
    element: {
      ...(query.isOn('main') ? mainProfile(person) : fullProfile(person)),
      emails: findsEmail ? [{ email: person.email, isVerified: !query.isOn('skipSmtp') }] : [],
      ...(query.isOn('includeAboutProfile') && { registeredAt: '2012-03-01T00:00:00.000Z' }),
    },
    entityId: person.id,
    cost: (query.isOn('main') ? 1 : 2) + (findsEmail ? 3 : 0),
  };
}

function mainProfile(person: PersonRecord) {
  const { id, publicIdentifier, firstName, lastName, linkedinUrl, title, company, place } = person;
  const { countryCode } = place;
  return {
    ...{ id, publicIdentifier, firstName, lastName, linkedinUrl },
    headline: `${title} at ${company.name}`,
    about: `I work on engines at ${company.name}.`,
    photo: null,
    location: { linkedinText: place.title, countryCode, parsed: { text: place.title, countryCode } },
    currentPosition: [{ companyName: company.name }],
    hiring: title === 'Recruiter',
    ...{ openToWork: false, premium: false, influencer: false, verified: true },
  };
}

export function fullProfile(person: PersonRecord) {
  const { title, pastTitle, company, pastCompany, place } = person;
  return {
    ...mainProfile(person),
    websites: [],
    topSkills: 'Analysis • Compilers',
    connectionsCount: 500,
    followerCount: 1843,
    experience: [
      position(title, company.name, { location: place.title, start: 2021 }),
      position(pastTitle, pastCompany.name, { location: place.title, start: 2016, end: 2021 }),
    ],
    education: [
      {
        schoolName: 'University of London',
        degree: 'Mathematics',
        startDate: { year: 2008, text: '2008' },
        endDate: { year: 2012, text: '2012' },
      },
    ],
    skills: [{ name: 'Analysis' }, { name: 'Compilers' }],
    languages: [{ name: 'English', proficiency: 'Native or bilingual proficiency' }],
    ...{ certifications: [], projects: [], publications: [], honorsAndAwards: [], courses: [] },
    ...{ receivedRecommendations: [], featured: null, moreProfiles: [] },
  };
}

interface Span {
  readonly location: string;
  readonly start: number;
  readonly end?: number;
}

const position = (title: string, companyName: string, { location, start, end }: Span) => ({
  companyName,
  position: title,
  duration: end === undefined ? 'Present' : `${end - start} yrs`,
  location,
  description: `${title} for engines.`,
  employmentType: 'Full-time',
  startDate: { month: 'Jan', year: start, text: `Jan ${start}` },
  endDate: end === undefined ? { text: 'Present' } : { month: 'Jan', year: end, text: `Jan ${end}` },
});
