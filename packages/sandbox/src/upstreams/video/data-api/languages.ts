import type { Outcome } from '../../../google/method.js';
import { withEtag } from '../body.js';
import { READING } from '../scopes.js';
import type { Fields } from '../world.js';
import { type Call, type Method, serviceMethods } from './call.js';
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

export const isReportReason = (id: string): boolean => Object.hasOwn(REASONS, id);

interface Listed {
  readonly kind: string;
  readonly items: readonly (readonly [id: string, snippet: Fields])[];
}

function list(call: Call, { kind, items }: Listed): Outcome {
  checkLanguage(call.parameters.text('hl'));
  const resources = items.map(([id, snippet]) =>
    withEtag({ kind: `youtube#${kind}`, id, ...(call.parts.has('snippet') ? { snippet } : {}) }),
  );
  return { body: withEtag({ kind: `youtube#${kind}ListResponse`, items: resources }) };
}

const method = (service: string, path: string, listed: Listed) =>
  serviceMethods(service, path, {
    List: {
      scopes: READING,
      parameters: { hl: 'text' },
      parts: ['id', 'snippet'],
      handle: (call) => list(call, listed),
    },
  });

export const languageMethods: readonly Method[] = [
  ...method('I18nLanguage', '/i18nLanguages', {
    kind: 'i18nLanguage',
    items: Object.entries(LANGUAGES).map(([hl, name]) => [hl, { hl, name }]),
  }),
  ...method('I18nRegion', '/i18nRegions', {
    kind: 'i18nRegion',
    items: Object.entries(REGIONS).map(([gl, name]) => [gl, { gl, name }]),
  }),
  ...method('VideoAbuseReportReason', '/videoAbuseReportReasons', {
    kind: 'videoAbuseReportReason',
    items: Object.entries(REASONS).map(([id, label]) => [id, { label }]),
  }),
];
