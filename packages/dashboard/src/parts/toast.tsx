import { signal } from '@preact/signals';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'good' | 'bad';
}

const TOAST_MS = 5000;
const toasts = signal<readonly Toast[]>([]);
let count = 0;

/** Shows a message for 5 seconds. Important messages must be shown in the page instead. */
export function showToast(text: string, tone: Toast['tone'] = 'good'): void {
  count += 1;
  const id = count;
  toasts.value = [...toasts.value, { id, text, tone }];
  setTimeout(() => {
    toasts.value = toasts.value.filter((toast) => toast.id !== id);
  }, TOAST_MS);
}

export const Toasts = () => (
  <div class="toasts" role="status">
    {toasts.value.map(({ id, text, tone }) => (
      <div class={`notice ${tone}`} key={id}>
        {text}
      </div>
    ))}
  </div>
);
