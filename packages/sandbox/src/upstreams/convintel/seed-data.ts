import type { User } from './organization.js';

export const USERS: readonly Omit<User, 'id'>[] = [
  {
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    status: 'active',
    teamName: 'Sales',
    crmId: '0055000000ada01',
    role: 'Team member',
  },
  {
    name: 'Grace Hopper',
    email: 'grace@example.com',
    status: 'active',
    teamName: 'Sales',
    crmId: '0055000000grc01',
    role: 'Team manager',
  },
  {
    name: 'Mary Somerville',
    email: 'mary@example.com',
    status: 'active',
    teamName: 'Enablement',
    crmId: null,
    role: 'Admin',
  },
  {
    name: 'Charles Babbage',
    email: 'charles@example.com',
    status: 'inactive',
    teamName: 'Sales',
    crmId: null,
    role: 'Team member',
  },
];

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

/** Who says what in the seeded demonstration: 0 is the host, 1 the guest. */
export const DEMONSTRATION: readonly (readonly [speaker: 0 | 1, text: string])[] = [
  [0, 'What would the engine have to do for you?'],
  [1, 'It has to print our tables without a single error, every night, and without a person in the room.'],
  [0, 'It does. Shall we talk about the price?'],
  [1, 'Yes. Our budget is fixed.'],
  [0, 'Then I will send an offer with a discount by Friday.'],
];
