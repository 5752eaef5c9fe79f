const NAMES = ['youtube', 'youtube.force-ssl', 'yt-analytics.readonly'];

/** Scopes of the operations on videos and their figures. */
export const SCOPE = NAMES.map((name) => `https://www.googleapis.com/auth/${name}`).join(' ');
