import { secondOf, since } from '../words/times.ts';

/** A moment in relative words, with the exact time as its tooltip. */
export const Time = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={secondOf(new Date(at))}>
    {since(Date.parse(at), Date.now())}
  </time>
);

/** A moment to the second, for comparing several. */
export const Moment = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={since(Date.parse(at), Date.now())}>
    {secondOf(new Date(at))}
  </time>
);
