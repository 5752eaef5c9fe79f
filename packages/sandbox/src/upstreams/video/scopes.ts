import { explainScopes } from '../../google/scopes.js';

const EXPLANATIONS = {
  youtube: 'Manage your channel, its videos and playlists',
  'youtube.force-ssl': 'See, edit and permanently delete your videos, ratings, comments and captions',
  'youtube.readonly': 'View your channel, its videos and playlists',
  'youtube.upload': 'Send videos to your channel, and pictures',
  'youtube.channel-memberships.creator': 'See who the members of your channel are, and since when',
  youtubepartner: 'View and manage your assets and what belongs to your content owner',
  'youtubepartner-channel-audit': 'View private information of your channel that a partner audits',
  'yt-analytics.readonly': 'View analytics reports of your channel',
  'yt-analytics-monetary.readonly': 'View money and analytics reports of your channel',
} as const;

export type ScopeName = keyof typeof EXPLANATIONS;

export const SCOPES = explainScopes(EXPLANATIONS);

export const WRITING: readonly ScopeName[] = ['youtube', 'youtube.force-ssl', 'youtubepartner'];
export const READING: readonly ScopeName[] = [...WRITING, 'youtube.readonly'];
export const COMMENTING: readonly ScopeName[] = ['youtube.force-ssl'];
export const CAPTIONS: readonly ScopeName[] = ['youtube.force-ssl', 'youtubepartner'];
export const MANAGING: readonly ScopeName[] = ['youtube', 'youtube.force-ssl'];
export const VIEWING: readonly ScopeName[] = [...MANAGING, 'youtube.readonly'];
export const UPLOADING: readonly ScopeName[] = [...WRITING, 'youtube.upload'];
export const MEMBERS: readonly ScopeName[] = ['youtube.channel-memberships.creator'];
export const ANALYTICS: readonly ScopeName[] = [
  'youtube',
  'youtube.readonly',
  'youtubepartner',
  'yt-analytics.readonly',
  'yt-analytics-monetary.readonly',
];
export const REPORTING: readonly ScopeName[] = ['yt-analytics.readonly', 'yt-analytics-monetary.readonly'];
