import { Badge } from '../../parts/state.tsx';
import type { Tone } from '../../words/states.ts';
import { EFFECTS, type Effect, effectOf, type Hints } from './find-tools.ts';

const TONES: Readonly<Record<Effect, Tone>> = { reads: 'good', changes: 'warn', destroys: 'bad' };

export function ToolMarks({ hints }: { readonly hints: Hints }) {
  const effect = effectOf(hints);
  return (
    <span class="row marks">
      <Badge tone={TONES[effect]}>{EFFECTS.find(({ value }) => value === effect)?.title}</Badge>
      {hints.longRunning && <span class="tag">May run for minutes</span>}
    </span>
  );
}
