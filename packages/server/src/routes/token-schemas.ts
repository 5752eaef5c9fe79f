import { closed, named } from '../listener/list-schema.js';
import { TEXT_FORMS } from '../text/text-forms.js';

const text = { type: 'string' };
const name = { type: 'string', minLength: 1, maxLength: 256 };
const names = { type: 'array', items: name, maxItems: 200 };
const scalar = {
  anyOf: [{ type: 'string', maxLength: 1024 }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }],
};

const argument = {
  ...closed(
    {
      eq: scalar,
      in: { type: 'array', items: scalar, maxItems: 200 },
      prefix: {
        type: 'string',
        minLength: 1,
        maxLength: 1024,
        description: 'Prefix that the input value must have.',
      },
      min: { type: 'number' },
      max: { type: 'number' },
    },
    [],
  ),
  minProperties: 1,
};
const byName = (value: object) => ({
  type: 'object',
  additionalProperties: value,
  propertyNames: { minLength: 1, maxLength: 256 },
  maxProperties: 200,
});

export const limits = {
  identifier: {
    ...name,
    description: "Identifier of the user. The token can use only this user's accounts.",
  },
  account: {
    type: 'string',
    maxLength: 64,
    examples: ['work'],
    description:
      'Label of the only account that the token can use on each connection. Empty text: only accounts without a label. Default: all accounts of the user.',
  },
  connections: { ...names, description: 'Names of the allowed connections.' },
  accounts: { ...names, description: 'Ids of the allowed accounts.' },
  tools: {
    ...names,
    description:
      'Names of the allowed tools. With this limit, the token allows only the proxied requests that are listed in `proxy`.',
  },
  arguments: {
    ...byName(byName(argument)),
    description:
      'Allowed input values, by tool and by path in the input of the tool, such as start.date_time. A call without a limited value is refused. With this limit, the token allows only the proxied requests that are listed in `proxy`.',
  },
  proxy: {
    type: 'array',
    maxItems: 100,
    items: closed(
      {
        methods: {
          type: 'array',
          maxItems: 100,
          items: { type: 'string', pattern: TEXT_FORMS.method.pattern },
        },
        path: { type: 'string', pattern: TEXT_FORMS.absolutePath.pattern, maxLength: 1024 },
      },
      ['path'],
    ),
    description:
      'Allowed requests through the proxy. A path that ends with "/" includes all paths below it. An empty list allows no proxied request.',
  },
  readOnly: {
    type: 'boolean',
    description: 'True to allow only tools that read, and only GET and HEAD through the proxy.',
  },
  maxCalls: {
    type: 'integer',
    minimum: 0,
    maximum: 1_000_000_000,
    description:
      'Maximum number of calls, counted together with the calls of all tokens derived from this token.',
  },
  audience: {
    ...name,
    description: 'URL of the only API that accepts the token: …/v1, …/mcp or …/mcp/crm.',
  },
  approve: {
    anyOf: [{ type: 'string', enum: ['always', 'destructive', 'never'] }, names],
    description: 'Which calls need approval by a person: a rule, or a list of tool names.',
  },
};

/**
 * Builds the request schema for a narrowed token. `expiresIn` is in seconds; its default and maximum depend on the kind
 * of token.
 */
export const tokenRequestSchema = (title: string, expiresIn: object, required: readonly string[]) =>
  named(
    title,
    closed(
      {
        ...limits,
        expiresIn: { type: 'integer', minimum: 1, ...expiresIn, description: 'Lifetime in seconds.' },
      },
      ['identifier', ...required],
    ),
    { tools: ['crm_list_contacts'], expiresIn: 600 },
  );

const TOKEN_ID = 'tok_0193f2a8c4d17b3e9a5c6d7e8f901234';

export const issuedSchema = named(
  'IssuedToken',
  closed({ token: { ...text, examples: ['svc_pt_V3xq'] }, id: text, expiresAt: text }),
  {
    id: TOKEN_ID,
  },
);

const tokenLimits = named('TokenLimits', closed(limits, ['identifier']), { tools: ['crm_list_contacts'] });

export const listedSchema = named(
  'Token',
  closed({
    id: text,
    limits: tokenLimits,
    createdAt: text,
    expiresAt: text,
    revokedAt: { type: ['string', 'null'] },
  }),
  { id: TOKEN_ID },
);

export const tokenId = {
  type: 'string',
  minLength: 1,
  maxLength: 128,
  description: 'Id of the token.',
  examples: [TOKEN_ID],
};
