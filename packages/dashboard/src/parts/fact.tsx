import type { ComponentChildren } from 'preact';

interface FactProps {
  readonly title: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A term and its value in a list of facts. */
export const Fact = ({ title, children }: FactProps) => (
  <>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </>
);
