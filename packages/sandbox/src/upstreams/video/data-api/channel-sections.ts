import { count, list, NAMING, pick, record, text, textOf, within, word } from '../body.js';
import { refuse } from '../refusals.js';
import { READING, WRITING } from '../scopes.js';
import { type Fields, newLiveId, type Section, type World } from '../world.js';
import { type Call, OWNED, OWNED_CHANNEL } from './call.js';
import { checkLanguage, oneFilter } from './filters.js';
import { methodsOf, type OwnedResource, ownItems } from './owned-resource.js';

interface Needs {
  readonly title?: true;
  readonly playlists?: 'one' | 'some';
  readonly channels?: 'some';
}

const TYPES: Readonly<Record<string, Needs>> = {
  singlePlaylist: { playlists: 'one' },
  multiplePlaylists: { playlists: 'some', title: true },
  multipleChannels: { channels: 'some', title: true },
  popularUploads: {},
  recentUploads: {},
  allPlaylists: {},
  liveEvents: {},
  upcomingEvents: {},
  completedEvents: {},
  subscriptions: {},
};
const FORMER = [
  ...['channelsectionTypeUndefined', 'likes', 'likedPlaylists', 'recentPosts', 'recentActivity'],
  ...['postedVideos', 'postedPlaylists'],
];
const STYLES = ['channelsectionStyleUndefined', 'horizontalRow', 'verticalList'];
const MOST_SECTIONS = 10;
const LONGEST_TITLE = 100;

const BODY = record(
  {
    ...NAMING,
    snippet: record(
      {
        type: word(...Object.keys(TYPES), ...FORMER),
        style: word(...STYLES),
        title: text,
        position: count,
        defaultLanguage: text,
      },
      'channelId localized',
    ),
    contentDetails: record({ playlists: list(text), channels: list(text) }),
  },
  'localizations targeting',
);

const SECTIONS: OwnedResource<Section> = {
  service: 'ChannelSection',
  path: '/channelSections',
  kind: 'channelSection',
  makers: {
    snippet: ({ channelId, position, snippet }) => ({ channelId, ...snippet, position }),
    contentDetails: ({ contentDetails }) =>
      Object.keys(contentDetails).length > 0 ? contentDetails : undefined,
    localizations: () => undefined,
    targeting: () => undefined,
  },
  reading: READING,
  writing: WRITING,
  ofNew: OWNED_CHANNEL,
  ofChanged: OWNED,
  body: BODY,
  missing: 'channelSectionNotFound',
  itemsOf: ({ sections }) => sections,
  list: {
    parameters: { channelId: 'text', id: 'texts', mine: 'flag', hl: 'text', ...OWNED },
    find: findSections,
  },
  insert(call) {
    const { world, me } = call;
    const written = writtenSection(call);
    const others = sectionsOf(world, me.id);
    if (others.length >= MOST_SECTIONS)
      throw refuse(403, 'maxChannelSectionExceeded', 'The channel has as many sections as it may have.');
    return insertAtPosition(call, { id: newLiveId(), channelId: me.id, ...written }, others);
  },
  update(call, { id, channelId, position }) {
    const others = sectionsOf(call.world, channelId).filter((one) => one.id !== id);
    return insertAtPosition(call, { id, channelId, position, ...writtenSection(call) }, others);
  },
  remove: ({ world }, { id, channelId }) =>
    renumber(
      world,
      sectionsOf(world, channelId).filter((one) => one.id !== id),
    ),
};

export const channelSectionMethods = methodsOf(SECTIONS);

const sectionsOf = ({ sections }: World, channelId: string): Section[] =>
  [...sections.values()]
    .filter((section) => section.channelId === channelId)
    .sort((a, b) => a.position - b.position);

function findSections(call: Call): Section[] {
  const { world, parameters } = call;
  checkLanguage(parameters.text('hl'));
  const filter = oneFilter(call, ['channelId', 'id', 'mine']);
  if (filter === 'mine') return sectionsOf(world, call.me.id);
  if (filter === 'id') return ownItems(call, world.sections);
  const channelId = parameters.text('channelId') ?? '';
  if (!world.channels.has(channelId)) throw refuse(404, 'channelNotFound', 'The channel cannot be found.');
  return sectionsOf(world, channelId);
}

function renumber({ sections }: World, inOrder: readonly Section[]): void {
  inOrder.forEach((section, position) => {
    sections.set(section.id, { ...section, position });
  });
}

/** Inserts a section at the requested position. By default, a section keeps its position, and a new one is the last. */
function insertAtPosition(
  { world, body }: Call,
  section: Omit<Section, 'position'> & { readonly position?: number },
  others: readonly Section[],
): Section {
  const wanted = within(body, 'snippet').position;
  const position = typeof wanted === 'number' ? wanted : (section.position ?? others.length);
  if (position > others.length || position < 0)
    throw refuse(400, 'invalidPosition', 'The position lies outside of the sections of the channel.');
  const whole = { ...section, position };
  renumber(world, [...others.slice(0, position), whole, ...others.slice(position)]);
  return whole;
}

function writtenSection({ body, world }: Call): Pick<Section, 'snippet' | 'contentDetails'> {
  const snippet = within(body, 'snippet');
  const type = textOf(snippet, 'type');
  if (type === undefined) throw refuse(400, 'typeRequired', 'The section must have a type.');
  const needs = TYPES[type];
  if (needs === undefined) throw refuse(400, 'invalidType', `Channels have no sections of the type ${type}.`);
  const title = textOf(snippet, 'title') ?? '';
  if (needs.title && title.trim() === '')
    throw refuse(400, 'titleRequired', 'The section must have a title.');
  if (title.length > LONGEST_TITLE) throw refuse(400, 'invalidTitle', 'The title is too long.');
  const details = within(body, 'contentDetails');
  const playlists = readIds(details, 'playlists', { wanted: needs.playlists, known: world.playlists });
  const channels = readIds(details, 'channels', { wanted: needs.channels, known: world.channels });
  return {
    snippet: pick(snippet, ['type', 'title', 'defaultLanguage']),
    contentDetails: { ...playlists, ...channels },
  };
}

interface Naming {
  readonly wanted: 'one' | 'some' | undefined;
  readonly known: ReadonlyMap<string, unknown>;
}

function readIds(details: Fields, name: 'playlists' | 'channels', { wanted, known }: Naming): Fields {
  const ids: readonly unknown[] = Array.isArray(details[name]) ? details[name] : [];
  if (wanted === undefined && ids.length > 0)
    throw refuse(400, `${name}NotExpected`, `A section of this type has no ${name}.`);
  if (wanted !== undefined && (ids.length === 0 || (wanted === 'one' && ids.length > 1)))
    throw refuse(400, `${name}Required`, `A section of this type has ${wanted} of ${name}.`);
  if (new Set(ids).size < ids.length)
    throw refuse(400, `${name}Duplicated`, `The ${name} contain duplicates.`);
  if (!ids.every((id) => known.has(String(id))))
    throw refuse(404, `${name.slice(0, -1)}NotFound`, `One or more of the ${name} cannot be found.`);
  return ids.length === 0 ? {} : { [name]: ids };
}
