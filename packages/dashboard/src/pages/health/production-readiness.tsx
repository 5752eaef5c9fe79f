import type { Health } from '../../api/health.ts';

/** Whether the service would start for real users. */
export const ProductionReadiness = ({
  production: { isOn, refused },
}: {
  readonly production: Health['production'];
}) => (
  <section class="panel">
    <h2>For real users</h2>
    {isOn && (
      <p>The service runs with SVC_PRODUCTION=1, which refuses every set-up that is not safe for them.</p>
    )}
    {!isOn && refused.length === 0 && (
      <p>
        The service runs for development. Nothing is in the way: start it with <code>SVC_PRODUCTION=1</code>.
      </p>
    )}
    {!isOn && refused.length > 0 && (
      <>
        <p>
          The service runs for development. With <code>SVC_PRODUCTION=1</code> it would refuse to start, for:
        </p>
        <ul>
          {refused.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </>
    )}
  </section>
);
