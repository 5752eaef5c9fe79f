import { type Actor, fullName, inputSchemaOf } from './actor.js';

const MODIFIED = '2026-10-01T08:00:00.000Z';

/** What a list of actors shows of one. */
export function actorCard(actor: Actor) {
  const { username, title, id, description, categories, totalUsers } = actor;
  return {
    title,
    url: `https://apify.com/${fullName(actor)}`,
    id,
    fullName: fullName(actor),
    developer: { username, isOfficialApify: username === 'apify', url: `https://apify.com/${username}` },
    description,
    categories,
    pricing: { model: 'PAY_PER_PLATFORM_USAGE', isFree: true },
    stats: { totalUsers, monthlyUsers: Math.round(totalUsers / 12), bookmarks: Math.round(totalUsers / 50) },
    rating: { average: 4.5, count: Math.round(totalUsers / 200) },
    modifiedAt: MODIFIED,
    isDeprecated: false,
  };
}

export const OUTPUT_FLAGS = [
  'description',
  'stats',
  'pricing',
  'rating',
  'metadata',
  'inputSchema',
  'readme',
  'outputSchema',
  'mcpTools',
] as const;
export type OutputFlag = (typeof OUTPUT_FLAGS)[number];

/** The details that the flags ask for. */
export function actorDetails(actor: Actor, asks: (flag: OutputFlag) => boolean) {
  const { description, stats, pricing, rating, modifiedAt, isDeprecated, ...named } = actorCard(actor);
  return {
    actorInfo: {
      ...named,
      ...(asks('description') && { description }),
      ...(asks('stats') && { stats }),
      ...(asks('pricing') && { pricing }),
      ...(asks('rating') && { rating }),
      ...(asks('metadata') && { modifiedAt, isDeprecated }),
    },
    ...(asks('readme') && { readme: actor.readme }),
    ...(asks('inputSchema') && { inputSchema: inputSchemaOf(actor) }),
    ...(asks('outputSchema') && { outputSchema: { type: 'object', properties: {} } }),
    ...(asks('mcpTools') && { mcpTools: (actor.tools ?? []).map(({ name }) => ({ name })) }),
  };
}
