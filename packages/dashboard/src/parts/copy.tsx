import { useState } from 'preact/hooks';

interface CopyProps {
  readonly text: string;
  /** The name of the text, for screen readers. */
  readonly what: string;
}

const SHOWN_MS = 2000;

export function CopyButton({ text, what }: CopyProps) {
  const [said, setSaid] = useState('Copy');
  const copy = async () => {
    setSaid(
      await navigator.clipboard.writeText(text).then(
        () => 'Copied',
        () => 'Select it and copy',
      ),
    );
    setTimeout(() => setSaid('Copy'), SHOWN_MS);
  };
  return (
    <button type="button" class="small" onClick={copy} aria-label={`${said}: ${what}`}>
      <span role="status">{said}</span>
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
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
    <section tabIndex={0} aria-label={what}>
      <pre>
        <code>{text}</code>
      </pre>
    </section>
    <CopyButton text={text} what={what} />
  </div>
);
