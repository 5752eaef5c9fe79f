import { scopeInsufficient } from '../../../google/api-error.js';
import type { Outcome } from '../../../google/method.js';
import { scopeUrl } from '../../../google/scopes.js';
import { pick } from '../body.js';
import { likesId, uploadsId } from '../identifiers.js';
import { forbidden } from '../refusals.js';
import { READING, WRITING } from '../scopes.js';
import { withEtag } from '../with-etag.js';
import { type Channel, type Fields, timeOf, type World } from '../world.js';
import { type Call, serviceMethods } from './call.js';
import { checkLanguage, idsOf, oneFilter } from './filters.js';
import { listPage, PAGED } from './list-page.js';
import { OWNED } from './owner-parameters.js';
import { type PartMakers, partNames, presentResource, thumbnails } from './resource.js';
import { CHANNEL_BODY, updateChannel, WRITTEN_PARTS } from './update-channel.js';

const SERVICE = 'youtube.googleapis.com';
const LIST = 'youtube.api.v3.V3DataChannelService.List';
const AUDIT = 'youtubepartner-channel-audit';
const FILTERS = ['id', 'mine', 'forHandle', 'forUsername', 'managedByMe'] as const;

const MAKERS: PartMakers<Channel> = {
  snippet: ({ title, description, handle, publishedAt, country, id, settings = {} }) => ({
    title,
    description,
    customUrl: handle.toLowerCase(),
    publishedAt: timeOf(publishedAt),
    thumbnails: thumbnails(`ch/${id}`),
    ...pick(settings, ['defaultLanguage']),
    localized: { title, description },
    country,
  }),
  contentDetails: ({ id }, { me }) => ({
    relatedPlaylists: { likes: id === me.id ? likesId(id) : '', uploads: uploadsId(id) },
  }),
  statistics: (channel, { world }) => statisticsOf(channel, world),
  status: ({ id, isMadeForKids = false }, { me }) => ({
    privacyStatus: 'public',
    isLinked: true,
    longUploadsStatus: id === me.id ? 'allowed' : 'longUploadsUnspecified',
    madeForKids: isMadeForKids,
    ...(id === me.id ? { selfDeclaredMadeForKids: isMadeForKids } : {}),
  }),
  topicDetails: () => ({
    topicIds: ['/m/01k8wb'],
    topicCategories: ['https://en.wikipedia.org/wiki/Knowledge'],
  }),
  brandingSettings: ({ title, description, country, settings, banner }) => ({
    channel: { title, description, country, ...settings },
    ...(banner === undefined ? {} : { image: { bannerExternalUrl: banner } }),
  }),
  contentOwnerDetails: ({ contentOwner, publishedAt }, call) =>
    isContentOwner(call, contentOwner) ? { contentOwner, timeLinked: timeOf(publishedAt) } : {},
  auditDetails: () => ({
    overallGoodStanding: true,
    communityGuidelinesGoodStanding: true,
    copyrightStrikesGoodStanding: true,
    contentIdClaimsGoodStanding: true,
  }),
  localizations: ({ localizations = {} }) =>
    Object.keys(localizations).length > 0 ? localizations : undefined,
};

function statisticsOf({ id, subscribers }: Channel, { videos, subscriptions }: World): Fields {
  const shown = [...videos.values()].filter(
    ({ channelId, status }) => channelId === id && status.privacyStatus === 'public',
  );
  const known = [...subscriptions.values()].filter(({ channelId }) => channelId === id).length;
  return {
    viewCount: String(shown.reduce((sum, { views }) => sum + views, 0)),
    subscriberCount: String(subscribers + known),
    hiddenSubscriberCount: false,
    videoCount: String(shown.length),
  };
}

export const channelMethods = serviceMethods('Channel', '/channels', {
  List: {
    scopes: [...READING, AUDIT],
    parameters: {
      id: 'texts',
      mine: 'flag',
      forHandle: 'text',
      forUsername: 'text',
      managedByMe: 'flag',
      categoryId: 'text',
      mySubscribers: 'flag',
      hl: 'text',
      ...PAGED,
      ...OWNED,
    },
    parts: partNames(MAKERS),
    handle: listChannels,
  },
  Update: {
    scopes: WRITING,
    parameters: OWNED,
    parts: WRITTEN_PARTS,
    body: CHANNEL_BODY,
    handle: (call) => ({ body: present(call)(updateChannel(call)) }),
  },
});

const present = (call: Call) => (channel: Channel) =>
  presentResource(channel, { kind: 'channel', makers: MAKERS, call });

function listChannels(call: Call): Outcome {
  const { parameters } = call;
  if (call.parts.has('auditDetails') && !call.holds(AUDIT)) throw auditClosed();
  checkLanguage(parameters.text('hl'));
  const filter = oneFilter(call, FILTERS);
  const owner = parameters.text('onBehalfOfContentOwner');
  if (owner === undefined ? filter === 'managedByMe' : !isContentOwner(call, owner)) throw forbidden();
  const page = listPage(call, findChannels(call, filter), {
    kind: 'channelListResponse',
    size: parameters.integer('maxResults', 5),
    present: present(call),
  });
  const { items, etag: _, ...empty } = page;
  // A list of channels that finds none has no items at all.
  return { body: Array.isArray(items) && items.length > 0 ? page : withEtag(empty) };
}

const auditClosed = () => scopeInsufficient({ service: SERVICE, method: LIST, scopes: [scopeUrl(AUDIT)] });

function isContentOwner({ me, holds }: Call, owner: string | undefined): boolean {
  return owner !== undefined && owner === me.contentOwner && holds('youtubepartner');
}

function findChannels(call: Call, filter: (typeof FILTERS)[number]): Channel[] {
  const { me, parameters, world } = call;
  const all = [...world.channels.values()];
  const value = (parameters.text(filter) ?? '').toLowerCase();
  switch (filter) {
    case 'id':
      return idsOf(call).flatMap((id) => world.channels.get(id) ?? []);
    case 'mine':
    case 'managedByMe':
      return [me];
    case 'forHandle':
      return all.filter(({ handle }) => handle.toLowerCase().slice(1) === value.replace(/^@/, ''));
    case 'forUsername':
      return all.filter(({ username }) => username?.toLowerCase() === value);
  }
}
