import type { Application } from '../../application-choice.tsx';

const LOOPBACK = /^(?:localhost|127\.|\[::1\])/;

/** What has to be done before the application can be switched to production, in sentences. */
export function missingForProduction({ verifyUrl }: Pick<Application, 'verifyUrl'>): readonly string[] {
  if (verifyUrl === null)
    return ['Save a verify URL, so that your application says whose browser came back from the consent.'];
  const { protocol, hostname } = new URL(verifyUrl);
  if (protocol === 'https:' && !LOOPBACK.test(hostname)) return [];
  return [`Save a verify URL that your users' browsers reach by https: ${verifyUrl} is your own machine.`];
}
