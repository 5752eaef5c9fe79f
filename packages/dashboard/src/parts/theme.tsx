import { effect, signal } from '@preact/signals';

type Theme = 'system' | 'light' | 'dark';

const KEY = 'theme';
const THEMES: readonly { readonly value: Theme; readonly title: string }[] = [
  { value: 'system', title: 'System' },
  { value: 'light', title: 'Light' },
  { value: 'dark', title: 'Dark' },
];

const toTheme = (value: string | null): Theme =>
  THEMES.find((theme) => theme.value === value)?.value ?? 'system';

const theme = signal(toTheme(localStorage.getItem(KEY)));

effect(() => {
  localStorage.setItem(KEY, theme.value);
  document.documentElement.dataset['theme'] = theme.value;
});

export const ThemeChoice = () => (
  <label>
    <span class="hidden">Colour theme</span>
    <select
      value={theme.value}
      onChange={(event) => {
        theme.value = toTheme(event.currentTarget.value);
      }}
    >
      {THEMES.map(({ value, title }) => (
        <option key={value} value={value}>
          {title}
        </option>
      ))}
    </select>
  </label>
);
