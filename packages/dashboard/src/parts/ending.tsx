import { Badge } from './badge.tsx';
import { Time } from './time.tsx';

interface Ends {
  readonly revokedAt: string | null;
  readonly expiresAt: string;
}

export const isLive = ({ revokedAt, expiresAt }: Ends): boolean =>
  revokedAt === null && Date.parse(expiresAt) > Date.now();

/** How far something has come that ends by itself, or is revoked before. */
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
