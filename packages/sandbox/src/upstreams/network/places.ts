import { type Endpoint, type Output, pageOf } from './endpoint.js';
import { contains, type Query } from './query.js';
import { OTHER_PLACES, PLACES } from './seed.js';
import type { World } from './world.js';

export const placeEndpoints: readonly Endpoint[] = [
  ['/linkedin/geo-id-search', 'search', searchPlaces],
  ['/linkedin/service-search', 'search location geoId page', searchServices],
];

const SERVICES = ['Web Design', 'Accounting', 'Translation'];

function searchPlaces(query: Query): Output {
  const search = query.required('search');
  const matches = [...PLACES, ...OTHER_PLACES].filter(({ title }) => contains(title, search));
  const elements = matches.map(({ geoId, title }) => ({ geoId, title }));
  return { elements, pagination: null, ...(matches[0] && { entityId: matches[0].geoId }), cost: 0.1 };
}

function searchServices(query: Query, { people }: World): Output {
  const search = query.required('search');
  const geoId = query.text('geoId');
  const matches = people
    .map((person, index) => ({ person, services: [SERVICES[index % SERVICES.length] ?? ''] }))
    .filter(({ services }) => services.some((service) => contains(service, search)))
    .filter(({ person: { place } }) =>
      geoId === undefined ? contains(place.title, query.text('location') ?? '') : place.geoId === geoId,
    );
  const elements = matches.map(({ person, services }) => ({
    id: person.id,
    name: `${person.firstName} ${person.lastName}`,
    position: person.title,
    location: { linkedinText: person.place.title },
    linkedinProfileUrl: person.linkedinUrl,
    services,
    summary: `Offers ${services.join(', ')}.`,
  }));
  return pageOf(elements, query, { size: 10 });
}
