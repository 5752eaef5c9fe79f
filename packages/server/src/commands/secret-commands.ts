import type { Command } from './command.js';
import { table } from './table.js';

/** The client secrets of an application: two may be live, so that one can take the place of the other. */
export const secretCommands: readonly Command[] = [
  {
    name: 'apps secrets list',
    summary: 'List the client secrets of an application, without the secrets themselves',
    takes: ['id'],
    needsService: 'any',
    run: async ({ authorization: { applications } }, input) => {
      const secrets = await applications.listClientSecrets(input.argument('id'));
      const rows = secrets.map(({ id, createdAt, revokedAt }) => ({
        id,
        created: createdAt,
        revoked: revokedAt ?? 'no',
      }));
      return { data: secrets, text: table(rows, 'There are no client secrets.') };
    },
  },
  {
    name: 'apps secrets add',
    summary: 'Make a second client secret; prints it once',
    takes: ['id'],
    needsService: 'any',
    run: async ({ authorization: { applications } }, input) => {
      const { id, clientSecret } = await applications.addClientSecret(input.argument('id'));
      return {
        data: { id, clientSecret },
        text: `SVC_CLIENT_SECRET=${clientSecret}\n\nKeep it: it is not shown again. Its id is ${id}.`,
      };
    },
  },
  {
    name: 'apps secrets revoke',
    summary: 'End a client secret and every access token that was issued for it, within 5 seconds',
    takes: ['id', 'secret-id'],
    needsService: 'any',
    run: async ({ authorization: { applications } }, input) => {
      const id = input.argument('secret-id');
      await applications.revokeClientSecret(input.argument('id'), id);
      return { data: { id }, text: `${id} is revoked.` };
    },
  },
];
