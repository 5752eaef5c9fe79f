import type { Rules } from '../../../google/parameter-rules.js';
import { escapeHtml } from '../../../oauth/page.js';
import { type Comment, type Fields, timeOf } from '../world.js';
import type { Call } from './call.js';
import { type PartMakers, presentResource } from './resource.js';

export const TEXT_FORMAT: Rules = { textFormat: { words: ['textFormatUnspecified', 'html', 'plainText'] } };

export const COMMENT_MAKERS: PartMakers<Comment> = { snippet: presentSnippet };

// `textOriginal` is visible only to the comment's author. Other readers get `textDisplay`.
function presentSnippet(comment: Comment, call: Call): Fields {
  const { authorId, videoId, parentId, text, likes, publishedAt, imageUrl } = comment;
  const { world, me, parameters } = call;
  const author = world.channels.get(authorId);
  const isPlain = parameters.text('textFormat') === 'plainText';
  return {
    channelId: world.videos.get(videoId)?.channelId,
    videoId,
    textDisplay: isPlain ? text : escapeHtml(text).replaceAll('\n', '<br>'),
    ...(authorId === me.id ? { textOriginal: text } : {}),
    ...(parentId === undefined ? {} : { parentId }),
    ...(imageUrl === undefined ? {} : { imageUrl }),
    authorDisplayName: author?.handle,
    authorProfileImageUrl: `https://yt3.ggpht.com/${authorId}`,
    authorChannelUrl: `http://www.youtube.com/${author?.handle}`,
    authorChannelId: { value: authorId },
    canRate: true,
    viewerRating: 'none',
    likeCount: likes,
    // Moderation status is returned only if the request filters by it, which only the video's owner may do.
    ...(parameters.text('moderationStatus') === undefined
      ? {}
      : { moderationStatus: comment.moderation ?? 'published' }),
    publishedAt: timeOf(publishedAt),
    updatedAt: timeOf(publishedAt),
  };
}

export function presentComment(comment: Comment, call: Call): Fields {
  return presentResource(comment, { kind: 'comment', makers: COMMENT_MAKERS, call });
}

export function repliesOf(id: string, { world }: Call): Comment[] {
  return [...world.comments.values()]
    .filter(({ parentId, moderation }) => parentId === id && moderation === undefined)
    .sort((a, b) => a.publishedAt - b.publishedAt);
}
