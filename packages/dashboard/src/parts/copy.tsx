import { useState } from 'preact/hooks';

interface CopyProps {
  readonly text: string;
  /** Name of the copied text, for screen readers. */
  readonly what: string;
}

const LABEL_MS = 2000;

export function CopyButton({ text, what }: CopyProps) {
  const [label, setLabel] = useState('Copy');
  const copy = async () => {
    setLabel(
      await navigator.clipboard.writeText(text).then(
        () => 'Copied',
        () => 'Select and copy the text',
      ),
    );
    setTimeout(() => setLabel('Copy'), LABEL_MS);
  };
  return (
    <button type="button" class="small" onClick={copy} aria-label={`${label}: ${what}`}>
      <span role="status">{label}</span>
    </button>
  );
}

export const Copied = ({ text, what }: CopyProps) => (
  <span class="copied">
    <code>{text}</code>
    <CopyButton text={text} what={what} />
  </span>
);

export const Code = ({ text, what }: CopyProps) => (
  <div class="code">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
    <section tabIndex={0} aria-label={what}>
      <pre>
        <code>{text}</code>
      </pre>
    </section>
    <CopyButton text={text} what={what} />
  </div>
);
