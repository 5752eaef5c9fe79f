import type { ComponentChildren } from 'preact';

interface FactProps {
  readonly title: ComponentChildren;
  readonly children: ComponentChildren;
}

export const Fact = ({ title, children }: FactProps) => (
  <>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </>
);
