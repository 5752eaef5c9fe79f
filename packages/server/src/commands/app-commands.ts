import { readFileSync } from 'node:fs';
import type { Application, ApplicationSettings } from '../applications/application.js';
import { toLogo } from '../applications/application-logo.js';
import { UsageError } from '../config/usage-error.js';
import { ServiceError } from '../errors.js';
import type { Command, CommandInput, CommandOption } from './command.js';
import { confirm, YES } from './confirm.js';
import { everyPage } from './every-page.js';
import { createProgress, type Progress } from './progress.js';
import { formatFacts, formatTable } from './table.js';

const VERIFY_URL: CommandOption = {
  type: 'string',
  value: 'URL',
  help: 'URL of your page that confirms which user consented; browsers open it after the consent',
};
const REDIRECT_URL: CommandOption = {
  type: 'string',
  multiple: true,
  value: 'URL',
  help: 'URL to which authorization links may redirect the browser at the end; repeatable',
};
const ORIGIN: CommandOption = {
  type: 'string',
  multiple: true,
  value: 'ORIGIN',
  help: 'Origin of web pages that may call the service from a browser; repeatable',
};
const PRODUCTION: CommandOption = {
  type: 'boolean',
  help: 'Mark the application for real users: every consent must be verified, so --verify-url is required',
};
const ALLOW_TOKEN_IMPORT: CommandOption = {
  type: 'boolean',
  help: 'Let the application import OAuth tokens that it already has',
};
const LOGO: CommandOption = {
  type: 'string',
  value: 'FILE',
  help: 'A PNG or SVG image of at most 24 kB, for the connect page',
};

const COLOR: CommandOption = {
  type: 'string',
  value: 'COLOR',
  help: 'Color of the main button on the connect pages, such as #0f6b5c',
};

function readLogo(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return toLogo(readFileSync(file));
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw new UsageError(`The logo file ${file} cannot be read. Set --logo to a readable PNG or SVG file.`);
  }
}

function readSettings(input: CommandInput): Omit<ApplicationSettings, 'name'> {
  return {
    verifyUrl: input.text('verify-url'),
    redirectUrls: input.texts('redirect-url'),
    origins: input.texts('origin'),
    logo: readLogo(input.text('logo')),
    color: input.text('color'),
    ...(input.has('production') && { production: true }),
    ...(input.has('allow-token-import') && { allowTokenImport: true }),
  };
}

/**
 * Reads the options of `apps change`: those of `apps create`, and the options that switch a setting off, such as
 * `--no-logo`.
 */
function readChange(input: CommandInput): ApplicationSettings {
  const pairs = [
    ['production', 'development'],
    ['verify-url', 'no-verify-url'],
    ['redirect-url', 'no-redirect-urls'],
    ['origin', 'no-origins'],
    ['logo', 'no-logo'],
    ['color', 'no-color'],
    ['allow-token-import', 'no-token-import'],
  ] as const;
  const isSet = (option: string) =>
    input.has(option) || input.text(option) !== undefined || input.texts(option) !== undefined;
  if (!['name', ...pairs.flat()].some(isSet))
    throw new UsageError('No change was given. `svc-server apps change --help` lists the options.');
  const contradiction = pairs.find((pair) => pair.every(isSet));
  if (contradiction)
    throw new UsageError(`--${contradiction.join(' and --')} contradict each other. Use only one of them.`);
  return {
    ...readSettings(input),
    name: input.text('name'),
    ...(input.has('development') && { production: false }),
    ...(input.has('no-verify-url') && { verifyUrl: null }),
    ...(input.has('no-redirect-urls') && { redirectUrls: [] }),
    ...(input.has('no-origins') && { origins: [] }),
    ...(input.has('no-logo') && { logo: null }),
    ...(input.has('no-color') && { color: null }),
    ...(input.has('no-token-import') && { allowTokenImport: false }),
  };
}

const describeApplication = (application: Application): string =>
  formatFacts({
    id: application.id,
    name: application.name,
    production: application.production ? 'yes' : 'no',
    'verify URL': application.verifyUrl ?? 'none',
    'redirect URLs': application.redirectUrls.join(' ') || 'none',
    origins: application.origins.join(' ') || 'none',
    logo: application.logo === null ? 'none' : 'yes',
    color: application.color ?? 'none',
    'token import': application.allowTokenImport ? 'allowed' : 'off',
    created: application.createdAt,
  });

const create: Command = {
  name: 'apps create',
  summary: 'Create an application; prints its client id and, once, its client secret',
  takes: ['name'],
  options: {
    production: PRODUCTION,
    'verify-url': VERIFY_URL,
    'redirect-url': REDIRECT_URL,
    origin: ORIGIN,
    logo: LOGO,
    color: COLOR,
    'allow-token-import': ALLOW_TOKEN_IMPORT,
  },
  needsService: 'any',
  run: async ({ core: { applications } }, input) => {
    const { id, clientSecret } = await applications.create(input.argument('name'), readSettings(input));
    return {
      data: { clientId: id, clientSecret },
      text: `SVC_CLIENT_ID=${id}\nSVC_CLIENT_SECRET=${clientSecret}\n\nStore the client secret now. It is not shown again.`,
    };
  },
};

const list: Command = {
  name: 'apps list',
  summary: 'List the applications',
  needsService: 'any',
  run: async ({ core: { applications } }) => {
    const all = await everyPage(applications.list);
    const rows = all.map(({ id, name, production, createdAt }) => ({
      id,
      name,
      production: production ? 'yes' : 'no',
      created: createdAt,
    }));
    return {
      data: all,
      text: formatTable(rows, 'There are no applications. Create one with `svc-server apps create <name>`.'),
    };
  },
};

const show: Command = {
  name: 'apps show',
  summary: 'Show an application',
  takes: ['id'],
  needsService: 'any',
  run: async ({ core: { applications } }, input) => {
    const application = await applications.get(input.argument('id'));
    return { data: application, text: describeApplication(application) };
  },
};

const change: Command = {
  name: 'apps change',
  summary: 'Change an application; omitted settings stay unchanged',
  takes: ['id'],
  options: {
    name: { type: 'string', value: 'NAME', help: 'Name that users see on the connect page' },
    production: PRODUCTION,
    development: {
      type: 'boolean',
      help: 'Turn off --production: users can connect accounts without verification',
    },
    'verify-url': VERIFY_URL,
    'no-verify-url': { type: 'boolean', help: 'Remove the verify URL' },
    'redirect-url': { ...REDIRECT_URL, help: `${REDIRECT_URL.help}; replaces all earlier ones` },
    'no-redirect-urls': { type: 'boolean', help: 'Remove all redirect URLs' },
    origin: { ...ORIGIN, help: `${ORIGIN.help}; replaces all earlier ones` },
    'no-origins': { type: 'boolean', help: 'Remove all origins' },
    logo: LOGO,
    'no-logo': { type: 'boolean', help: 'Remove the logo' },
    color: COLOR,
    'no-color': { type: 'boolean', help: 'Remove the color' },
    'allow-token-import': ALLOW_TOKEN_IMPORT,
    'no-token-import': {
      type: 'boolean',
      help: 'Turn off --allow-token-import: the application cannot import OAuth tokens',
    },
  },
  needsService: 'any',
  run: async ({ core: { applications } }, input) => {
    const application = await applications.change(input.argument('id'), readChange(input));
    return { data: application, text: describeApplication(application) };
  },
};

const remove: Command = {
  name: 'apps delete',
  summary: 'Delete an application with all its data, and revoke the access of its accounts upstream',
  takes: ['id'],
  options: { yes: YES },
  needsService: 'stopped',
  run: async ({ core: { applications, removeApplication } }, input) => {
    const id = input.argument('id');
    const { name } = await applications.get(id);
    await confirm(
      input,
      `This permanently deletes the application ${JSON.stringify(name)} (${id}) with its connections, accounts and all other data.`,
    );
    let progress: Progress | undefined;
    await removeApplication(id, {
      begin: (total) => {
        progress = createProgress(process.stderr, { title: id, total });
      },
      add: (rows) => progress?.add(rows),
    });
    progress?.end();
    return { data: { id }, text: `The application ${id} is deleted.` };
  },
};

const listSecrets: Command = {
  name: 'apps secrets list',
  summary: 'List the client secrets of an application, without their values',
  takes: ['id'],
  needsService: 'any',
  run: async ({ core: { applications } }, input) => {
    const secrets = await applications.listClientSecrets(input.argument('id'));
    const rows = secrets.map(({ id, createdAt, revokedAt }) => ({
      id,
      created: createdAt,
      revoked: revokedAt ?? 'no',
    }));
    return { data: secrets, text: formatTable(rows, 'The application has no client secrets.') };
  },
};

const addSecret: Command = {
  name: 'apps secrets add',
  summary: 'Create a second client secret; prints the secret once',
  takes: ['id'],
  needsService: 'any',
  run: async ({ core: { applications } }, input) => {
    const { id, clientSecret } = await applications.addClientSecret(input.argument('id'));
    return {
      data: { id, clientSecret },
      text: `SVC_CLIENT_SECRET=${clientSecret}\n\nStore the client secret now. It is not shown again. Its id is ${id}.`,
    };
  },
};

const revokeSecret: Command = {
  name: 'apps secrets revoke',
  summary: 'Revoke a client secret and its access tokens; takes effect within 5 seconds',
  takes: ['id', 'secret-id'],
  needsService: 'any',
  run: async ({ core: { applications } }, input) => {
    const id = input.argument('secret-id');
    await applications.revokeClientSecret(input.argument('id'), id);
    return { data: { id }, text: `The client secret ${id} is revoked.` };
  },
};

/**
 * Commands that manage applications and their client secrets. An application may have two client secrets, so that it
 * can rotate them.
 */
export const appCommands: readonly Command[] = [
  create,
  list,
  show,
  change,
  remove,
  listSecrets,
  addSecret,
  revokeSecret,
];
