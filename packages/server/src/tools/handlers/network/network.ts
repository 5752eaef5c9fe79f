import { ServiceError } from '../../../errors.js';
import type { Handlers } from '../../../generated/handlers.js';
import { partialFailure } from '../../partial-failure.js';

const PATH = '/v2/acts/harvestapi~linkedin-profile-scraper/run-sync-get-dataset-items';
// Scraping mode of the actor (a program on the scraping platform). The name of the mode contains the price, so the name
// changes when the price changes.
const PLAIN_MODE = 'Profile details no email ($4 per 1k)';
const EMAIL_MODE = 'Profile details + email search ($10 per 1k)';
// Number of profiles that one scraping run gets. A free account scrapes about 60 profiles within the 300 s deadline of
// a tool call.
const CHUNK = 50;

const chunksOf = (urls: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(urls.length / CHUNK) }, (_, index) =>
    urls.slice(index * CHUNK, (index + 1) * CHUNK),
  );

/**
 * Scrapes the profiles in runs of 50, so that each run meets the deadline. If a later run fails, the error includes the
 * profiles of earlier runs, because they cost money.
 */
const scrapeProfiles: Handlers['network_profiles_bulk_scrape'] = async (input, send) => {
  const { scraper_token: credential, profile_urls, find_email } = input;
  const urls = [...new Set(profile_urls)];
  const profileScraperMode = find_email ? EMAIL_MODE : PLAIN_MODE;
  const items: unknown[] = [];
  for (const [index, chunk] of chunksOf(urls).entries()) {
    const body = { urls: chunk, profileScraperMode };
    try {
      items.push(...itemsIn(await send({ method: 'POST', host: 'scraper', path: PATH, body, credential })));
    } catch (error) {
      if (index === 0) throw error;
      const done = index * CHUNK;
      const message = `The first ${done} of ${urls.length} profiles were scraped and are in progress.items. The request for the next profiles failed. Do what the cause below says. Then call the tool with the URLs in progress.remaining only.`;
      throw partialFailure(error, message, { done, items, remaining: urls.slice(done) });
    }
  }
  return items;
};

function itemsIn(body: unknown): readonly unknown[] {
  if (Array.isArray(body)) return body;
  throw new ServiceError(
    'upstream_failed',
    'The scraping run succeeded, but its response is not a list. Check the run in the console of the upstream before you repeat the call.',
    {
      body,
    },
  );
}

export const network: Pick<Handlers, Extract<keyof Handlers, `network_${string}`>> = {
  // Handler code, because a JSON tool definition cannot split the list of profiles into several runs. If a later run
  // fails, the handler returns the results of earlier runs.
  network_profiles_bulk_scrape: scrapeProfiles,
};
