import { toRole } from '../operators/operator-role.js';
import type { OperatorPassword } from '../operators/operators.js';
import type { Command, CommandOption } from './command.js';
import { formatFacts, formatTable } from './table.js';

const showPassword = ({ name, password }: OperatorPassword) => ({
  data: { name, password },
  text: `${formatFacts({ name, password })}\n\nStore the password now. It is not shown again.`,
});

const ROLE: CommandOption = {
  type: 'string',
  value: 'ROLE',
  help: 'reader: reads everything; operator (the default): changes everything except operators; owner: changes everything',
};

/** Commands that manage the operators: the people who sign in to the dashboard. */
export const operatorCommands: readonly Command[] = [
  {
    name: 'operators create',
    summary: 'Create an operator; prints a random password once',
    takes: ['name'],
    options: { role: ROLE },
    needsService: 'any',
    run: async ({ core: { operators } }, input) =>
      showPassword(await operators.create(input.argument('name'), toRole(input.text('role') ?? 'operator'))),
  },
  {
    name: 'operators link',
    summary: 'Print a sign-in link for an operator; it works once, within 15 minutes',
    takes: ['name'],
    needsService: 'any',
    run: async ({ core: { signInLinks } }, input) => {
      const { link, expiresAt } = await signInLinks.create(input.argument('name'));
      return {
        data: { link, expiresAt },
        text: `${formatFacts({ link, 'valid until': expiresAt })}\n\nThe link works once.`,
      };
    },
  },
  {
    name: 'operators reset',
    summary: 'Give an operator a new random password; deletes its sessions, sign-in links and passkeys',
    takes: ['name'],
    needsService: 'any',
    run: async ({ core: { operators } }, input) =>
      showPassword(await operators.reset(input.argument('name'))),
  },
  {
    name: 'operators change',
    summary: 'Change the role of an operator, with immediate effect',
    takes: ['name', 'role'],
    needsService: 'any',
    run: async ({ core: { operators } }, input) => {
      const changed = await operators.changeRole(input.argument('name'), toRole(input.argument('role')));
      return { data: changed, text: `The operator ${changed.name} now has the role ${changed.role}.` };
    },
  },
  {
    name: 'operators list',
    summary: 'List the operators',
    needsService: 'any',
    run: async ({ core: { operators } }) => {
      const all = await operators.list();
      const rows = all.map(({ name, role, createdAt, signedInAt }) => ({
        name,
        role,
        created: createdAt,
        'signed in': signedInAt ?? 'never',
      }));
      return {
        data: all,
        text: formatTable(
          rows,
          'There are no operators. Create one with `svc-server operators create <name>`.',
        ),
      };
    },
  },
  {
    name: 'operators delete',
    summary: 'Delete an operator, and end its sessions',
    takes: ['name'],
    needsService: 'any',
    run: async ({ core: { operators } }, input) => {
      const name = input.argument('name');
      await operators.delete(name);
      return { data: { name }, text: `The operator ${name} is deleted.` };
    },
  },
];
