/** Limits of a model vendor for the input of a tool, from its documentation on the day `dated`. */
export interface Limits {
  readonly dated: string;
  readonly source: string;
  readonly toolName: RegExp;
  readonly propertyName: RegExp;
  /** Keywords that a schema may use; other rules go into descriptions. */
  readonly keywords: readonly string[];
  readonly formats: readonly string[];
  /** Objects accept no unlisted fields. */
  readonly closedObjects: boolean;
  /**
   * True if the vendor accepts only schemas in which every property is required. Optional properties then become
   * required and nullable.
   */
  readonly allRequired: boolean;
  readonly recursion: boolean;
  /** The greatest `minItems`. */
  readonly minItems: number;
  readonly depth: number;
  readonly properties: number;
  readonly enumValues: number;
  /** Characters of the names of properties and definitions and of the values of enums together. */
  readonly nameCharacters: number;
  /** Budget that all strict tools of one request share; undefined if there is none. */
  readonly perRequest?: Cost;
}

/** Share of a request's budget that a tool uses. */
export interface Cost {
  readonly tools: number;
  readonly optional: number;
  readonly unions: number;
}

/** A form of input schemas that a model vendor takes. */
export type Dialect = 'openai-strict' | 'anthropic-strict' | 'gemini';

const STRUCTURE = ['$defs', '$ref', 'anyOf', 'properties', 'required', 'additionalProperties', 'items'];
const COMMON = [...STRUCTURE, 'type', 'description', 'title', 'enum', 'format', 'minItems'];
const NUMBERS = ['multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];
const FORMATS = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'];
const UNLIMITED = { depth: Infinity, properties: Infinity, enumValues: Infinity, nameCharacters: Infinity };

export const LIMITS: Readonly<Record<Dialect, Limits>> = {
  'openai-strict': {
    dated: '2026-10-05',
    source: 'https://platform.openai.com/docs/guides/structured-outputs',
    toolName: /^[A-Za-z0-9_-]{1,64}$/,
    propertyName: /^[A-Za-z0-9_.$-]{1,64}$/,
    keywords: [...COMMON, ...NUMBERS, 'pattern', 'maxItems'],
    formats: FORMATS,
    closedObjects: true,
    allRequired: true,
    recursion: true,
    minItems: Infinity,
    depth: 10,
    properties: 5000,
    enumValues: 1000,
    nameCharacters: 120_000,
  },
  'anthropic-strict': {
    ...UNLIMITED,
    dated: '2026-09-20',
    source: 'https://docs.claude.com/en/docs/build-with-claude/structured-outputs',
    toolName: /^[A-Za-z0-9_-]{1,128}$/,
    propertyName: /^[A-Za-z0-9_.-]{1,64}$/,
    keywords: COMMON,
    formats: [...FORMATS, 'uri'],
    closedObjects: true,
    allRequired: false,
    recursion: false,
    minItems: 1,
    perRequest: { tools: 20, optional: 24, unions: 16 },
  },
  gemini: {
    ...UNLIMITED,
    dated: '2026-11-22',
    source: 'https://ai.google.dev/api/caching#Schema',
    toolName: /^[A-Za-z0-9_.:-]{1,128}$/,
    propertyName: /^[A-Za-z0-9_]{1,64}$/,
    keywords: [...COMMON, 'maxItems', 'minimum', 'maximum'],
    formats: ['date-time', 'date', 'time'],
    closedObjects: false,
    allRequired: false,
    recursion: true,
    minItems: Infinity,
  },
};
