import { ServiceError } from '../errors.js';
import { etagOf } from '../records/etag.js';
import type { ApplicationRow, ClientSecretRow } from '../storage/schema.js';
import { isoTime } from '../text/iso-time.js';
import { checkColor } from './application-color.js';
import { checkLogo } from './application-logo.js';
import { checkBrowserUrl } from './browser-url.js';

/** Settings of an application. Absent settings stay unchanged, or are off in a new application. */
export interface ApplicationSettings {
  readonly name?: string | undefined;
  /**
   * True for an application with real users. An account is then connected only after the application has verified its
   * user.
   */
  readonly production?: boolean | undefined;
  /** URL at which the application verifies its user after the consent. `null` removes the URL. */
  readonly verifyUrl?: string | null | undefined;
  /** URLs to which the service may redirect the browser at the end of an authorization. */
  readonly redirectUrls?: readonly string[] | undefined;
  /** Logo for the connect page, as a data URL of a PNG or SVG image. `null` removes it. */
  readonly logo?: string | null | undefined;
  /** Color of the main button on the connect pages, such as `#0f6b5c`. `null` removes it. */
  readonly color?: string | null | undefined;
  /** Origins of web pages that may call the service from a browser, such as `https://app.example.com`. */
  readonly origins?: readonly string[] | undefined;
  /** True to let the application import OAuth tokens that it already has. */
  readonly allowTokenImport?: boolean | undefined;
}

/** Application as responses of the operators' API contain it. */
export interface Application {
  readonly id: string;
  readonly name: string;
  readonly production: boolean;
  readonly verifyUrl: string | null;
  readonly redirectUrls: readonly string[];
  readonly logo: string | null;
  readonly color: string | null;
  readonly origins: readonly string[];
  readonly allowTokenImport: boolean;
  readonly createdAt: string;
  /** Version of the settings. */
  readonly etag: string;
}

/** Metadata of a client secret, without the secret itself. */
export interface ClientSecret {
  readonly id: string;
  readonly createdAt: string;
  /** Time of the revocation in ISO 8601. `null` while the secret is not revoked. */
  readonly revokedAt: string | null;
}

type ApplicationColumns = Pick<
  ApplicationRow,
  'name' | 'production' | 'verifyUrl' | 'redirectUrls' | 'logo' | 'color' | 'allowTokenImport'
>;

const MAX_NAME_CHARACTERS = 128;
const MAX_REDIRECT_URLS = 50;
const VERIFY_URL = { called: 'The verify URL', name: 'verifyUrl' };
const REDIRECT_URL = { called: 'A redirect URL', name: 'redirectUrls' };

/** Parses the redirect URLs of an application from their database column, which contains a JSON array. */
function readUrls(json: string): readonly string[] {
  const urls: unknown = JSON.parse(json);
  return Array.isArray(urls) ? urls.filter((url) => typeof url === 'string') : [];
}

export const toApplication = (row: ApplicationRow, origins: readonly string[]): Application => ({
  id: row.id,
  name: row.name,
  production: row.production === 1,
  verifyUrl: row.verifyUrl,
  redirectUrls: readUrls(row.redirectUrls),
  logo: row.logo,
  color: row.color,
  origins,
  allowTokenImport: row.allowTokenImport === 1,
  createdAt: isoTime(row.createdAt),
  etag: etagOf(row, origins),
});

export const toClientSecret = ({ id, createdAt, revokedAt }: ClientSecretRow): ClientSecret => ({
  id,
  createdAt: isoTime(createdAt),
  revokedAt: revokedAt === null ? null : isoTime(revokedAt),
});

function checkName(name: string): string {
  const isPlain =
    name.trim() !== '' && name.length <= MAX_NAME_CHARACTERS && !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(name);
  if (isPlain) return name;
  throw new ServiceError(
    'invalid_request',
    `The name of the application is invalid. Send 1 to ${MAX_NAME_CHARACTERS} characters without control characters, and not only spaces. Users see the name on the connect page.`,
  );
}

function checkRedirectUrls(urls: readonly string[]): readonly string[] {
  if (urls.length <= MAX_REDIRECT_URLS) return urls.map((url) => checkBrowserUrl(REDIRECT_URL, url));
  throw new ServiceError(
    'invalid_request',
    `An application can have at most ${MAX_REDIRECT_URLS} redirect URLs, but you sent more. Remove some.`,
  );
}

/**
 * Converts settings of an application to database columns. Checks each setting separately; `checkVerification` checks a
 * rule that concerns two settings.
 */
export function toColumns(settings: ApplicationSettings): Partial<ApplicationColumns> {
  const { name, production, verifyUrl, redirectUrls, logo, color, allowTokenImport } = settings;
  return {
    ...(name !== undefined && { name: checkName(name) }),
    ...(production !== undefined && { production: production ? 1 : 0 }),
    ...(verifyUrl !== undefined && {
      verifyUrl: verifyUrl === null ? null : checkBrowserUrl(VERIFY_URL, verifyUrl),
    }),
    ...(redirectUrls !== undefined && { redirectUrls: JSON.stringify(checkRedirectUrls(redirectUrls)) }),
    ...(logo !== undefined && { logo: logo === null ? null : checkLogo(logo) }),
    ...(color !== undefined && { color: color === null ? null : checkColor(color) }),
    ...(allowTokenImport !== undefined && { allowTokenImport: allowTokenImport ? 1 : 0 }),
  };
}

/**
 * Throws invalid_request for a production application without a verify URL. At this URL, the application confirms
 * which of its users has consented. Otherwise a stranger who gets an authorization link could connect the stranger's
 * upstream account to the user of the link (rule O4 in security-rules.md).
 */
export function checkVerification({
  production,
  verifyUrl,
}: Pick<ApplicationRow, 'production' | 'verifyUrl'>): void {
  if (production === 0 || verifyUrl !== null) return;
  throw new ServiceError(
    'invalid_request',
    'An application marked production needs a verify URL. Set "verifyUrl" (--verify-url), or turn production off.',
  );
}
