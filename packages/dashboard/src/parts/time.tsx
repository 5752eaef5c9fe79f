import { secondOf, since } from '../words/times.ts';

/** A time relative to now, with the exact time as its tooltip. */
export const Time = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={secondOf(new Date(at))}>
    {since(Date.parse(at), Date.now())}
  </time>
);

/** A time to the second, with the relative time as its tooltip. */
export const ExactTime = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={since(Date.parse(at), Date.now())}>
    {secondOf(new Date(at))}
  </time>
);
