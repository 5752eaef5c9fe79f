import { list, NAMING, pick, record, text, textOf, within, word } from '../body.js';
import { refuse } from '../refusals.js';
import { type Fields, type Playlist, type Privacy, timeOf } from '../world.js';
import type { Call } from './call.js';
import { checkLanguage } from './filters.js';
import { type PartMakers, thumbnails } from './resource.js';

export const PRIVACY = ['public', 'unlisted', 'private'] as const;

export const PLAYLIST_MAKERS: PartMakers<Playlist> = {
  snippet: presentSnippet,
  status: ({ status }) => status,
  contentDetails: ({ items }) => ({ itemCount: items.length }),
  player: ({ id }) => ({
    embedHtml: `<iframe width="640" height="360" src="http://www.youtube.com/embed/videoseries?list=${id}" frameborder="0" allowfullscreen></iframe>`,
  }),
  localizations: ({ localizations }) => (Object.keys(localizations).length > 0 ? localizations : undefined),
};

function presentSnippet({ channelId, publishedAt, snippet, items }: Playlist, { world }: Call): Fields {
  const { title, description } = snippet;
  const [first] = items;
  return {
    publishedAt: timeOf(publishedAt),
    channelId,
    channelTitle: world.channels.get(channelId)?.title,
    ...snippet,
    thumbnails: first === undefined ? thumbnails('img') : thumbnails(`vi/${first.videoId}`),
    ...(first === undefined ? {} : { thumbnailVideoId: first.videoId }),
    localized: { title, description },
  };
}

export const PLAYLIST_BODY = record(
  {
    ...NAMING,
    snippet: record(
      { title: text, description: text, defaultLanguage: text, tags: list(text) },
      'publishedAt channelId channelTitle thumbnails thumbnailVideoId localized',
    ),
    status: record({ privacyStatus: word(...PRIVACY), podcastStatus: word('enabled', 'disabled') }),
  },
  'contentDetails player localizations',
);

const LONGEST_TITLE = 150;

/** Validates the snippet of a playlist body. The snippet replaces the stored one, so omitted fields are deleted. */
export function writtenSnippet(body: Fields): Fields {
  const snippet = within(body, 'snippet');
  const title = textOf(snippet, 'title');
  if (title === undefined || title.trim() === '')
    throw refuse(400, 'playlistTitleRequired', 'The request must specify a playlist title.');
  if (title.length > LONGEST_TITLE) throw refuse(400, 'invalidPlaylistSnippet', 'The title is too long.');
  checkLanguage(textOf(snippet, 'defaultLanguage'));
  return { title, description: '', ...pick(snippet, ['description', 'defaultLanguage', 'tags']) };
}

export function writtenStatus(body: Fields): Playlist['status'] {
  const status = within(body, 'status');
  return { ...pick(status, ['podcastStatus']), privacyStatus: privacyOf(status) };
}

export function privacyOf(status: Fields): Privacy {
  return PRIVACY.find((one) => one === status.privacyStatus) ?? 'public';
}

export function writtenLocalizations(body: Fields, { defaultLanguage }: Fields): Fields {
  const localizations = within(body, 'localizations');
  if (Object.keys(localizations).length > 0 && defaultLanguage === undefined)
    throw refuse(400, 'defaultLanguageNotSet', 'Localizations need a default language.');
  return localizations;
}
