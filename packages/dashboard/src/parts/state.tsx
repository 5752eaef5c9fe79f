import type { ComponentChildren } from 'preact';
import type { StateWords, Tone } from '../words/states.ts';
import { Time } from './time.tsx';

export const Badge = ({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>{children}</span>
);

/** A state in a table, with its explanation unless the state is good. */
export const StateCell = ({ words }: { readonly words: StateWords }) => (
  <>
    <Badge tone={words.tone}>{words.title}</Badge>
    {words.tone !== 'good' && <p class="soft why">{words.explanation}</p>}
  </>
);

interface StatePanelProps {
  readonly words: StateWords;
  readonly children?: ComponentChildren;
}

/** The state on the page of an object, with its explanation and the remedy. */
export const StatePanel = ({ words, children }: StatePanelProps) => (
  <section class="panel" aria-label="State">
    <p class="state">
      <Badge tone={words.tone}>{words.title}</Badge>
    </p>
    <p>
      {words.explanation} {words.next}
    </p>
    {children}
  </section>
);

export const RevokedBadge = ({ at }: { readonly at: string }) => (
  <Badge tone="soft">
    Revoked <Time at={at} />
  </Badge>
);

interface Expiry {
  readonly revokedAt: string | null;
  readonly expiresAt: string;
}

export const isLive = ({ revokedAt, expiresAt }: Expiry): boolean =>
  revokedAt === null && Date.parse(expiresAt) > Date.now();

/** The state of a token or grant that expires or is revoked. */
export function ExpiryBadge(expiry: Expiry) {
  if (expiry.revokedAt !== null) return <RevokedBadge at={expiry.revokedAt} />;
  return isLive(expiry) ? (
    <Badge tone="good">
      Expires <Time at={expiry.expiresAt} />
    </Badge>
  ) : (
    <Badge tone="soft">Expired</Badge>
  );
}
