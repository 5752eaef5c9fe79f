import type { Role } from './session.ts';

/** What each role may do, the most powerful first. */
export const ROLES: readonly { readonly value: Role; readonly title: string; readonly may: string }[] = [
  { value: 'owner', title: 'Owner', may: 'Everything, managing operators included' },
  { value: 'operator', title: 'Operator', may: 'Everything but managing operators' },
  { value: 'reader', title: 'Reader', may: 'Look at everything, change nothing' },
];

export const titleOf = (role: Role): string => ROLES.find(({ value }) => value === role)?.title ?? role;
