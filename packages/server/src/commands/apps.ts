import type { Command } from './command.js';

export const appCommands: readonly Command[] = [
  {
    name: 'apps create',
    summary: 'Make an application; prints its client id and, once, its client secret',
    takes: ['name'],
    needsService: 'any',
    run: async ({ authorization: { applications } }, input) => {
      const { id, clientSecret } = await applications.create(input.argument('name'));
      return {
        data: { id, clientSecret },
        text: `SVC_CLIENT_ID=${id}\nSVC_CLIENT_SECRET=${clientSecret}`,
      };
    },
  },
];
