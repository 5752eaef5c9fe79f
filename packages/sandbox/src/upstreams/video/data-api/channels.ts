import { scopeInsufficient } from '../../../google/api-error.js';
import type { Outcome } from '../../../google/method.js';
import { rules } from '../../../google/parameter-rules.js';
import { scopeUrl } from '../../../google/scopes.js';
import { isObject } from '../../../json.js';
import { each, flag, NAMING, pick, record, text, textOf, withEtag, within } from '../body.js';
import { forbidden, missingParameter, refuse } from '../refusals.js';
import { READING, WRITING } from '../scopes.js';
import { type Channel, type Fields, likesId, timeOf, uploadsId, type World } from '../world.js';
import { type Call, OWNED, serviceMethods } from './call.js';
import { checkLanguage, idsOf, oneFilter } from './filters.js';
import { listPage, PAGED, type PartMakers, partNames, presentResource, thumbnails } from './resource.js';

const WRITTEN_PARTS = ['id', 'brandingSettings', 'localizations', 'status'];

const SETTINGS = ['country', 'description', 'defaultLanguage', 'keywords', 'moderateComments'];
const MORE_SETTINGS = ['trackingAnalyticsAccountId', 'unsubscribedTrailer'];
const LONGEST_DESCRIPTION = 1000;
const LONGEST_KEYWORDS = 500;

const CHANNEL_BODY = record(
  {
    ...NAMING,
    brandingSettings: record(
      {
        channel: record(
          {
            ...each(text, [...SETTINGS, ...MORE_SETTINGS].join(' ')),
            moderateComments: flag,
            title: text,
          },
          'defaultTab featuredChannelsTitle featuredChannelsUrls profileColor showBrowseView showRelatedChannels',
        ),
        image: (value, path) =>
          isObject(value) && record({ bannerExternalUrl: text })(pick(value, ['bannerExternalUrl']), path),
      },
      'watch hints',
    ),
    status: record(
      { selfDeclaredMadeForKids: flag },
      'isLinked longUploadsStatus madeForKids privacyStatus isChannelMonetizationEnabled',
    ),
  },
  'localizations snippet contentDetails contentOwnerDetails auditDetails statistics topicDetails conversionPings',
);

/** Updates the requested parts of a channel. Fields that the body omits from a requested part are deleted. */
function updateChannel(call: Call): Channel {
  const { body, parts, world } = call;
  const channel = changeable(call);
  const branding = parts.has('brandingSettings') ? writtenBranding(call, channel) : {};
  const settings = { ...channel, ...branding }.settings ?? {};
  const changed: Channel = {
    ...channel,
    ...branding,
    ...(parts.has('localizations') ? { localizations: writtenLocalizations(body, settings) } : {}),
    ...(parts.has('status')
      ? { isMadeForKids: within(body, 'status').selfDeclaredMadeForKids === true }
      : {}),
  };
  world.channels.set(changed.id, changed);
  return changed;
}

function changeable({ world, me, body }: Call): Channel {
  const id = textOf(body, 'id');
  if (id === undefined) throw missingParameter('id');
  const channel = world.channels.get(id);
  if (channel === undefined)
    throw refuse(404, 'channelNotFound', 'The channel specified in the id parameter cannot be found.');
  if (channel.id === me.id) return channel;
  throw refuse(403, 'channelForbidden', 'The request is not properly authorized for the channel.');
}

type Branding = Pick<Channel, 'description' | 'country' | 'settings' | 'banner'>;

function writtenBranding({ body, world }: Call, channel: Channel): Partial<Branding> {
  const branding = within(body, 'brandingSettings');
  const settings = within(branding, 'channel');
  const title = textOf(settings, 'title');
  if (title !== undefined && title !== channel.title)
    throw refuse(403, 'channelTitleUpdateForbidden', 'The title of a channel cannot be changed here.');
  const description = textOf(settings, 'description') ?? '';
  const keywords = textOf(settings, 'keywords') ?? '';
  if (description.length > LONGEST_DESCRIPTION || keywords.length > LONGEST_KEYWORDS) throw brandingInvalid();
  checkLanguage(textOf(settings, 'defaultLanguage'));
  const trailer = textOf(settings, 'unsubscribedTrailer');
  if (trailer !== undefined && !world.videos.has(trailer)) throw brandingInvalid();
  const banner = textOf(within(branding, 'image'), 'bannerExternalUrl') ?? channel.banner;
  if (banner !== undefined && world.banners.get(banner) !== channel.id) throw brandingInvalid();
  return {
    description,
    country: textOf(settings, 'country') ?? channel.country,
    settings: pick(settings, [...SETTINGS.slice(2), ...MORE_SETTINGS]),
    ...(banner === undefined ? {} : { banner }),
  };
}

const brandingInvalid = () =>
  refuse(
    400,
    'brandingValidationError',
    'One of the values in the brandingSettings object failed validation.',
  );

function writtenLocalizations(body: Fields, { defaultLanguage }: Fields): Fields {
  const localizations = within(body, 'localizations');
  if (Object.keys(localizations).length > 0 && defaultLanguage === undefined)
    throw refuse(400, 'defaultLanguageNotSetError', 'Localizations need a default language.');
  return localizations;
}

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
  const publicVideos = [...videos.values()].filter(
    ({ channelId, status }) => channelId === id && status.privacyStatus === 'public',
  );
  const known = [...subscriptions.values()].filter(({ channelId }) => channelId === id).length;
  return {
    viewCount: String(publicVideos.reduce((sum, { views }) => sum + views, 0)),
    subscriberCount: String(subscribers + known),
    hiddenSubscriberCount: false,
    videoCount: String(publicVideos.length),
  };
}

export const channelMethods = serviceMethods('Channel', '/channels', {
  List: {
    scopes: [...READING, AUDIT],
    parameters: {
      id: 'texts',
      ...rules('flag', 'mine managedByMe mySubscribers'),
      ...rules('text', 'forHandle forUsername categoryId hl'),
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
  if (call.parts.has('auditDetails') && !call.hasScope(AUDIT)) throw auditClosed();
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
  // Empty channel lists omit `items` completely, as in the real service.
  return { body: Array.isArray(items) && items.length > 0 ? page : withEtag(empty) };
}

const auditClosed = () => scopeInsufficient({ service: SERVICE, method: LIST, scopes: [scopeUrl(AUDIT)] });

function isContentOwner({ me, hasScope }: Call, owner: string | undefined): boolean {
  return owner !== undefined && owner === me.contentOwner && hasScope('youtubepartner');
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
