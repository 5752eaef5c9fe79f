import type { Handlers } from '../../../generated/handlers.js';
import { scrapeProfiles } from './bulk.js';

export const network: Pick<Handlers, Extract<keyof Handlers, `network_${string}`>> = {
  // Splits the list into runs that end in time, and keeps what the earlier ones have scraped when a later one fails.
  network_profiles_bulk_scrape: scrapeProfiles,
};
