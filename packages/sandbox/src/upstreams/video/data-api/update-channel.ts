import { isObject } from '../../../json.js';
import { each, flag, NAMING, pick, record, text, textOf, within } from '../body.js';
import { missingParameter, refuse } from '../refusals.js';
import type { Channel, Fields } from '../world.js';
import type { Call } from './call.js';
import { checkLanguage } from './filters.js';

/** The parts that a channel's owner writes. */
export const WRITTEN_PARTS = ['id', 'brandingSettings', 'localizations', 'status'];

const SETTINGS = ['country', 'description', 'defaultLanguage', 'keywords', 'moderateComments'];
const MORE_SETTINGS = ['trackingAnalyticsAccountId', 'unsubscribedTrailer'];
const LONGEST_DESCRIPTION = 1000;
const LONGEST_KEYWORDS = 500;

export const CHANNEL_BODY = record(
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

/** Replaces every part that is named: what the body leaves out of it is gone. */
export function updateChannel(call: Call): Channel {
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
