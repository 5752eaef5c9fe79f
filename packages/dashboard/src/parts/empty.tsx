import type { ComponentChildren } from 'preact';

/** The text of an empty list, with controls for the next step. */
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
