const NAMES = ['youtube', 'youtube.force-ssl', 'yt-analytics.readonly'];

/** OAuth scopes for the operations on videos and their statistics. */
export const SCOPE = NAMES.map((name) => `https://www.googleapis.com/auth/${name}`).join(' ');
