import type { ComponentChildren } from 'preact';

/** Text that replaces an empty list, with optional controls for the next step. */
export const Empty = ({
  text,
  children,
}: {
  readonly text: string;
  readonly children?: ComponentChildren;
}) => (
  <div class="empty">
    <p>{text}</p>
    {children}
  </div>
);
