import type { OperatorPassword } from '../tenants/operators.js';
import type { Command } from './command.js';
import { facts, table } from './table.js';

const showPassword = ({ name, password }: OperatorPassword) => ({
  data: { name, password },
  text: `${facts({ name, password })}\n\nKeep the password: it is not shown again.`,
});

/** The people who run the service. */
export const operatorCommands: readonly Command[] = [
  {
    name: 'operators create',
    summary: 'Make an operator; prints a random password once',
    takes: ['name'],
    needsService: 'any',
    run: async ({ authorization: { operators } }, input) =>
      showPassword(await operators.create(input.argument('name'))),
  },
  {
    name: 'operators reset',
    summary: 'Give an operator a new random password, and end its sessions',
    takes: ['name'],
    needsService: 'any',
    run: async ({ authorization: { operators } }, input) =>
      showPassword(await operators.reset(input.argument('name'))),
  },
  {
    name: 'operators list',
    summary: 'List the operators',
    needsService: 'any',
    run: async ({ authorization: { operators } }) => {
      const all = await operators.list();
      const rows = all.map(({ name, createdAt }) => ({ name, created: createdAt }));
      return { data: all, text: table(rows, 'There are no operators.') };
    },
  },
  {
    name: 'operators delete',
    summary: 'Delete an operator, and end its sessions',
    takes: ['name'],
    needsService: 'any',
    run: async ({ authorization: { operators } }, input) => {
      const name = input.argument('name');
      await operators.delete(name);
      return { data: { name }, text: `${name} is deleted.` };
    },
  },
];
