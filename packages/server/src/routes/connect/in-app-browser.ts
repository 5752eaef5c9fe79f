/**
 * Texts in the User-Agent of browsers inside apps: Facebook, Instagram, LinkedIn and others, and the Android WebView.
 */
const MARKS = [
  'FBAN/',
  'FBAV/',
  'FB_IAB',
  'Instagram',
  'LinkedInApp',
  'MicroMessenger',
  'Snapchat',
  'Pinterest/',
  'musical_ly',
  'BytedanceWebview',
  'Twitter for',
  ' Line/',
  '; wv)',
];

const IOS = ['iPhone', 'iPad', 'iPod'];

/**
 * True for the browser inside an app, by its User-Agent. Some upstreams refuse a sign-in there, because the app could
 * read the password. On iOS, every full browser has `Safari/` in its User-Agent, and the browser inside an app has not.
 */
export function isInAppBrowser(userAgent = ''): boolean {
  if (MARKS.some((mark) => userAgent.includes(mark))) return true;
  const isIos = IOS.some((device) => userAgent.includes(device));
  return isIos && userAgent.includes('AppleWebKit/') && !userAgent.includes('Safari/');
}
