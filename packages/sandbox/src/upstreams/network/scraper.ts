import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { formatFault, type Item, writeItems } from '../../apify/dataset-items.js';
import { isObject, parseJson } from '../../json.js';
import { companyByUrl, fullCompany } from './companies.js';
import { fullProfile, personByUrl } from './profiles.js';
import type { World } from './world.js';

const ACTORS = ['harvestapi~linkedin-profile-scraper', 'LpVuK3Zozwuipa5bp'];
const NO_EMAIL = 'Profile details no email ($4 per 1k)';
const WITH_EMAIL = 'Profile details + email search ($10 per 1k)';

const TYPES: Readonly<Record<number, string>> = {
  400: 'run-failed',
  401: 'user-or-token-not-found',
  402: 'not-enough-usage-to-run-paid-actor',
  403: 'full-permission-actor-not-approved',
  404: 'record-not-found',
  408: 'run-timeout-exceeded',
  429: 'rate-limit-exceeded',
};

const error = (type: string, message: string) => ({ error: { type, message } });

export const dialledScraperError = (status: number) =>
  error(TYPES[status] ?? 'internal-server-error', `The call failed with status ${status}.`);

/** Adds the scraping platform's endpoint that runs an actor synchronously and returns its dataset items. */
export function addScraper(app: FastifyInstance, prefix: string, getWorld: () => World): void {
  app.post<{ Params: { actor: string } }>(
    `${prefix}/v2/acts/:actor/run-sync-get-dataset-items`,
    async (request, reply) => run(request, reply, getWorld),
  );
}

function run(
  { params: { actor }, body, url }: FastifyRequest<{ Params: { actor: string } }>,
  reply: FastifyReply,
  getWorld: () => World,
): FastifyReply {
  if (!ACTORS.includes(actor))
    return reply.code(404).send(error('record-or-token-not-found', 'Actor was not found'));
  const query = new URL(url, 'http://sandbox').searchParams;
  const fault = optionFault(query);
  if (fault !== undefined) return reply.code(400).send(error('invalid-value', fault));
  const input = parseJson(Buffer.isBuffer(body) ? body.toString('utf8') : '');
  if (!isObject(input)) return refuse(reply, 'Input is not a JSON object.');
  const { profileScraperMode: mode = NO_EMAIL } = input;
  if (mode !== NO_EMAIL && mode !== WITH_EMAIL) {
    const allowed = `"${NO_EMAIL}", "${WITH_EMAIL}"`;
    return refuse(
      reply,
      `Field input.profileScraperMode must be equal to one of the allowed values: ${allowed}`,
    );
  }
  const names = ['urls', 'publicIdentifiers', 'profileIds', 'queries'].flatMap((key) => textsOf(input[key]));
  return sendItems(reply, scrape(names, getWorld(), { findsEmail: mode === WITH_EMAIL }), query);
}

const refuse = (reply: FastifyReply, message: string) =>
  reply.code(400).send(error('invalid-input', `Input is not valid: ${message}`));

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

// Results are in order of completion, so clients cannot rely on the order of the request.
function scrape(
  names: readonly string[],
  world: World,
  { findsEmail }: { findsEmail: boolean },
): Readonly<Record<string, unknown>>[] {
  const items = [...new Set(names)].flatMap((name): Readonly<Record<string, unknown>>[] => {
    const originalQuery = { query: name };
    const company = name.includes('/company/') ? companyByUrl(world, name) : undefined;
    if (company !== undefined) return [{ ...fullCompany(company), originalQuery }];
    const person = personByUrl(world, name);
    if (person === undefined) return [];
    if (person.isPrivate) return [{ originalQuery, error: 'Profile is private or not available' }];
    const emails = findsEmail ? [{ email: person.email }] : [];
    return [{ ...fullProfile(person), emails, originalQuery }];
  });
  return items.reverse();
}

const COUNTS = ['offset', 'limit', 'maxItems', 'timeout', 'memory'];

function optionFault(query: URLSearchParams): string | undefined {
  const wrong = COUNTS.find((name) => query.has(name) && !/^\d{1,9}$/.test(query.get(name) ?? ''));
  return wrong === undefined ? formatFault(query) : `Parameter ${wrong} has to be a whole number.`;
}

function sendItems(reply: FastifyReply, all: readonly Item[], query: URLSearchParams): FastifyReply {
  const count = (name: string, fallback: number) => Number(query.get(name) ?? fallback);
  const flag = (name: string) => ['1', 'true'].includes(query.get(name) ?? '');
  const done = all.slice(0, count('maxItems', all.length));
  return reply.code(201).send(writeItems(reply, done, { query, count, flag }));
}
