import { type Endpoint, type Output, pageOf } from './endpoint.js';
import { contains, containsAny, isOneOf, type Query } from './query.js';
import type { CompanyRecord, PersonRecord } from './seed.js';
import type { World } from './world.js';

const COMPANIES = 50;
const VALUES = 70;

export const leadEndpoints: readonly Endpoint[] = [
  [
    '/linkedin/lead-search',
    'search currentCompanies pastCompanies currentJobTitles pastJobTitles firstNames lastNames locations geoIds industryIds seniorityLevelIds yearsOfExperienceIds companyHeadcount recentlyChangedJobs salesNavUrl page',
    searchLeads,
  ],
];

function searchLeads(query: Query, { people }: World): Output {
  const url = query.text('salesNavUrl');
  const isMeant = url === undefined ? filterOf(query) : savedSearch(url);
  const matches = people.filter((person) => !person.isPrivate && isMeant(person));
  return pageOf(matches.map(shortLead), query, { size: 25, cost: 25 });
}

type Filter = (person: PersonRecord) => boolean;

/** Builds a filter from the query. A person must match every filter, but only one value of each filter. */
function filterOf(query: Query): Filter {
  const values = (name: string) => query.list(name, VALUES);
  const geoIds = values('geoIds');
  const filters: readonly Filter[] = [
    searchFilter(query.text('search') ?? ''),
    companyFilter(query.list('currentCompanies', COMPANIES), ({ company }) => company),
    companyFilter(query.list('pastCompanies', COMPANIES), ({ pastCompany }) => pastCompany),
    textFilter(values('currentJobTitles'), ({ title }) => title),
    textFilter(values('pastJobTitles'), ({ pastTitle }) => pastTitle),
    textFilter(values('firstNames'), ({ firstName }) => firstName),
    textFilter(values('lastNames'), ({ lastName }) => lastName),
    geoIds.length === 0
      ? textFilter(values('locations'), ({ place }) => place.title)
      : idFilter(geoIds, ({ place }) => place.geoId),
    idFilter(values('industryIds'), ({ company }) => company.industry.id),
    idFilter(values('seniorityLevelIds'), ({ seniorityId }) => seniorityId),
    idFilter(values('yearsOfExperienceIds'), ({ yearsOfExperienceId }) => yearsOfExperienceId),
    idFilter(values('companyHeadcount'), ({ company }) => company.size),
    (person) => !query.isOn('recentlyChangedJobs') || person.hasChangedJobs,
  ];
  return (person) => filters.every((isMeant) => isMeant(person));
}

/** Extracts the keywords from a saved-search URL. They replace all other filters. */
function savedSearch(url: string): Filter {
  const [, keywords = ''] = /keywords(?:=|:)([^,)&]+)/.exec(decoded(url)) ?? [];
  return searchFilter(keywords);
}

// Decodes a URL. A stray percent sign is not a valid escape, so the URL is then used unchanged.
function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

const searchFilter =
  (search: string): Filter =>
  ({ firstName, lastName, title, company }) =>
    contains(`${firstName} ${lastName} ${title} ${company.name}`, search);

const textFilter =
  (parts: readonly string[], read: (person: PersonRecord) => string): Filter =>
  (person) =>
    containsAny(read(person), parts);

const idFilter =
  (ids: readonly string[], read: (person: PersonRecord) => string): Filter =>
  (person) =>
    isOneOf(read(person), ids);

const companyFilter =
  (names: readonly string[], read: (person: PersonRecord) => CompanyRecord): Filter =>
  (person) => {
    const { name, linkedinUrl, id } = read(person);
    return (
      names.length === 0 || names.some((one) => contains(name, one) || one === linkedinUrl || one === id)
    );
  };

const shortLead = ({ id, firstName, lastName, linkedinUrl, title, company, place }: PersonRecord) => ({
  id,
  firstName,
  lastName,
  linkedinUrl,
  summary: `${firstName} works at ${company.name}.`,
  headline: `${title} at ${company.name}`,
  location: { linkedinText: place.title },
  currentPositions: [{ title, companyName: company.name, companyLinkedinUrl: company.linkedinUrl }],
  photo: null,
  hidden: false,
});
