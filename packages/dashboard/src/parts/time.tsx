import { secondOf, since } from '../words/times.ts';

/** A moment as people say it, with the exact one on hovering. */
export const Time = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={secondOf(new Date(at))}>
    {since(Date.parse(at), Date.now())}
  </time>
);

/** A moment to the second, where several are compared. */
export const Moment = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={since(Date.parse(at), Date.now())}>
    {secondOf(new Date(at))}
  </time>
);
