import type { ComponentChildren } from 'preact';
import type { StateWords, Tone } from '../words/states.ts';
import { Time } from './time.tsx';

export const Badge = ({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>{children}</span>
);

/** Table cell with a state. If somebody should act, the cell also explains the state. */
export const StateCell = ({ words }: { readonly words: StateWords }) => (
  <>
    <Badge tone={words.tone}>{words.title}</Badge>
    {(words.tone === 'bad' || words.tone === 'warn') && <p class="soft why">{words.explanation}</p>}
  </>
);

interface StatePanelProps {
  readonly words: StateWords;
  readonly children?: ComponentChildren;
}

/** Panel with the state of an object, its explanation and the necessary action. */
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

/** Badge that shows whether a token or grant is valid, expired or revoked. */
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
