const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const whole = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

export function since(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000);
  const [unit, length] = STEPS.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1];
  return relative.format(Math.trunc(seconds / length), unit);
}

/** A moment as people say it, with the exact one on hovering. */
export const Time = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={whole.format(new Date(at))}>
    {since(Date.parse(at), Date.now())}
  </time>
);

/** A moment to the second, where several are compared. */
export const Moment = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={since(Date.parse(at), Date.now())}>
    {whole.format(new Date(at))}
  </time>
);
