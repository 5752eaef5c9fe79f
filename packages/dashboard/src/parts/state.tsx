import type { ComponentChildren } from 'preact';
import type { StateWords } from '../words/states.ts';
import { Badge } from './badge.tsx';

/** A state in a table: in a word, and why where it is not as it should be. */
export const StateCell = ({ words }: { readonly words: StateWords }) => (
  <>
    <Badge tone={words.tone}>{words.title}</Badge>
    {words.tone !== 'good' && <p class="soft why">{words.story}</p>}
  </>
);

interface StatePanelProps {
  readonly words: StateWords;
  /** Controls that help with the state. */
  readonly children?: ComponentChildren;
}

/** A state on the page of what has it: what happened, and what to do. */
export const StatePanel = ({ words, children }: StatePanelProps) => (
  <section class="panel" aria-label="State">
    <p class="state">
      <Badge tone={words.tone}>{words.title}</Badge>
    </p>
    <p>
      {words.story} {words.next}
    </p>
    {children}
  </section>
);
