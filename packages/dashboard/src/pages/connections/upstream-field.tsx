import { RadioField } from '../../parts/field.tsx';

const UPSTREAMS = [
  { value: 'real', title: 'Real service', description: 'calls use your users’ data' },
  {
    value: 'sandbox',
    title: 'Sandbox',
    description: 'calls use emulated data, and you need no OAuth client at the upstream',
  },
] as const;

export type Upstream = (typeof UPSTREAMS)[number]['value'];

interface UpstreamFieldProps {
  readonly upstream: Upstream;
  readonly onUpstream: (upstream: Upstream) => void;
}

/** Chooses between the real upstream and the sandbox. */
export const UpstreamField = ({ upstream, onUpstream }: UpstreamFieldProps) => (
  <RadioField label="Upstream" name="upstream" choices={UPSTREAMS} value={upstream} onValue={onUpstream} />
);
