import { invalid, notFound } from './api-error.js';
import { type Endpoint, type Output, pageOf } from './endpoint.js';
import { contains, isOneOf, type Query, slugOf } from './query.js';
import { around } from './seed.js';
import type { World } from './world.js';

const DATE_OPTIONS = [
  'last-30-days',
  'current-month',
  'current-year',
  'last-year',
  'custom-date-range',
] as const;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const COUNT = 30;
const DAY_MS = 86_400_000;

export const adEndpoints: readonly Endpoint[] = [
  ['/linkedin/ad', 'adId url', getAd],
  [
    '/linkedin/ad-search',
    'keyword accountOwner countries dateOption startdate enddate paginationToken',
    searchAds,
  ],
];

const adsOf = ({ companies, madeAt }: World) =>
  Array.from({ length: COUNT }, (_, index) => ({
    id: String(600_000_000 + index),
    advertiser: around(companies, index % 3),
    headline: `${index % 2 === 0 ? 'Engines' : 'Compilers'} for your business`,
    country: around(['GB', 'DE', 'US'], index),
    displayedAt: madeAt - index * 20 * DAY_MS,
  }));

type Ad = ReturnType<typeof adsOf>[number];

const presentAd = ({ id, advertiser, headline, country, displayedAt }: Ad) => ({
  id,
  url: `https://www.linkedin.com/ad-library/detail/${id}`,
  advertiser: { name: advertiser.name, url: advertiser.linkedinUrl },
  content: { headline },
  creativeType: 'SPONSORED_STATUS_UPDATE',
  about: { ranFrom: dayOf(displayedAt) },
  impressions: { total: '1k-5k', countries: [{ country, share: '100%' }] },
});

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

function getAd(query: Query, world: World): Output {
  const name = query.text('adId') ?? query.text('url');
  if (name === undefined) throw invalid('One of adId and url is required');
  const ad = adsOf(world).find(({ id }) => id === slugOf(name));
  if (ad === undefined) throw notFound('Ad');
  const { advertiser, content, ...rest } = presentAd(ad);
  const element = { ...rest, variants: [{ advertiser, content }], targeting: { languages: ['en'] } };
  return { element, entityId: ad.id, cost: 1 };
}

function searchAds(query: Query, world: World): Output {
  const owner = slugOf(query.text('accountOwner') ?? '');
  const isInPeriod = periodOf(query, world.now());
  const matches = adsOf(world)
    .filter(({ headline }) => contains(headline, query.text('keyword') ?? ''))
    .filter(({ advertiser }) => owner === '' || advertiser.universalName === owner)
    .filter(({ country }) => isOneOf(country, query.list('countries')))
    .filter(({ displayedAt }) => isInPeriod(dayOf(displayedAt)));
  return pageOf(matches.map(presentAd), query, { size: 24, token: { of: 'ads' } });
}

/** Returns a filter for the requested period. `startdate` and `enddate` apply only to `custom-date-range`. */
function periodOf(query: Query, now: number): (day: string) => boolean {
  const option = query.choice('dateOption', DATE_OPTIONS);
  const today = dayOf(now);
  const year = Number(today.slice(0, 4));
  switch (option) {
    case undefined:
      return () => true;
    case 'last-30-days':
      return (day) => day >= dayOf(now - 30 * DAY_MS);
    case 'current-month':
      return (day) => day.startsWith(today.slice(0, 7));
    case 'current-year':
      return (day) => day.startsWith(String(year));
    case 'last-year':
      return (day) => day.startsWith(String(year - 1));
    case 'custom-date-range': {
      const [start, end] = [readDay(query, 'startdate'), readDay(query, 'enddate')];
      return (day) => day >= (start ?? '') && day <= (end ?? today);
    }
  }
}

function readDay(query: Query, name: string): string | undefined {
  const day = query.text(name);
  if (day !== undefined && !DAY.test(day)) throw invalid(`${name} must be a date (YYYY-MM-DD)`);
  return day;
}
