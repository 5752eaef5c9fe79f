import { type Answer, type Endpoint, pageOf } from './endpoint.js';
import { holds, type Query } from './query.js';
import { OTHER_PLACES, PLACES } from './seed.js';
import type { World } from './world.js';

export const placeEndpoints: readonly Endpoint[] = [
  ['/linkedin/geo-id-search', 'search', searchPlaces],
  ['/linkedin/service-search', 'search location geoId page', searchServices],
];

const SERVICES = ['Web Design', 'Accounting', 'Translation'];

function searchPlaces(query: Query): Answer {
  const search = query.required('search');
  const found = [...PLACES, ...OTHER_PLACES].filter(({ title }) => holds(title, search));
  const elements = found.map(({ geoId, title }) => ({ geoId, title }));
  return { elements, pagination: null, ...(found[0] && { entityId: found[0].geoId }), cost: 0.1 };
}

function searchServices(query: Query, { people }: World): Answer {
  const search = query.required('search');
  const geoId = query.text('geoId');
  const found = people
    .map((person, index) => ({ person, services: [SERVICES[index % SERVICES.length] ?? ''] }))
    .filter(({ services }) => services.some((service) => holds(service, search)))
    .filter(({ person: { place } }) =>
      geoId === undefined ? holds(place.title, query.text('location') ?? '') : place.geoId === geoId,
    );
  const elements = found.map(({ person, services }) => ({
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
