import type { Outcome } from '../../../google/method.js';
import { READING } from '../scopes.js';
import { withEtag } from '../with-etag.js';
import type { Fields } from '../world.js';
import type { Call, Method } from './call.js';
import { checkLanguage } from './filters.js';

const LANGUAGES: Readonly<Record<string, string>> = {
  de: 'German',
  en: 'English',
  'en-GB': 'English (United Kingdom)',
  es: 'Spanish',
  fr: 'French',
  ja: 'Japanese',
};
const REGIONS: Readonly<Record<string, string>> = {
  DE: 'Germany',
  FR: 'France',
  GB: 'United Kingdom',
  JP: 'Japan',
  US: 'United States',
};
const REASONS: Readonly<Record<string, string>> = {
  N: 'Sexual content',
  S: 'Spam or misleading',
  V: 'Violent or repulsive content',
};

/** Whether a video may be reported for it. */
export const isReportReason = (id: string): boolean => Object.hasOwn(REASONS, id);

interface Listed {
  readonly kind: string;
  readonly items: readonly (readonly [id: string, snippet: Fields])[];
}

function list(call: Call, { kind, items }: Listed): Outcome {
  checkLanguage(call.parameters.text('hl'));
  const shown = items.map(([id, snippet]) =>
    withEtag({ kind: `youtube#${kind}`, id, ...(call.parts.has('snippet') ? { snippet } : {}) }),
  );
  return { body: withEtag({ kind: `youtube#${kind}ListResponse`, items: shown }) };
}

const method = (name: string, path: string, listed: Listed): Method => ({
  name: `youtube.api.v3.${name}.List`,
  verb: 'GET',
  path,
  scopes: READING,
  parameters: { hl: 'text' },
  parts: ['id', 'snippet'],
  units: 1,
  handle: (call) => list(call, listed),
});

/** What the application may show people to choose from. */
export const languageMethods: readonly Method[] = [
  method('V3DataI18nLanguageService', '/i18nLanguages', {
    kind: 'i18nLanguage',
    items: Object.entries(LANGUAGES).map(([hl, name]) => [hl, { hl, name }]),
  }),
  method('V3DataI18nRegionService', '/i18nRegions', {
    kind: 'i18nRegion',
    items: Object.entries(REGIONS).map(([gl, name]) => [gl, { gl, name }]),
  }),
  method('V3DataVideoAbuseReportReasonService', '/videoAbuseReportReasons', {
    kind: 'videoAbuseReportReason',
    items: Object.entries(REASONS).map(([id, label]) => [id, { label }]),
  }),
];
