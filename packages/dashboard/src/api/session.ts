import { signal } from '@preact/signals';
import type { Operations } from '../generated/operations.ts';

export type Session = Operations['GET /operator/v1/session']['response'];

export type Role = Session['role'];

/** Session of the operator who is signed in. `undefined` if nobody is signed in, `null` until the session is loaded. */
export const session = signal<Session | undefined | null>(null);

/** Reason why the last session ended. The sign-in page shows it. */
export const sessionEnd = signal<'expired' | 'signed out' | undefined>();

/** Clears the session after a response with status 401. */
export function noteNoSession(): void {
  if (session.value) sessionEnd.value = 'expired';
  session.value = undefined;
}

export function noteSignedOut(): void {
  sessionEnd.value = 'signed out';
  session.value = undefined;
}

/**
 * Returns true if the operator's role permits changes. This check only hides controls; the service enforces the role.
 */
export const mayChange = (): boolean => session.value?.role !== 'reader';

export const isOwner = (): boolean => session.value?.role === 'owner';

/** Records in the session that the operator now has a password. */
export function notePassword(): void {
  if (session.value) session.value = { ...session.value, signedInBy: 'password' };
}

/** True after the operator has added a passkey in this window. */
export const hasNewPasskey = signal(false);

/** Returns true if the operator signed in by a one-time link, and may have no password and no passkey. */
export const needsCredential = (): boolean => session.value?.signedInBy === 'link' && !hasNewPasskey.value;

/**
 * Returns true if the operator may change their own password and passkeys. A reader may do so only after a sign-in by a
 * one-time link.
 */
export const mayChangeOwnSignIn = (): boolean => mayChange() || session.value?.signedInBy === 'link';

/** Operator roles with their permissions, from most to fewest permissions. */
export const ROLES: readonly { readonly value: Role; readonly title: string; readonly may: string }[] = [
  { value: 'owner', title: 'Owner', may: 'Full access, can also manage operators' },
  { value: 'operator', title: 'Operator', may: 'Full access, but cannot manage operators' },
  { value: 'reader', title: 'Reader', may: 'Read-only access' },
];

export const titleOf = (role: Role): string => ROLES.find(({ value }) => value === role)?.title ?? role;
