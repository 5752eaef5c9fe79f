import { TEXT_FORMS } from '../text/text-forms.js';
import { closed } from './list-schema.js';

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
      prefix: { type: 'string', minLength: 1, maxLength: 1024, description: 'How a text begins.' },
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
  identifier: { ...name, description: 'The user, as the application knows them: accounts of nobody else.' },
  connections: { ...names, description: 'Accounts of these connections alone, by their names.' },
  accounts: { ...names, description: 'These accounts alone, by their ids.' },
  tools: { ...names, description: 'These tools alone, and no proxy unless proxy says which requests.' },
  arguments: {
    ...byName(byName(argument)),
    description:
      'By tool and by path into its input, such as start.date_time, what a value must be: eq, in, prefix, min, max. One that is absent is refused, and so is the proxy unless proxy says which requests.',
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
      'Requests through the proxy that are allowed: all below a path that ends with "/", else that path alone. Empty: none.',
  },
  readOnly: { type: 'boolean', description: 'Only tools that read, and GET and HEAD through the proxy.' },
  maxCalls: {
    type: 'integer',
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'How many calls, of all tokens made from this one together.',
  },
  audience: { ...name, description: 'The URL of the door that takes it: …/v1, …/mcp, …/mcp/calendar.' },
  approve: {
    anyOf: [{ type: 'string', enum: ['always', 'destructive', 'never'] }, names],
    description: 'Which calls wait for a person; a list names tools.',
  },
};

/** Schema of a request for a token. `expiresIn` in seconds, with the bounds of the kind of token. */
export const tokenRequestSchema = (expiresIn: object, required: readonly string[]) =>
  closed({ ...limits, expiresIn: { type: 'integer', minimum: 1, ...expiresIn } }, [
    'identifier',
    ...required,
  ]);

export const issuedSchema = closed({ token: text, id: text, expiresAt: text });

export const listedSchema = closed({
  id: text,
  limits: closed(limits, ['identifier']),
  createdAt: text,
  expiresAt: text,
  revokedAt: { type: ['string', 'null'] },
});

export const tokenId = { type: 'string', minLength: 1, maxLength: 128 };
