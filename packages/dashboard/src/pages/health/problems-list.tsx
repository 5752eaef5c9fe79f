import type { Health } from '../../api/health.ts';
import { Notice } from '../../parts/notice.tsx';
import { problemsOf } from '../../words/health.ts';

export function Problems({ health }: { readonly health: Health }) {
  const problems = problemsOf(health);
  if (problems.length === 0) return <Notice tone="good">Nothing is wrong with the service.</Notice>;
  return (
    <section class="stack" aria-label="Problems">
      {problems.map(({ tone, what, toDo }) => (
        <Notice key={what} tone={tone}>
          <p>
            <strong>{what}</strong>
          </p>
          <p>{toDo}</p>
        </Notice>
      ))}
    </section>
  );
}
