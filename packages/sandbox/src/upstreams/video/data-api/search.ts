import { ApiError } from '../../../google/api-error.js';
import type { Outcome } from '../../../google/method.js';
import { type Rules, rules } from '../../../google/parameter-rules.js';
import { withEtag } from '../body.js';
import { missingParameter, refuse } from '../refusals.js';
import { READING } from '../scopes.js';
import type { Fields } from '../world.js';
import { type Call, OWNED, serviceMethods, splitList } from './call.js';
import { checkLanguage, readRegion } from './filters.js';
import { listPage, PAGED } from './resource.js';
import { CANDIDATES, type Candidate, KINDS, type Kind } from './search-candidates.js';

const VIDEO_ONLY = {
  videoDuration: ['videoDurationUnspecified', 'any', 'short', 'medium', 'long'],
  videoEmbeddable: ['videoEmbeddableUnspecified', 'any', 'true'],
  videoLicense: ['any', 'youtube', 'creativeCommon'],
  eventType: ['none', 'completed', 'live', 'upcoming'],
  videoCaption: ['videoCaptionUnspecified', 'any', 'closedCaption', 'none'],
  videoDefinition: ['any', 'high', 'standard'],
  videoDimension: ['any', '2d', '3d'],
  videoPaidProductPlacement: ['videoPaidProductPlacementUnspecified', 'any', 'true'],
  videoSyndicated: ['videoSyndicatedUnspecified', 'any', 'true'],
  videoType: ['videoTypeUnspecified', 'any', 'episode', 'movie'],
} as const;
const VIDEO_RULES: Rules = Object.fromEntries(
  Object.entries(VIDEO_ONLY).map(([name, words]) => [name, { words }]),
);
type VideoOnly = keyof typeof VIDEO_ONLY;

/** Filter values that match no seeded video, because none is live, standard definition, 3D or an episode. */
const NOBODY: readonly (readonly [name: VideoOnly, value: string])[] = [
  ['eventType', 'live'],
  ['eventType', 'upcoming'],
  ['eventType', 'completed'],
  ['videoDefinition', 'standard'],
  ['videoDimension', '3d'],
  ['videoPaidProductPlacement', 'true'],
  ['videoType', 'episode'],
  ['videoType', 'movie'],
];
const VIDEO_FILTERS = [...Object.keys(VIDEO_ONLY), 'videoCategoryId'];

const ORDERS = ['relevance', 'date', 'rating', 'title', 'videoCount', 'viewCount'] as const;

export const searchMethods = serviceMethods('Search', '/search', {
  List: {
    scopes: READING,
    parameters: {
      ...VIDEO_RULES,
      ...rules(
        'text',
        'videoCategoryId q channelId regionCode relevanceLanguage location locationRadius topicId',
      ),
      order: { words: ['searchSortUnspecified', ...ORDERS] },
      type: 'texts',
      channelType: { words: ['channelTypeUnspecified', 'any', 'show'] },
      publishedAfter: 'moment',
      publishedBefore: 'moment',
      safeSearch: { words: ['safeSearchSettingUnspecified', 'moderate', 'none', 'strict'] },
      ...rules('flag', 'forMine forContentOwner forDeveloper'),
      ...PAGED,
      ...OWNED,
    },
    parts: ['id', 'snippet'],
    bucket: 'search',
    handle: search,
  },
});

function search(call: Call): Outcome {
  const { parameters } = call;
  const kinds = readKinds(call);
  const region = readRegion(call) ?? 'US';
  const order = parameters.choice('order', ORDERS) ?? 'relevance';
  checkLocation(call);
  checkLanguage(parameters.text('relevanceLanguage'));
  if (parameters.flag('forContentOwner') === true && parameters.text('onBehalfOfContentOwner') === undefined)
    throw missingParameter('onBehalfOfContentOwner');
  const size = parameters.integer('maxResults', 5);
  const isMatch = readFilter(call);
  const candidates = kinds.flatMap((kind) => CANDIDATES[kind](call)).filter(isMatch);
  return {
    body: listPage(call, sorted(candidates, order), {
      kind: 'searchListResponse',
      size,
      extra: { regionCode: region },
      present: (candidate) => present(candidate, call),
    }),
  };
}

function readKinds({ parameters }: Call): readonly Kind[] {
  const types = parameters.all('type').flatMap(splitList);
  const unknown = types.find((type) => !KINDS.some((kind) => kind === type));
  if (unknown !== undefined)
    throw new ApiError(400, 'invalidParameter', `Invalid value for type: ${unknown}`, {
      domain: 'youtube.parameter',
    });
  const kinds = types.length === 0 ? KINDS : KINDS.filter((kind) => types.includes(kind));
  const isForVideos = [...VIDEO_FILTERS, 'forMine'].some((name) => parameters.text(name) !== undefined);
  if (isForVideos && (types.length !== 1 || types[0] !== 'video'))
    throw refuse(
      400,
      'invalidSearchFilter',
      'This combination of search filters and restrictions is invalid: the type has to be video.',
    );
  return kinds;
}

// Validates `location` and `locationRadius`, which must occur together. No seeded video has a location.
function checkLocation({ parameters }: Call): void {
  const [location, radius] = [parameters.text('location'), parameters.text('locationRadius')];
  if (location === undefined && radius === undefined) return;
  if (location === undefined) throw missingParameter('location');
  if (radius === undefined) throw missingParameter('locationRadius');
  if (!/^-?\d+(\.\d+)?,-?\d+(\.\d+)?$/.test(location))
    throw refuse(400, 'invalidLocation', 'The location is not valid.');
  if (!/^\d+(\.\d+)?(m|km|ft|mi)$/.test(radius))
    throw refuse(400, 'invalidLocationRadius', 'The location radius is not valid.');
}

function readFilter(call: Call): (candidate: Candidate) => boolean {
  const { parameters, world, me } = call;
  const matchesWords = matchWords(parameters.text('q') ?? '');
  const [after, before] = [parameters.time('publishedAfter'), parameters.time('publishedBefore')];
  const channelId = parameters.flag('forMine') === true ? me.id : parameters.text('channelId');
  if (channelId !== undefined && !world.channels.has(channelId))
    throw refuse(400, 'invalidChannelId', 'The channelId parameter specified an invalid channel id.');
  const isOfVideo = videoFilter(call);
  return (candidate) =>
    matchesWords(`${candidate.title} ${candidate.description}`) &&
    (channelId === undefined || candidate.channelId === channelId) &&
    (after === undefined || candidate.publishedAt >= after) &&
    (before === undefined || candidate.publishedAt < before) &&
    isOfVideo(candidate);
}

const MINUTE = 60;
const LENGTHS: Readonly<Record<string, (seconds: number) => boolean>> = {
  short: (seconds) => seconds < 4 * MINUTE,
  medium: (seconds) => seconds >= 4 * MINUTE && seconds <= 20 * MINUTE,
  long: (seconds) => seconds > 20 * MINUTE,
};

function videoFilter({ parameters, world }: Call): (candidate: Candidate) => boolean {
  const optionOf = (name: VideoOnly) => {
    const value = parameters.text(name) ?? 'any';
    return value.endsWith('Unspecified') ? 'any' : value;
  };
  const caption = optionOf('videoCaption');
  const license = optionOf('videoLicense');
  const category = parameters.text('videoCategoryId');
  const isNobody =
    parameters.text('location') !== undefined || NOBODY.some(([name, value]) => optionOf(name) === value);
  const isCaptioned = (id: string) => [...world.captions.values()].some(({ videoId }) => videoId === id);
  return ({ video }) =>
    video === undefined ||
    (!isNobody &&
      (caption === 'any' || isCaptioned(video.id) === (caption === 'closedCaption')) &&
      (LENGTHS[optionOf('videoDuration')]?.(video.seconds) ?? true) &&
      (optionOf('videoEmbeddable') === 'any' || video.status.embeddable === true) &&
      (license === 'any' || video.status.license === license) &&
      (category === undefined || video.snippet.categoryId === category));
}

function sorted(candidates: Candidate[], order: (typeof ORDERS)[number]): Candidate[] {
  const by: Readonly<Record<(typeof ORDERS)[number], (a: Candidate, b: Candidate) => number>> = {
    relevance: (a, b) => b.views - a.views,
    viewCount: (a, b) => b.views - a.views,
    date: (a, b) => b.publishedAt - a.publishedAt,
    rating: (a, b) => b.likes - a.likes,
    title: (a, b) => a.title.localeCompare(b.title),
    videoCount: (a, b) => b.videos - a.videos,
  };
  return candidates.sort(by[order]);
}

function present({ kind, id, snippet }: Candidate, { parts }: Call): Fields {
  return withEtag({
    kind: 'youtube#searchResult',
    id: { kind: `youtube#${kind}`, [`${kind}Id`]: id },
    ...(parts.has('snippet') ? { snippet } : {}),
  });
}

/** Builds a word filter. All words must occur, `-word` must not occur, and `a|b` needs one of the two. */
function matchWords(query: string): (text: string) => boolean {
  const terms = query
    .toLowerCase()
    .split(/\s+/)
    .filter((term) => term !== '');
  const excluded = terms.filter((term) => /^-./.test(term)).map((term) => term.slice(1));
  const wanted = terms.filter((term) => !/^-./.test(term)).map((term) => term.split('|'));
  return (text) => {
    const lower = text.toLowerCase();
    return (
      wanted.every((choices) => choices.some((choice) => lower.includes(choice))) &&
      !excluded.some((term) => lower.includes(term))
    );
  };
}
