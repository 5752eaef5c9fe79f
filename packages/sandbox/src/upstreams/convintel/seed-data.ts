import type { User } from './organization.js';

type NewUser = readonly [
  name: string,
  status: User['status'],
  team: string,
  role: string,
  crmId: string | null,
];

const NEW_USERS: readonly NewUser[] = [
  ['Ada Lovelace', 'active', 'Sales', 'Team member', '0055000000ada01'],
  ['Grace Hopper', 'active', 'Sales', 'Team manager', '0055000000grc01'],
  ['Mary Somerville', 'active', 'Enablement', 'Admin', null],
  ['Charles Babbage', 'inactive', 'Sales', 'Team member', null],
];

export const USERS = NEW_USERS.map(([name, status, teamName, role, crmId]) => {
  const email = `${name.split(' ', 1).join().toLowerCase()}@example.com`;
  return { name, email, status, teamName, crmId, role };
});

export const THEMES = [
  {
    name: 'Commercials',
    topics: [
      { name: 'Pricing', triggers: ['price', 'discount'] },
      { name: 'Budget', triggers: ['budget'] },
    ],
  },
  { name: 'Next steps', topics: [{ name: 'Timeline', triggers: ['by friday', 'next week'] }] },
];

/** Transcript of the seeded demonstration call. Speaker 0 is the host, speaker 1 is the guest. */
export const DEMONSTRATION: readonly (readonly [speaker: 0 | 1, text: string])[] = [
  [0, 'What would the engine have to do for you?'],
  [1, 'It has to print our tables without a single error, every night, and without a person in the room.'],
  [0, 'It does. Shall we talk about the price?'],
  [1, 'Yes. Our budget is fixed.'],
  [0, 'Then I will send an offer with a discount by Friday.'],
];
