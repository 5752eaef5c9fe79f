/** Limits of a model vendor for the input schemas of tools, from its documentation (`source`) on the date `dated`. */
export interface Limits {
  readonly dated: string;
  readonly source: string;
  readonly toolName: RegExp;
  readonly propertyName: RegExp;
  /** JSON Schema keywords that the vendor accepts. Rules of other keywords become sentences in descriptions. */
  readonly keywords: readonly string[];
  readonly formats: readonly string[];
  /** True if the vendor accepts only objects that forbid unlisted properties. */
  readonly closedObjects: boolean;
  /**
   * True if the vendor accepts only schemas in which every property is required. Optional properties then become
   * required and nullable.
   */
  readonly allRequired: boolean;
  readonly recursion: boolean;
  /** Greatest value of `minItems` in a schema that the vendor accepts. */
  readonly minItems: number;
  readonly depth: number;
  readonly properties: number;
  readonly enumValues: number;
  /** Maximum total length of property names, definition names and enum values, in characters. */
  readonly nameCharacters: number;
  /**
   * Limits for all tools in strict mode that one request to the model contains. Undefined if the vendor has no such
   * limits.
   */
  readonly perRequest?: Cost;
}

/**
 * Amounts that count towards a model vendor's limits for one request to the model: tools in strict mode, optional
 * properties and unions.
 */
export interface Cost {
  readonly tools: number;
  readonly optional: number;
  readonly unions: number;
}

/** Variant of JSON Schema that a model vendor accepts for tool inputs. */
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
