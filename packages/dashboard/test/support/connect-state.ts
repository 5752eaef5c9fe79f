import type { Link, Visitor } from './connect-steps.ts';

/** Next step that a page says. */
export type Next =
  | 'decide'
  | 'close'
  | 'finishThere'
  | 'startAgain'
  | 'tryAgain'
  | 'checkAgain'
  | 'contactSupport';

/** State in which a user can find a connect page. */
export interface State {
  readonly state: string;
  /** Brings the user to the page. Resolves to the link of the user, if the user has one. */
  readonly open: (visitor: Visitor) => Promise<Link | undefined>;
  /** Heading in English and German. */
  readonly heading: Readonly<Record<'en' | 'de', string>>;
  readonly next: Next;
  /** Part of a notice that only this state has, in English and German. */
  readonly notice?: Readonly<Record<'en' | 'de', RegExp>>;
  /** True if time ends the state, so that it does not last until a reload. */
  readonly isBrief?: true;
  /** True if the account of the link is connected. */
  readonly isConnected?: true;
}

export const CONNECT = { en: 'Connect Calendar', de: 'Calendar verbinden' };
