import { Badge } from './badge.tsx';
import { Time } from './time.tsx';

interface Ends {
  readonly revokedAt: string | null;
  readonly expiresAt: string;
}

export const isLive = ({ revokedAt, expiresAt }: Ends): boolean =>
  revokedAt === null && Date.parse(expiresAt) > Date.now();

/** The state of a token or grant that expires or is revoked. */
export function Ending(ends: Ends) {
  if (ends.revokedAt !== null)
    return (
      <Badge tone="soft">
        Revoked <Time at={ends.revokedAt} />
      </Badge>
    );
  return isLive(ends) ? (
    <Badge tone="good">
      Ends <Time at={ends.expiresAt} />
    </Badge>
  ) : (
    <Badge tone="soft">Ended</Badge>
  );
}
