import { z } from 'zod';
import { type Actor, actor } from './actor.js';

const SITES = [
  'Maps',
  'Photos',
  'Videos',
  'News',
  'Jobs',
  'Hotels',
  'Flights',
  'Recipes',
  'Books',
  'Music',
  'Podcasts',
  'Events',
];
const DEVELOPERS = ['compass', 'epctex', 'clockworks'];

const input = z.looseObject({ search: z.string().default('popular'), maxItems: z.int().min(1).default(5) });

/** The many actors that a search finds beside the well-known ones. */
export function listedActors(): Actor[] {
  return DEVELOPERS.flatMap((username, developer) =>
    SITES.map((site, index) =>
      actor({
        username,
        name: `${site.toLowerCase()}-scraper`,
        title: `${site} Scraper`,
        description: `Extracts ${site.toLowerCase()} from the web.`,
        totalUsers: 20_000 - 500 * index - 20 * developer,
        input,
        run: ({ search, maxItems }) => ({
          seconds: 5,
          items: Array.from({ length: maxItems }, (_, item) => ({
            title: `${site} about ${search}, number ${item + 1}`,
            url: `https://example.com/${site.toLowerCase()}/${item + 1}`,
          })),
        }),
      }),
    ),
  );
}
