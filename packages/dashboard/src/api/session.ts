import { signal } from '@preact/signals';
import type { Operations } from '../generated/operations.ts';

export type Session = Operations['GET /operator/v1/session']['answer'];

export type Role = Session['role'];

/** `undefined` when nobody is signed in; `null` while that is not known. */
export const session = signal<Session | undefined | null>(null);

/** The reason why the last session ended, for the sign-in page. */
export const ending = signal<'by itself' | 'signed out' | undefined>();

/** The service reported that there is no session: a session of this page has expired. */
export function noteNoSession(): void {
  if (session.value) ending.value = 'by itself';
  session.value = undefined;
}

export function noteSignedOut(): void {
  ending.value = 'signed out';
  session.value = undefined;
}

/** Tells whether the operator may change things. The service enforces it; the page only hides the controls. */
export const mayChange = (): boolean => session.value?.role !== 'reader';

export const isOwner = (): boolean => session.value?.role === 'owner';

/** Treats the session as signed in by password, because the operator has set one. */
export function notePassword(): void {
  if (session.value) session.value = { ...session.value, signedInBy: 'password' };
}

/** Tells whether the operator added a passkey since this page was opened. */
export const hasNewPasskey = signal(false);

/** An operator who signed in by a one-time link may have no other way to sign in again. */
export const needsWayBack = (): boolean => session.value?.signedInBy === 'link' && !hasNewPasskey.value;

/** Tells whether the operator may change the own sign-in. A reader may only after signing in by a link. */
export const mayChangeOwnSignIn = (): boolean => mayChange() || session.value?.signedInBy === 'link';

/** The roles and their permissions, the most powerful first. */
export const ROLES: readonly { readonly value: Role; readonly title: string; readonly may: string }[] = [
  { value: 'owner', title: 'Owner', may: 'Everything, managing operators included' },
  { value: 'operator', title: 'Operator', may: 'Everything but managing operators' },
  { value: 'reader', title: 'Reader', may: 'Look at everything, change nothing' },
];

export const titleOf = (role: Role): string => ROLES.find(({ value }) => value === role)?.title ?? role;
