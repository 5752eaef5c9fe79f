const NAMES = ['youtube', 'youtube.force-ssl', 'yt-analytics.readonly'];

/** What the operations of videos and their figures need. */
export const SCOPE = NAMES.map((name) => `https://www.googleapis.com/auth/${name}`).join(' ');
