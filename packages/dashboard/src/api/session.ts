import { signal } from '@preact/signals';
import type { Operations } from '../generated/operations.ts';

export type Session = Operations['GET /operator/v1/session']['answer'];

export type Role = Session['role'];

/** Session of the signed-in operator; `undefined` if nobody is signed in, `null` until the first load. */
export const session = signal<Session | undefined | null>(null);

/** Reason for the end of the last session. The sign-in page shows it. */
export const sessionEnd = signal<'expired' | 'signed out' | undefined>();

/** Clears the session after the service responded with status 401. */
export function noteNoSession(): void {
  if (session.value) sessionEnd.value = 'expired';
  session.value = undefined;
}

export function noteSignedOut(): void {
  sessionEnd.value = 'signed out';
  session.value = undefined;
}

/** Checks whether the role allows changes. The service enforces it; the page only hides the controls. */
export const mayChange = (): boolean => session.value?.role !== 'reader';

export const isOwner = (): boolean => session.value?.role === 'owner';

/** Marks the session as signed in by password, after the operator has set a password. */
export function notePassword(): void {
  if (session.value) session.value = { ...session.value, signedInBy: 'password' };
}

/** Becomes true when the operator adds a passkey. */
export const hasNewPasskey = signal(false);

/** Checks whether the operator signed in by a one-time link and may have no other credential. */
export const needsCredential = (): boolean => session.value?.signedInBy === 'link' && !hasNewPasskey.value;

/** Checks whether the operator may change their password and passkeys. A reader may only after signing in by a link. */
export const mayChangeOwnSignIn = (): boolean => mayChange() || session.value?.signedInBy === 'link';

/** The roles with their permissions, from most to least. */
export const ROLES: readonly { readonly value: Role; readonly title: string; readonly may: string }[] = [
  { value: 'owner', title: 'Owner', may: 'Full access, including operators' },
  { value: 'operator', title: 'Operator', may: 'Full access, except operators' },
  { value: 'reader', title: 'Reader', may: 'Read-only access' },
];

export const titleOf = (role: Role): string => ROLES.find(({ value }) => value === role)?.title ?? role;
