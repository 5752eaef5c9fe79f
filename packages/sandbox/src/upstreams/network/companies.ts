import { invalid, notFound } from './api-error.js';
import { type Endpoint, type Output, pageOf } from './endpoint.js';
import { contains, isOneOf, type Query, slugOf } from './query.js';
import { type CompanyRecord, SIZES } from './seed.js';
import type { World } from './world.js';

export const companyEndpoints: readonly Endpoint[] = [
  ['/linkedin/company', 'url universalName search', getCompany],
  ['/linkedin/company-search', 'search location companySize page', searchCompanies],
];

export const companyByUrl = ({ companies }: World, url: string): CompanyRecord | undefined => {
  const slug = slugOf(url);
  return companies.find(({ universalName, id }) => universalName === slug || id === slug);
};

function getCompany(query: Query, world: World): Output {
  const name = query.text('url') ?? query.text('universalName');
  const search = query.text('search');
  if (name === undefined && search === undefined)
    throw invalid('One of url, universalName and search is required');
  const company =
    name === undefined
      ? world.companies.find((one) => contains(one.name, search ?? ''))
      : companyByUrl(world, name);
  if (company === undefined) throw notFound('Company');
  return { element: fullCompany(company), entityId: company.id, cost: 1 };
}

function searchCompanies(query: Query, { companies }: World): Output {
  const sizes = query.choices('companySize', SIZES);
  const matches = companies
    .filter(({ name }) => contains(name, query.text('search') ?? ''))
    .filter(({ place }) => contains(place.title, query.text('location') ?? ''))
    .filter(({ size }) => isOneOf(size, sizes));
  return pageOf(matches.map(shortCompany), query, { size: 50 });
}

const shortCompany = ({ size: _, industry, place, followers, ...company }: CompanyRecord) => ({
  ...company,
  industries: industry.name,
  location: { linkedinText: place.title },
  followers: `${followers} followers`,
  summary: `${company.name} builds engines.`,
  logo: null,
});

export function fullCompany({ size, industry, place, followers, ...company }: CompanyRecord) {
  const [start = '10001', end] = size.replace('+', '').split('-');
  const location = { city: place.title.split(',')[0], country: place.countryCode, headquarter: true };
  return {
    ...company,
    tagline: 'Engines for everybody',
    website: `https://${company.universalName}.example`,
    foundedOn: { year: 1999 },
    employeeCount: Number(start) + 3,
    employeeCountRange: { start: Number(start), end: end === undefined ? null : Number(end) },
    followerCount: followers,
    description: `${company.name} builds engines.`,
    headquarter: location,
    locations: [location],
    specialities: ['engines'],
    industries: [industry],
    active: true,
    jobSearchUrl: `https://www.linkedin.com/jobs/search?f_C=${company.id}`,
    pageVerified: true,
    ...{ logo: null, phone: null, crunchbaseFundingData: null },
    ...{ logos: [], backgroundCovers: [], similarOrganizations: [] },
  };
}
