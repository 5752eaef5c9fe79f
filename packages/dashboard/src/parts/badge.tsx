import type { ComponentChildren } from 'preact';

export type Tone = 'good' | 'warn' | 'bad' | 'soft';

/** A state in a word or two. */
export const Badge = ({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>{children}</span>
);
