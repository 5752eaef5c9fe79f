import { secondOf, since } from '../words/times.ts';

/** Shows a time relative to now. Its tooltip contains the exact time. */
export const Time = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={secondOf(new Date(at))}>
    {since(Date.parse(at), Date.now())}
  </time>
);

/** Shows an exact time. Its tooltip contains the time relative to now. */
export const ExactTime = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={since(Date.parse(at), Date.now())}>
    {secondOf(new Date(at))}
  </time>
);
